import { offeredLanguages } from '#base/admin/in-languages.tsx'
import { matchesWords } from '#base/admin/matches-words.ts'
import type { Api } from '#base/contract.ts'
import type { Translate } from '#base/web/words.tsx'
import { groupWord } from '#setting/admin/group-word.ts'
import { codesOf } from '#setting/admin/setting-words.ts'
import { isInLanguages } from '#setting/admin/visible-settings.ts'
import { declarationOf, groups, settingGroups, wordOf, type AnySetting, type SettingGroup } from '#setting/staff-contract.ts'

const maxFound = 8

type FoundSetting = { name: string; hint: string; to: string }

/** Finds settings by name, then by description in any language or alias; then whole groups. */
export async function findSettings(typed: string, _: Api, says: readonly Translate[]): Promise<FoundSetting[]> {
  const grouped = Object.entries(settingGroups) as [SettingGroup, readonly AnySetting[]][]
  const offered = offeredLanguages.get()
  const all = grouped.flatMap(([group, names]) => names.filter((name) => isInLanguages(name, offered)).map((name) => ({ group, name })))
  const saidOf = (codes: readonly string[]) => says.flatMap((say) => codes.map((code) => say(code)))
  const byName = all.filter(({ name }) => matchesWords(typed, saidOf([wordOf(name)])))
  const byMore = all.filter(({ group, name }) => matchesWords(typed, [name, ...saidOf([...codesOf(name), codeOf(group)])]))
  const byOtherNames = all.filter(({ name }) => matchesWords(typed, [declarationOf(name).aliases ?? '']))
  const [say = String] = says
  const settings = [...new Set([...byName, ...byMore, ...byOtherNames])].map(({ group, name }) => ({
    name: say(wordOf(name)),
    hint: say(codeOf(group)),
    to: `/admin/setting?group=${group}#${name}`,
  }))
  const whole = grouped
    .filter(([group]) => matchesWords(typed, [groups[group].aliases]))
    .map(([group]) => ({
      name: say(codeOf(group)),
      hint: say('settingAdmin.settings'),
      to: `/admin/setting?group=${group}`,
    }))
  return [...settings, ...whole].slice(0, maxFound)
}

function codeOf(group: SettingGroup): string {
  return `settingAdmin.${groupWord(group)}`
}
