import type { Bilingual } from '#base/both-languages.ts'
import { settingGroups, type AnySetting, type SettingGroup } from '#setting/contract.ts'

type Site = { hasMoney: boolean; offered: readonly (keyof Bilingual)[] }

/** Shown only while the site has a balance in money. */
const moneyOnly: ReadonlySet<string> = new Set([
  'approvalThresholdYuan',
  'dailyApprovalThresholdYuan',
  'maxHiddenCents',
  'hiddenShareCash',
  'minBountyCents',
  'maxBountyCents',
  'bountyShareCash',
])

/**
 * The settings of a group that apply to this site: without those of money where it has none, and without texts in languages it does not
 * offer.
 */
export function visibleSettings(group: SettingGroup, { hasMoney, offered }: Site): AnySetting[] {
  return settingGroups[group].filter((name) => (hasMoney || !moneyOnly.has(name)) && isInLanguages(name, offered))
}

/** Whether a setting is a text in one of these languages, or in none. */
export function isInLanguages(name: string, offered: Site['offered']): boolean {
  const language = /(?:Zh|En)$/.exec(name)?.[0].toLowerCase()
  return language === undefined || offered.some((one) => one === language)
}
