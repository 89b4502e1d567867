import type { RewardRule } from '#wallet/contract.ts'

/** The text key of a rule. */
export function ruleKey(rule: RewardRule): string {
  return `rule${rule.charAt(0).toUpperCase()}${rule.slice(1)}`
}
