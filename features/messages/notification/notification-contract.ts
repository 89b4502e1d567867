import { z } from 'zod'
import { id, nothing, page, read, write } from '#base/contract.ts'
import { NoEmails } from '#delivery/contract.ts'
import { deliveredKinds, notificationKinds } from '#notification/all-kinds.ts'
import { EmailNotBound, PostView, UnreadView } from '#notification/contract.ts'
import { PushView } from '#notification/push-contract.ts'
import { AuthorView } from '#user/contract.ts'

export const NotificationView = z.object({
  id: z.string(),
  kind: z.enum(notificationKinds),
  /** The latest actors. Empty where the cause was no member. */
  members: z.array(AuthorView),
  /** The number of actors, up to a hundred. */
  people: z.number(),
  /** The target: the latest post, or the one that was liked. */
  post: PostView.nullable(),
  at: z.iso.datetime(),
  readAt: z.iso.datetime().nullable(),
})
export type NotificationView = z.infer<typeof NotificationView>

export const notificationList = read('/user/control/remindList', {
  summary: 'What others did with what is mine, newest first; actions of one kind about one thing are one until I read it.',
  input: z.object({ page: page.default(1) }),
  output: z.object({
    notifications: z.array(NotificationView),
    unread: z.number(),
    total: z.number(),
    page: z.number(),
    pages: z.number(),
  }),
})

export const markNotifications = write('/user/control/markNotificationsAsRead', {
  summary: 'Marks notifications of mine as read.',
  input: z.object({ notificationIds: z.array(id).min(1).max(100) }),
  output: nothing,
  availableWhile: 'readOnly',
})

export const markAllNotifications = write('/user/control/markAllNotificationsAsRead', {
  summary: 'Marks all notifications as read that I have. They can be unread again by when that was.',
  input: nothing,
  output: z.object({ readAt: z.iso.datetime() }),
  availableWhile: 'readOnly',
})

export const unmarkNotifications = write('/user/control/markNotificationsAsUnread', {
  summary: 'Undoes that all were marked as read then; what came anew meanwhile about the same thing stays as it is.',
  input: z.object({ readAt: z.iso.datetime() }),
  output: nothing,
  availableWhile: 'readOnly',
})

export const deleteNotification = write('/user/control/deleteNotification', {
  summary: 'Takes a notification off my list for good.',
  input: z.object({ notificationId: id }),
  output: nothing,
})

/** The channels beside the list in the forum. */
export const notificationChannels = ['email', 'push'] as const
export type NotificationChannel = (typeof notificationChannels)[number]

/** Immediate, at most one e-mail in a few minutes; or a digest of a day or a week. */
export const rhythms = ['atOnce', 'day', 'week'] as const
const rhythm = z.enum(rhythms)
const hour = z.int().min(0).max(23)

export const notificationSettings = read('/user/control/remindSettings', {
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

export const changeNotificationSetting = write('/user/control/changeNotificationSetting', {
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

export const changeNotificationMail = write('/user/control/changeNotificationMail', {
  summary: 'Says whether e-mails with notifications come at once, or by day or week at an hour of mine.',
  input: z.object({ rhythm, hour }),
  output: nothing,
})

const stopToken = z.string().regex(/^[\w-]{43}$/)

export const stopForm = read('/unsubscribe', {
  summary: 'What the link at the end of an e-mail with notifications may end. Needs no login: the link is secret.',
  input: z.object({ token: stopToken }),
  output: z.object({
    /** False where the link is old or was never sent. */
    isKnown: z.boolean(),
    kind: z.enum(deliveredKinds).nullable(),
  }),
})

export const stopNotifications = write('/unsubscribe', {
  summary: 'Ends e-mails with notifications of one kind or of all, by the link at the end of one.',
  input: z.object({ token: stopToken, kind: z.enum(deliveredKinds).optional() }),
  output: nothing,
  availableWhile: 'readOnly',
})

export const inboxNews = read('/user/control/inboxNews', {
  summary: 'Tells how much I have not read, now and whenever it is another number or a message came. A stream of server-sent events.',
  input: nothing,
  output: UnreadView,
})
