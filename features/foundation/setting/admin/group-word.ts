import { pascalCase } from '#base/pascal-case.ts'
import type { SettingGroup } from '#setting/contract.ts'

/** The catalogue key of a group. */
export function groupWord(group: SettingGroup): string {
  return `group${pascalCase(group)}`
}
