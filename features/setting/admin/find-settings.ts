import { isMeant } from '#base/admin/is-meant.ts'
import type { Api } from '#base/contract.ts'
import type { Say } from '#base/web/words.tsx'
import { groupWord } from '#setting/admin/group-word.ts'
import { keysOf } from '#setting/admin/said-of.ts'
import { settingGroups, type SettingGroup, type SettingName } from '#setting/contract.ts'

const mostFound = 8

/** Settings by what they are called, before those by what is said of them, in any of the languages. */
export async function findSettings(typed: string, _: Api, says: readonly Say[]): Promise<{ name: string; hint: string; to: string }[]> {
  const groups = Object.entries(settingGroups) as [SettingGroup, readonly SettingName[]][]
  const all = groups.flatMap(([group, names]) => names.map((name) => ({ group, name })))
  const saidOf = (keys: readonly string[]) => says.flatMap((say) => keys.map((key) => say(`settingAdmin.${key}`)))
  const byName = all.filter(({ name }) => isMeant(typed, saidOf([name])))
  const byMore = all.filter(({ group, name }) => isMeant(typed, [name, ...saidOf([...keysOf(name), groupWord(group)])]))
  const [say = String] = says
  return [...new Set([...byName, ...byMore])].slice(0, mostFound).map(({ group, name }) => ({
    name: say(`settingAdmin.${name}`),
    hint: say(`settingAdmin.${groupWord(group)}`),
    to: `/admin/setting?group=${group}#${name}`,
  }))
}
