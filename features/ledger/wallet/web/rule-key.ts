import { pascalCase } from '#base/pascal-case.ts'
import type { RewardRule } from '#wallet/contract.ts'

/** The text key of a rule. */
export function ruleKey(rule: RewardRule): string {
  return `rule${pascalCase(rule)}`
}
