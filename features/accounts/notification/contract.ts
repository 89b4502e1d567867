import { z } from 'zod'
import { id, nothing, page, read, refusal, write } from '#base/contract.ts'
import { NameView } from '#role/contract.ts'
import { kinds, threadKinds } from '#kind/contract.ts'

/** The text is empty in both languages. */
export const TextNeeded = refusal('notification.textNeeded', { field: 'textZh' })
export const SentAlready = refusal('notification.sentAlready', { status: 409 })
export const ChangedBy = refusal('notification.changedBy', { status: 409, field: 'version' })
export const TimeNeeded = refusal('notification.timeNeeded', { field: 'sendsAt' })
export const TooSoon = refusal('notification.tooSoon', { field: 'sendsAt' })

/** The browser's subscription is no URL of a push service. */
export const NoPushAddress = refusal('notification.noPushAddress')
export const TooManyBrowsers = refusal('notification.tooManyBrowsers')
export const PushOff = refusal('notification.pushOff')
export const PushFailed = refusal('notification.pushFailed')

/** E-mail needs a bound address. */
export const EmailNotBound = refusal('notification.emailNotBound', { field: 'email' })

/** A post as it read at the time of the action. */
export const PostView = z.object({
  kind: z.enum(kinds),
  /** The thread's kind, for its URL. */
  thread: z.enum(threadKinds),
  id: z.string(),
  topicId: z.string(),
  /** The comment itself, or the one that was replied to. */
  commentId: z.string().nullable(),
  title: z.string(),
  excerpt: z.string(),
})
export type PostView = z.infer<typeof PostView>

const post = PostView
const reason = z.string()
/** The post is not published: its author deleted it, its topic is deleted, or it waits for review. */
const isHidden = z.boolean().optional()
/** A bulk action by staff: the posts of one member are reported once. */
const many = { what: PostView.shape.kind, thread: PostView.shape.thread, count: z.number() }

/** The change of an account's balance, in decimal notation; negative where money left it. */
const amount = { currency: z.enum(['points', 'cny']), amount: z.string() }
const moved = { ...amount, reason }

const PaidView = z.object({ cash: z.string().nullable(), points: z.string().nullable() })

/** A session, or how it ended. */
const session = {
  /** The browser's own name and the region of its address, as far as they are known. */ device: z.string(),
  region: z.string().nullable(),
  at: z.iso.datetime(),
}

/**
 * The system notifications to a single member: facts, worded in the reader's language. A new kind is a line here, one in each file of
 * words, and one in `web/notice-text.tsx` where it shows more than a sentence.
 */
export const PersonalNotice = z.discriminatedUnion('kind', [
  fact('reportDecided', { post, outcome: z.enum(['failed', 'succeeded']), result: z.string() }),
  fact('reportReopened', { post }),
  fact('reportAsked', { post, question: z.string() }),
  fact('messageReportDecided', {
    /** The author of the messages. */ memberId: z.string().optional(),
    name: z.string(),
    outcome: z.enum(['upheld', 'dismissed']),
    result: z.string(),
  }),
  fact('answerReportHandled', { result: z.string() }),
  /** To staff who manage the assistant. */
  fact('assistantBudget', { state: z.enum(['warned', 'stopped']), /** The spent part, in hundredths. */ share: z.number() }),
  fact('postApproved', { post, isEdit: z.boolean() }),
  fact('postRejected', { post, isEdit: z.boolean(), reason: NameView }),
  fact('postEdited', { post, reason }),
  fact('postRemoved', { post, reason, mayAppeal: z.boolean() }),
  fact('postRestored', { post, isHidden }),
  /** Staff labelled it as AI-generated content, or removed the label. */
  fact('postLabelled', { post, reason }),
  fact('postUnlabelled', { post, reason }),
  fact('postscriptRemoved', { post, number: z.number(), reason }),
  fact('postscriptRestored', { post, number: z.number() }),
  fact('envelopeGiven', { envelopeId: z.string(), /** Of the giver. */ name: z.string() }),
  fact('envelopeReturned', { envelopeId: z.string(), ...amount }),
  fact('envelopeNotTaken', { post }),
  /** Of equal shares each was opened. */
  fact('envelopeGone', { envelopeId: z.string() }),
  fact('envelopeGoneAtRandom', { envelopeId: z.string(), /** Of the member with the largest share. */ name: z.string(), ...amount }),
  fact('envelopeOpened', { envelopeId: z.string(), /** Of the receiver. */ name: z.string() }),
  fact('envelopeEnding', {
    envelopeId: z.string(),
    endsAt: z.iso.datetime(),
    /** The shares that are left. */ left: z.number(),
    quantity: z.number(),
  }),
  fact('envelopeEndingForYou', { envelopeId: z.string(), endsAt: z.iso.datetime(), /** Of the giver. */ name: z.string() }),
  fact('bountyNotTaken', { post }),
  fact('bountyPaid', { post }),
  fact('bountyReturned', { post }),
  fact('bountyTaken', { post, reason }),
  fact('manyRemoved', { ...many, reason }),
  fact('manyRestored', many),
  fact('manyLabelled', { ...many, reason }),
  fact('manyUnlabelled', { ...many, reason }),
  fact('appealAnswered', { post, outcome: z.enum(['restored', 'confirmed']), answer: z.string(), isHidden }),
  fact('appealReopened', { post, /** Until it is decided again. */ isAway: z.boolean(), isHidden }),
  fact('newSignIn', session),
  /** It was ended, because two parties hold its token. */
  fact('sessionReused', session),
  fact('programTokenMade', { /** Of the token. */ name: z.string() }),
  fact('roleEnding', { role: NameView, endsAt: z.iso.datetime() }),
  fact('roleEnded', { role: NameView }),
  fact('membershipGiven', { /** Of the giver. */ name: z.string(), card: NameView, note: z.string(), endsAt: z.iso.datetime() }),
  fact('membershipRefunded', { card: NameView, /** The refunded amount, in decimal notation. */ paid: PaidView, reason }),
  /** Of the holder of a gift that was refunded to its giver. */
  fact('membershipTaken', { card: NameView, reason }),
  fact('roleGiven', { role: NameView, endsAt: z.iso.datetime() }),
  fact('dataReady', { /** The deadline of the download. */ endsAt: z.iso.datetime() }),
  fact('leavingBegun', { /** The time of erasure, unless they stay. */ endsAt: z.iso.datetime() }),
  fact('allRemoved', { reason }),
  fact('allRestored', {}),
  fact('banned', { from: z.array(z.string()), endsAt: z.iso.datetime().nullable(), reason }),
  fact('passwordReset', {}),
  fact('hintReset', {}),
  fact('secondFactorRemoved', {}),
  fact('realNameRead', {}),
  fact('accountsMerged', { /** The account that closed. */ name: z.string() }),
  fact('wayRemoved', {
    way: z.enum(['phone', 'email', 'identity', 'passkey']),
    /** The name of the identity or passkey; an address masked. */ its: NameView,
  }),
  fact('banLifted', { from: z.array(z.string()) }),
  fact('joiningApproved', {}),
  fact('joiningRefused', { reason }),
  fact('accountAdjusted', moved),
  fact('accountReversed', moved),
  fact('accountRefunded', moved),
  /** Of a top-up: refunded to the payer, or credited to the balance again because the provider refused. */
  fact('paymentRefunded', { outcome: z.enum(['done', 'failed']), ...moved }),
  fact('paymentRefundDeclined', moved),
  fact('paymentCredited', amount),
  /** The bank reversed the payment, or returned it. */
  fact('paymentDisputed', amount),
  /** Removed or erased after it was sold. */
  fact('hiddenPartGone', amount),
])
export type PersonalNotice = z.infer<typeof PersonalNotice>

function fact<Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) {
  return z.object({ kind: z.literal(kind), ...shape })
}

const Segments = z.array(z.object({ html: z.string() }))
/** An announcement by staff; one written in a single language serves for both. */
export const AnnouncementView = fact('announcement', { zh: Segments, en: Segments })
export type AnnouncementView = z.infer<typeof AnnouncementView>

export const NoticeView = z.object({
  id: z.string(),
  says: z.discriminatedUnion('kind', [...PersonalNotice.options, AnnouncementView]),
  sentAt: z.iso.datetime(),
  readAt: z.iso.datetime().nullable(),
})
export type NoticeView = z.infer<typeof NoticeView>

/** The upper limit of the counts in the header. */
export const maxUnreadCount = 100

/** The unread counts of a member, up to a hundred each, and a number that changes with every change of their messages. */
export const UnreadView = z.object({
  privateMessageCount: z.number(),
  systemNotifyCount: z.number(),
  remindCount: z.number(),
  messageRevision: z.string(),
})

export const unreadMessageCount = read('/user/control/unreadMessageCount', {
  summary: 'Unread counts of the member, up to 100 each.',
  input: nothing,
  output: UnreadView,
})

export const systemNotifyList = read('/user/control/systemNotifyList', {
  summary: 'System notifications of the member and announcements since their registration, newest first.',
  input: z.object({ page: page.default(1) }),
  output: z.object({ notices: z.array(NoticeView), unread: z.number(), total: z.number(), page: z.number(), pages: z.number() }),
})

export const markRead = write('/user/control/markSystemNotifyAsRead', {
  summary: 'Marks given system notifications and announcements of the member as read.',
  input: z.object({ noticeIds: z.array(id).min(1).max(100) }),
  output: nothing,
  availableWhile: 'readOnly',
})

export const markAllRead = write('/user/control/markAllSystemNotifyAsRead', {
  summary: 'Marks all system notifications and announcements of the member as read.',
  input: nothing,
  output: nothing,
  availableWhile: 'readOnly',
})

export const deleteNotice = write('/user/control/deleteSystemNotify', {
  summary: 'Deletes a system notification or an announcement from the member’s list permanently.',
  input: z.object({ noticeId: id }),
  output: nothing,
})
