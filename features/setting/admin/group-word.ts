import type { SettingGroup } from '#setting/contract.ts'

/** The catalogue key of a group. */
export function groupWord(group: SettingGroup): string {
  return `group${group.charAt(0).toUpperCase()}${group.slice(1)}`
}
