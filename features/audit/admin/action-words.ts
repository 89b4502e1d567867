import { auditActions, undone, type PlainAction } from '#audit/contract.ts'
import type { Translate } from '#base/web/words.tsx'

type Joined<Name extends string> = Name extends `${infer First}.${infer Rest}` ? `${Capitalize<First>}${Joined<Rest>}` : Capitalize<Name>
/** The catalogue key of an action. */
export type ActionKey = `action${Joined<PlainAction>}`

export function keyOf(action: PlainAction): ActionKey {
  const joined = action.split('.').map(capital).join('')
  return `action${joined}` as ActionKey
}

/** An action in words; its code, where this version of the forum does not know it. */
export function actionIn(words: Translate, action: string): string {
  if (isKnown(action)) return words(keyOf(action))
  const first = action.endsWith(undone) ? action.slice(0, -undone.length) : ''
  return isKnown(first) ? words('undid', { action: words(keyOf(first)) }) : action
}

function isKnown(action: string): action is PlainAction {
  return (auditActions as readonly string[]).includes(action)
}

/** Actions by subject: the part before the first dot. */
export const actionGroups: ReadonlyMap<string, readonly PlainAction[]> = Map.groupBy(auditActions, (action) => action.split('.')[0] ?? '')

type Group = PlainAction extends `${infer First}.${string}` ? First : never

const groupWords: Readonly<Record<Group, string>> = {
  topic: 'groupTopic',
  comment: 'groupComment',
  reply: 'groupReply',
  batch: 'groupBatch',
  review: 'groupReview',
  sensitiveList: 'groupSensitiveList',
  sensitiveWord: 'groupSensitiveWord',
  report: 'groupReport',
  appeal: 'groupAppeal',
  reportCategory: 'groupReportCategory',
  messageReport: 'groupMessageReport',
  tag: 'groupTag',
  member: 'groupMember',
  address: 'groupAddress',
  realName: 'groupRealName',
  cleaning: 'groupCleaning',
  field: 'groupField',
  role: 'groupRole',
  feedback: 'groupFeedback',
  help: 'groupHelp',
  helpCategory: 'groupHelpCategory',
  terms: 'groupTerms',
  link: 'groupLink',
  identityProvider: 'groupIdentityProvider',
  assistantModel: 'groupAssistantModel',
  assistantPrompt: 'groupAssistantPrompt',
  assistantReport: 'groupAssistantReport',
  assistantUsage: 'groupAssistantUsage',
  invitation: 'groupInvitation',
  section: 'groupSection',
  slot: 'groupSlot',
  announcement: 'groupAnnouncement',
  wallet: 'groupWallet',
  collusion: 'groupCollusion',
  membershipCard: 'groupMembershipCard',
  membershipOrder: 'groupMembershipOrder',
  redEnvelope: 'groupRedEnvelope',
  payment: 'groupPayment',
  coupon: 'groupCoupon',
  giftTask: 'groupGiftTask',
  setting: 'groupSetting',
  delivery: 'groupDelivery',
  staff: 'groupStaff',
  staffRole: 'groupStaffRole',
  books: 'groupBooks',
  backup: 'groupBackup',
  job: 'groupJob',
  site: 'groupSite',
  audit: 'groupAudit',
  pageView: 'groupPageView',
}

export function groupIn(words: Translate, group: string): string {
  return words(groupWords[group as Group] ?? group)
}

type PathOf = (id: string) => string
type Kind = { word: string; to: PathOf | null }

const list =
  (path: string): PathOf =>
  () =>
    path

/** The kinds of subject: the catalogue key of each, and its screen. */
const kinds: Readonly<Record<string, Kind>> = {
  topic: { word: 'aboutTopic', to: (id) => `/admin/topic/view?topicId=${id}` },
  comment: { word: 'aboutComment', to: null },
  reply: { word: 'aboutReply', to: null },
  batch: { word: 'aboutBatch', to: list('/admin/batch') },
  sensitiveList: { word: 'aboutSensitiveList', to: (id) => `/admin/sensitiveWord?listId=${id}` },
  report: { word: 'aboutReport', to: null },
  reportCategory: { word: 'aboutReportCategory', to: list('/admin/reportCategory') },
  messageReport: { word: 'aboutMessageReport', to: (id) => `/admin/messageReport/view?reportId=${id}` },
  assistantReport: { word: 'aboutAssistantReport', to: (id) => `/admin/assistant/report/view?reportId=${id}` },
  tag: { word: 'aboutTag', to: list('/admin/tag') },
  address: { word: 'aboutAddress', to: (ip) => `/admin/member?ip=${ip}` },
  member: { word: 'aboutMember', to: (id) => `/admin/member/view?memberId=${id}` },
  field: { word: 'aboutField', to: list('/admin/field') },
  role: { word: 'aboutRole', to: list('/admin/role') },
  feedback: { word: 'aboutFeedback', to: list('/admin/feedback') },
  help: { word: 'aboutHelp', to: (id) => `/admin/help/edit?pageId=${id}` },
  helpCategory: { word: 'aboutHelpCategory', to: list('/admin/help') },
  terms: { word: 'aboutTerms', to: list('/admin/terms') },
  link: { word: 'aboutLink', to: list('/admin/link') },
  section: { word: 'aboutSection', to: list('/admin/section') },
  slot: { word: 'aboutSlot', to: list('/admin/slot') },
  notice: { word: 'aboutAnnouncement', to: (id) => `/admin/notice/edit?noticeId=${id}` },
  backup: { word: 'aboutBackup', to: list('/admin/maintenance/backup') },
  job: { word: 'aboutJob', to: list('/admin/maintenance/job') },
  transaction: { word: 'aboutTransaction', to: (id) => `/admin/wallet/transaction?transactionId=${id}` },
  collusion: { word: 'aboutCollusion', to: list('/admin/collusion') },
  membershipCard: { word: 'aboutMembershipCard', to: (id) => `/admin/membershipCard/edit?cardId=${id}` },
  membershipOrder: { word: 'aboutMembershipOrder', to: (id) => `/admin/membershipOrder/view?orderId=${id}` },
  redEnvelope: { word: 'aboutRedEnvelope', to: (id) => `/admin/redEnvelope/view?envelopeId=${id}` },
  payment: { word: 'aboutPayment', to: (id) => `/admin/payment/view?number=${id}` },
  paymentEvent: { word: 'aboutPaymentEvent', to: (id) => `/admin/payment/event/view?eventId=${id}` },
  paymentDifference: { word: 'aboutPaymentDifference', to: list('/admin/payment/difference') },
  paymentProvider: { word: 'aboutPaymentProvider', to: list('/admin/payment/provider') },
  coupon: { word: 'aboutCoupon', to: (id) => `/admin/coupon/view?couponId=${id}` },
  giftTask: { word: 'aboutGiftTask', to: (id) => `/admin/giftTask/view?taskId=${id}` },
  delivery: { word: 'aboutDelivery', to: list('/admin/delivery') },
  template: { word: 'aboutTemplate', to: (id) => `/admin/delivery/template/edit?template=${id.split('.')[0]}` },
  recipient: { word: 'aboutRecipient', to: null },
  setting: { word: 'aboutSetting', to: (name) => `/admin/setting?setting=${name}` },
  staff: { word: 'aboutStaff', to: list('/admin/staff') },
  staffRole: { word: 'aboutStaffRole', to: list('/admin/staffRole') },
  staffSession: { word: 'aboutStaffSession', to: null },
}

/** The subject of an entry in words, by name if it has one, and the path of its screen. */
export function aboutIn(words: Translate, about: string, name?: string): { text: string; to: string | null } {
  const [kind = '', id = ''] = about.split(' ')
  const known = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (!known) return { text: about, to: null }
  return { text: words(known.word, { id: name ?? id }), to: known.to?.(id) ?? null }
}

/** All kinds of subject. */
export const aboutKinds: readonly string[] = Object.keys(kinds)

/** The name of a kind, without an id. */
export function kindIn(words: Translate, kind: string): string {
  return words(kinds[kind]?.word ?? kind, { id: '' }).trim()
}

function capital(word: string): string {
  return `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`
}
