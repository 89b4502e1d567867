import type { SettingGroup } from '#setting/contract.ts'

/** Catalogue keys of the groups. */
export const groupWords: Readonly<Record<SettingGroup, string>> = {
  site: 'groupSite',
  open: 'groupOpen',
  accounts: 'groupAccounts',
  realName: 'groupRealName',
  posting: 'groupPosting',
  editor: 'groupEditor',
  review: 'groupReview',
  newMembers: 'groupNewMembers',
  files: 'groupFiles',
  reports: 'groupReports',
  lists: 'groupLists',
  points: 'groupPoints',
  redEnvelopes: 'groupRedEnvelopes',
  assistant: 'groupAssistant',
  payment: 'groupPayment',
  backups: 'groupBackups',
  logs: 'groupLogs',
  email: 'groupEmail',
  sms: 'groupSms',
  programs: 'groupPrograms',
}
