import { offeredLanguages } from '#base/admin/in-languages.tsx'
import { matchesWords } from '#base/admin/matches-words.ts'
import type { Api } from '#base/contract.ts'
import type { Translate } from '#base/web/words.tsx'
import { groupAliases, settingAliases } from '#setting/admin/aliases.ts'
import { groupWords } from '#setting/admin/group-word.ts'
import { isInLanguages } from '#setting/admin/visible-settings.ts'
import { keysOf } from '#setting/admin/setting-words.ts'
import { settingGroups, type SettingGroup, type AnySetting } from '#setting/contract.ts'

const maxFound = 8

type FoundSetting = { name: string; hint: string; to: string }

/** Finds settings by name, then by description in any language or alias; then whole groups. */
export async function findSettings(typed: string, _: Api, says: readonly Translate[]): Promise<FoundSetting[]> {
  const groups = Object.entries(settingGroups) as [SettingGroup, readonly AnySetting[]][]
  const offered = offeredLanguages.get()
  const all = groups.flatMap(([group, names]) => names.filter((name) => isInLanguages(name, offered)).map((name) => ({ group, name })))
  const saidOf = (keys: readonly string[]) => says.flatMap((say) => keys.map((key) => say(`settingAdmin.${key}`)))
  const byName = all.filter(({ name }) => matchesWords(typed, saidOf([name])))
  const byMore = all.filter(({ group, name }) => matchesWords(typed, [name, ...saidOf([...keysOf(name), groupWords[group]])]))
  const byOtherNames = all.filter(({ name }) => matchesWords(typed, [settingAliases[name] ?? '']))
  const [say = String] = says
  const settings = [...new Set([...byName, ...byMore, ...byOtherNames])].map(({ group, name }) => ({
    name: say(`settingAdmin.${name}`),
    hint: say(`settingAdmin.${groupWords[group]}`),
    to: `/admin/setting?group=${group}#${name}`,
  }))
  const whole = groups
    .filter(([group]) => matchesWords(typed, [groupAliases[group]]))
    .map(([group]) => ({
      name: say(`settingAdmin.${groupWords[group]}`),
      hint: say('settingAdmin.settings'),
      to: `/admin/setting?group=${group}`,
    }))
  return [...settings, ...whole].slice(0, maxFound)
}
