import type { Api } from '#base/contract.ts'
import type { Say } from '#base/web/words.tsx'
import { groupWord } from '#setting/admin/group-word.ts'
import { settingGroups, type SettingGroup } from '#setting/contract.ts'

const mostFound = 8

/** Settings by what they are called. */
export async function findSettings(typed: string, _: Api, say: Say): Promise<{ name: string; hint: string; to: string }[]> {
  const groups = Object.entries(settingGroups) as [SettingGroup, readonly string[]][]
  const all = groups.flatMap(([group, names]) =>
    names.map((name) => ({
      name: say(`settingAdmin.${name}`),
      hint: say(`settingAdmin.${groupWord(group)}`),
      to: `/admin/setting?group=${group}#${name}`,
    })),
  )
  return all.filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase())).slice(0, mostFound)
}
