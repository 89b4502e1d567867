import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { deviceKinds } from '#base/device-name.ts'
import { nothing, read } from '#base/contract.ts'
import { listed, listOf } from '#base/list.ts'
import { longestRange, rangeOf } from './range.ts'

export { daysOf, rangeOf, ranges, type Range } from './range.ts'

const longest = 2_000

/** A page of this site: a path, never another host. */
const ownPath = z
  .string()
  .max(longest)
  .regex(/^\/(?![/\\])/)

const own =
  'home editUser topicList topicUnhideList commentList replyList questionList answerList answerReplyList likeList topicLikeList favoriteList topicFavoriteList questionFavoriteList followList followerList blockList userDynamicList point balance payment membershipCardOrderList giveRedEnvelopeList redEnvelopeAmountDistributionList receiveRedEnvelopeList redEnvelope/add draftList reportList remindList remindSettings systemNotifyList privateMessageList privateMessageChatList waitingList deletedList userLoginLogList settings password passkeys secondFactor signInMethods security tokens hintQuestion phoneBinding updatePhoneBinding/step1 updatePhoneBinding/step2 emailBinding updateEmailBinding/step1 updateEmailBinding/step2 realNameAuthentication personalData leave preferences invitations'
const common =
  '/ /index /thread /askList /question /search /termsService /about /help /helpDetail /feedback /login /register /findPassWord/step1 /findPassWord/step2 /takeBack /thirdParty/loginRedirect /unsubscribe /membershipCardList /membershipCard /payment/sandbox /payment/wechat /paymentCompleted/:interfaceProduct/:paymentModule/:parameterId /addTopic /addQuestion /user/editTopic /user/editQuestion'

/** Every place of the members' site. What is said to have been looked at elsewhere counts for nothing. */
export const places = [...common.split(' '), ...own.split(' ').map((name) => `/user/control/${name}`)]

/** The specification's name. The answer says nothing and is not waited for. */
export const addPageView = read('/statistic/add', {
  summary: 'Notes that a page was looked at, and from where one came. Written a little later.',
  input: z.object({ url: ownPath, referrer: z.string().max(longest).default('') }),
  output: nothing,
})

/** What is counted for each day, which begins at midnight in the time zone of the site. */
export const measures = ['views', 'visitors', 'active', 'members', 'topics', 'comments', 'replies'] as const

const DayView = z.object({
  day: z.iso.date(),
  views: z.number(),
  /** Addresses that looked; counted once the day is over. */
  visitors: z.number(),
  /** Members who came; of days that are over from the log of logins, today as far as is known. */
  active: z.number(),
  members: z.number(),
  topics: z.number(),
  comments: z.number(),
  replies: z.number(),
})

/** Words that fewer people searched for are shown to nobody: they may be about one person, or be one's own. */
export const fewestSearchers = 3

const count = z.number().nullable()

/** What waits at the desks that one may sit at, each counted up to a thousand; null for the others. */
const WaitingView = z.object({
  reviews: count,
  reports: count,
  appeals: count,
  messageReports: count,
  answerReports: count,
  feedback: count,
  moneyRequests: count,
  joining: count,
  /** What a provider told and nobody was credited for, and payers who want their money back by their bank. */
  payments: count,
  disputes: count,
})

const TimesView = z.object({
  /** By hours for a week and less, by days beyond. */
  points: z.array(z.object({ at: z.string(), half: z.number(), most: z.number() })),
  /** How many milliseconds half of all answers took at most, and 95 of 100. */
  half: z.number(),
  most: z.number(),
  answers: z.number(),
})
export type TimesView = z.infer<typeof TimesView>

// Before the first of them there is no calendar to count in.
const day = z.iso.date({ abort: true }).refine((given) => given >= '1970-01-01', { abort: true })

export const dashboard = read('/admin/dashboard', {
  summary:
    'The site in numbers, day by day in its time zone, of the last days or of those from one to another, and the pages that were looked at most. A minute or two late.',
  input: z
    .object({
      /** The last so many days, where none are named. */
      days: z.number().int().min(1).max(longestRange, { abort: true }).optional(),
      from: day.optional(),
      to: day.optional(),
    })
    .refine((asked) => rangeOf(asked).days > 0, { path: ['to'], params: { code: 'statistic.rangeBackwards' } })
    .refine((asked) => rangeOf(asked).days <= longestRange, {
      path: ['from'],
      params: { code: 'statistic.rangeTooLong', values: { most: longestRange } },
    }),
  output: z.object({
    timeZone: z.string(),
    days: z.array(DayView),
    pages: z.array(z.object({ address: z.string(), title: z.string().nullable(), views: z.number() })),
    searches: z.array(z.object({ words: z.string(), people: z.number() })),
    times: TimesView,
    /** With what pages were looked at; the empty name stands for all others. */
    clients: z.array(z.object({ kind: z.enum(['browser', 'system']), name: z.string(), views: z.number() })),
    /** Of those who joined in a month, how many came again so many days later or after that. */
    retention: z.array(z.object({ after: z.number(), joined: z.number(), stayed: z.number() })),
    waiting: WaitingView,
    /** The last backup and the last rehearsal of a restore, where they failed, and the books of points and balance while they are frozen. */
    failed: z.array(z.object({ kind: z.enum(['backup', 'rehearsal', 'books', 'booksCheck']), at: z.iso.datetime() })),
    totals: z.object({ members: z.number(), topics: z.number(), comments: z.number(), replies: z.number() }),
  }),
})

export const waitingNow = read('/admin/waiting', {
  summary: 'How much waits at the desks that I may sit at.',
  input: nothing,
  output: WaitingView,
})
export type Desk = keyof z.infer<typeof WaitingView>

export const pageViewList = read('/admin/pageView/list', {
  summary: 'Page views as they came. Addresses of visitors go after a while, as the settings say.',
  input: listOf(['at'], {
    url: z.string().max(200).optional(),
    ip: z.union([z.ipv4(), z.ipv6()]).optional(),
    /** A country, with all that is in it, or a province: `CN`, `CN-GD`. */
    region: z
      .string()
      .regex(/^([A-Z]{2}(-[A-Z]{2})?|local)$/)
      .optional(),
    device: z.enum(deviceKinds).optional(),
    since: z.iso.datetime({ offset: true }).optional(),
    until: z.iso.datetime({ offset: true }).optional(),
  }),
  output: listed(
    z.object({
      id: z.string(),
      url: z.string(),
      referrer: z.string().nullable(),
      ip: z.string().nullable(),
      region: z.string().nullable(),
      device: z.enum(deviceKinds).nullable(),
      browser: z.string().nullable(),
      at: z.iso.datetime(),
    }),
  ),
})

export const notePageViewExport = exportOf('/admin/pageView/export')
