import { z } from 'zod'
import { id, nothing, page, read, write } from '#base/contract.ts'
import { NoEmails } from '#delivery/contract.ts'
import { EmailNotBound, PostView, UnreadView } from '#notice/contract.ts'
import { PushView } from '#notice/push-contract.ts'
import { AuthorView } from '#user/contract.ts'

/**
 * The kinds of notifications, in the order of their settings, and the default channels of each. A new kind is a line here, a sentence and a
 * setting in each file of words, and a value of the column `kind`.
 */
export const reminderKinds = {
  mentioned: { forum: true },
  commented: { forum: true },
  repliedInThread: { forum: true },
  quoted: { forum: true },
  replied: { forum: true },
  replyAnswered: { forum: true },
  repliedBeside: { forum: true },
  watched: { forum: true },
  followedWrote: { forum: true },
  liked: { forum: true },
  accepted: { forum: true },
  bountyEnding: { forum: true },
  unlocked: { forum: true },
  followed: { forum: true },
  welcome: { forum: true },
} as const satisfies Record<string, { forum: boolean }>
export type ReminderKind = keyof typeof reminderKinds

const kinds = Object.keys(reminderKinds) as [ReminderKind, ...ReminderKind[]]
/** The greeting comes once, so it has no setting. */
export const configurableKinds = kinds.filter((kind) => kind !== 'welcome')

export const ReminderView = z.object({
  id: z.string(),
  kind: z.enum(kinds),
  /** The latest actors. Empty where the cause was no member. */
  members: z.array(AuthorView),
  /** The number of actors, up to a hundred. */
  people: z.number(),
  /** The target: the latest post, or the one that was liked. */
  post: PostView.nullable(),
  at: z.iso.datetime(),
  readAt: z.iso.datetime().nullable(),
})
export type ReminderView = z.infer<typeof ReminderView>

export const remindList = read('/user/control/remindList', {
  summary: 'What others did with what is mine, newest first; actions of one kind about one thing are one until I read it.',
  input: z.object({ page: page.default(1) }),
  output: z.object({ reminders: z.array(ReminderView), unread: z.number(), total: z.number(), page: z.number(), pages: z.number() }),
})

export const markReminders = write('/user/control/markRemindersAsRead', {
  summary: 'Marks reminders of mine as read.',
  input: z.object({ reminderIds: z.array(id).min(1).max(100) }),
  output: nothing,
  availableWhile: 'readOnly',
})

export const markAllReminders = write('/user/control/markAllRemindersAsRead', {
  summary: 'Marks all reminders as read that I have. They can be unread again by when that was.',
  input: nothing,
  output: z.object({ readAt: z.iso.datetime() }),
  availableWhile: 'readOnly',
})

export const unmarkReminders = write('/user/control/markRemindersAsUnread', {
  summary: 'Undoes that all were marked as read then; what came anew meanwhile about the same thing stays as it is.',
  input: z.object({ readAt: z.iso.datetime() }),
  output: nothing,
  availableWhile: 'readOnly',
})

export const deleteReminder = write('/user/control/deleteRemind', {
  summary: 'Takes a reminder off my list for good.',
  input: z.object({ remindId: id }),
  output: nothing,
})

/** The channels beside the list in the forum. */
export const reminderChannels = ['email', 'push'] as const
export type ReminderChannel = (typeof reminderChannels)[number]

/** Private messages have a list of their own in the forum, and use the other channels only. */
export const deliveredKinds = [...configurableKinds, 'message'] as const
export type DeliveredKind = (typeof deliveredKinds)[number]

/** Immediate, at most one e-mail in a few minutes; or a digest of a day or a week. */
export const rhythms = ['atOnce', 'day', 'week'] as const
const rhythm = z.enum(rhythms)
const hour = z.int().min(0).max(23)

export const reminderSettings = read('/user/control/remindSettings', {
  summary: 'Of which kinds I am reminded, and where.',
  input: nothing,
  output: z.object({
    /** Null where the forum has a page of its own for it. */
    kinds: z.array(z.object({ kind: z.enum(deliveredKinds), forum: z.boolean().nullable(), email: z.boolean(), push: z.boolean() })),
    /** Null where the site sends no e-mail. */
    email: z
      .object({
        /** Masked; null while none is bound. */
        bound: z.string().nullable(),
        /** A mail server reported the address as unknown: nothing is sent there until a code was read there. */
        isUnreached: z.boolean(),
        rhythm,
        hour,
      })
      .nullable(),
    push: PushView,
    timeZone: z.string(),
  }),
})

export const changeReminderSetting = write('/user/control/changeRemindSetting', {
  summary: 'Says whether I am reminded of a kind from now on, in the forum, by e-mail or in browsers.',
  input: z.object({
    kind: z.enum(deliveredKinds),
    forum: z.boolean().optional(),
    email: z.boolean().optional(),
    push: z.boolean().optional(),
  }),
  output: nothing,
  errors: [NoEmails, EmailNotBound],
})

export const changeReminderMail = write('/user/control/changeRemindMail', {
  summary: 'Says whether e-mails with reminders come at once, or by day or week at an hour of mine.',
  input: z.object({ rhythm, hour }),
  output: nothing,
})

const stopToken = z.string().regex(/^[\w-]{43}$/)

export const stopForm = read('/unsubscribe', {
  summary: 'What the link at the end of an e-mail with reminders may end. Needs no login: the link is secret.',
  input: z.object({ token: stopToken }),
  output: z.object({
    /** False where the link is old or was never sent. */
    isKnown: z.boolean(),
    kind: z.enum(deliveredKinds).nullable(),
  }),
})

export const stopReminders = write('/unsubscribe', {
  summary: 'Ends e-mails with reminders of one kind or of all, by the link at the end of one.',
  input: z.object({ token: stopToken, kind: z.enum(deliveredKinds).optional() }),
  output: nothing,
  availableWhile: 'readOnly',
})

export const inboxNews = read('/user/control/inboxNews', {
  summary: 'Tells how much I have not read, now and whenever it is another number or a message came. A stream of server-sent events.',
  input: nothing,
  output: UnreadView,
})
