import type { RewardRule } from '#wallet/contract.ts'

/** The key of the words for what earns points. */
export function ruleWord(rule: RewardRule): string {
  return `rule${rule.charAt(0).toUpperCase()}${rule.slice(1)}`
}
