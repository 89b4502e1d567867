import type { SettingGroup } from '#setting/contract.ts'

/** The key of a group's name among the words. */
export function groupWord(group: SettingGroup): string {
  const name = `${group[0]?.toUpperCase()}${group.slice(1)}`
  return `group${name}`
}
