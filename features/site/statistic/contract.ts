import { z } from 'zod'
import { exportOf } from '#audit/contract.ts'
import { deviceKinds } from '#base/device-name.ts'
import { nothing, read, time } from '#base/contract.ts'
import { field, staffList } from '#base/staff-list.ts'
import { maxRange, rangeOf } from './range.ts'

export { daysOf, rangeOf, ranges, type Range } from './range.ts'

const longest = 2_000

/** A path of this site, never another host. */
const ownPath = z
  .string()
  .max(longest)
  .regex(/^\/(?![/\\])/)

const own =
  'home editUser topicList topicUnhideList commentList replyList questionList answerList answerReplyList likeList topicLikeList favoriteList topicFavoriteList questionFavoriteList followList followerList blockList userDynamicList point balance payment membershipCardOrderList giveRedEnvelopeList redEnvelopeAmountDistributionList receiveRedEnvelopeList redEnvelope/add draftList reportList remindList remindSettings systemNotifyList privateMessageList privateMessageChatList waitingList deletedList userLoginLogList settings password passkeys secondFactor signInMethods security tokens hintQuestion phoneBinding updatePhoneBinding/step1 updatePhoneBinding/step2 emailBinding updateEmailBinding/step1 updateEmailBinding/step2 realNameAuthentication personalData leave preferences invitations'
const common =
  '/ /index /thread /askList /question /search /termsService /about /help /helpDetail /feedback /login /register /findPassWord/step1 /findPassWord/step2 /takeBack /thirdParty/loginRedirect /unsubscribe /membershipCardList /membershipCard /payment/sandbox /payment/wechat /paymentCompleted/:interfaceProduct/:paymentModule/:parameterId /addTopic /addQuestion /user/editTopic /user/editQuestion'

/** All pages of the members' site. Page views with other paths are ignored. */
export const places = [...common.split(' '), ...own.split(' ').map((name) => `/user/control/${name}`)]

/** The path comes from the specification. The response is empty and not waited for. */
export const addPageView = read('/statistic/add', {
  summary: 'Records a page view with its referrer. The count is updated with a short delay.',
  input: z.object({ url: ownPath, referrer: z.string().max(longest).default('') }),
  output: nothing,
})

/** Daily measures; a day begins at midnight in the time zone of the site. */
export const measures = ['views', 'visitors', 'active', 'members', 'topics', 'comments', 'replies'] as const

const DayView = z.object({
  day: z.iso.date(),
  views: z.number(),
  /** Distinct addresses; counted after the end of the day. */
  visitors: z.number(),
  /** Members who were active; for past days from the login log, for today as far as known. */
  active: z.number(),
  members: z.number(),
  topics: z.number(),
  comments: z.number(),
  replies: z.number(),
})

/** Search terms of fewer people are not shown: they may concern a single person, or identify one. */
export const minSearchers = 3

const count = z.number().nullable()

/** Items that wait in each queue, counted up to a thousand; null for queues without access. */
const WaitingView = z.object({
  reviews: count,
  reports: count,
  appeals: count,
  messageReports: count,
  answerReports: count,
  feedback: count,
  moneyRequests: count,
  joining: count,
  /** Payments that a provider reported without a credit, and disputes by payers. */
  payments: count,
  disputes: count,
})

const TimesView = z.object({
  /** Hourly for up to a week, daily beyond. */
  points: z.array(z.object({ at: z.string(), half: z.number(), most: z.number() })),
  /** Median and 95th percentile of the response time, in milliseconds. */
  half: z.number(),
  most: z.number(),
  answers: z.number(),
})
export type TimesView = z.infer<typeof TimesView>

// Earlier dates are out of the calendar's range.
const day = z.iso.date({ abort: true }).refine((value) => value >= '1970-01-01', { abort: true })

export const dashboard = read('/admin/dashboard', {
  summary:
    'Daily site statistics in the site’s time zone, for the last days or a date range, with the top pages. Delayed by a minute or two.',
  input: z
    .object({
      /** The last days, where none are named. */
      days: z.number().int().min(1).max(maxRange, { abort: true }).optional(),
      from: day.optional(),
      to: day.optional(),
    })
    .refine((input) => rangeOf(input).days > 0, { path: ['to'], params: { code: 'statistic.rangeBackwards' } })
    .refine((input) => rangeOf(input).days <= maxRange, {
      path: ['from'],
      params: { code: 'statistic.rangeTooLong', values: { most: maxRange } },
    }),
  output: z.object({
    timeZone: z.string(),
    days: z.array(DayView),
    pages: z.array(z.object({ address: z.string(), title: z.string().nullable(), views: z.number() })),
    searches: z.array(z.object({ words: z.string(), people: z.number() })),
    times: TimesView,
    /** Browsers and systems of page views; an empty name stands for all others. */
    clients: z.array(z.object({ kind: z.enum(['browser', 'system']), name: z.string(), views: z.number() })),
    /** Of the members who joined in a month, the number who were active so many days later or after that. */
    retention: z.array(z.object({ after: z.number(), joined: z.number(), stayed: z.number() })),
    waiting: WaitingView,
    /** Of the program. */
    version: z.string(),
    /** The latest backup and rehearsal of a restore, if they failed, and the ledger of points and balance while it is frozen. */
    failed: z.array(z.object({ kind: z.enum(['backup', 'rehearsal', 'books', 'booksCheck']), at: time })),
    totals: z.object({ members: z.number(), topics: z.number(), comments: z.number(), replies: z.number() }),
  }),
})

export const waitingNow = read('/admin/waiting', {
  summary: 'Number of pending items in each queue that the staff account may access.',
  input: nothing,
  output: WaitingView,
})
export type StaffQueue = keyof z.infer<typeof WaitingView>

const device = field.choice(deviceKinds)

export const pageViewList = staffList('/admin/pageView/list', {
  summary: 'Individual page views. Visitor addresses are deleted after the retention period in the settings.',
  words: 'statisticAdmin',
  columns: {
    at: field.time,
    url: field.labelled('address', field.text),
    referrer: field.orNull(field.text),
    device: field.orNull(device),
    browser: field.labelled('browserAndSystem', field.orNull(field.text)),
    ip: field.orNull(field.text),
    region: field.region,
  },
  filters: {
    url: field.labelled('address', field.typed(z.string().max(200).optional())),
    ip: field.typed(z.union([z.ipv4(), z.ipv6()]).optional()),
    /** A country with its provinces, or a province: `CN`, `CN-GD`. */
    region: field.typed(
      z
        .string()
        .regex(/^([A-Z]{2}(-[A-Z]{2})?|local)$/)
        .optional(),
    ),
    device,
    ...field.times,
  },
  sorts: { at: 'at' },
})

export const notePageViewExport = exportOf('/admin/pageView/export')
