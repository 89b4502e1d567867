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
  summary: 'Activity notifications of the member, newest first; unread actions of one kind on one post are grouped.',
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
  summary: 'Marks given notifications of the member as read.',
  input: z.object({ notificationIds: z.array(id).min(1).max(100) }),
  output: nothing,
  availableWhile: 'readOnly',
})

export const markAllNotifications = write('/user/control/markAllNotificationsAsRead', {
  summary: 'Marks all notifications of the member as read. The returned time can be used to undo it.',
  input: nothing,
  output: z.object({ readAt: z.iso.datetime() }),
  availableWhile: 'readOnly',
})

export const unmarkNotifications = write('/user/control/markNotificationsAsUnread', {
  summary: 'Marks the notifications of a read-all as unread again, except groups with newer activity.',
  input: z.object({ readAt: z.iso.datetime() }),
  output: nothing,
  availableWhile: 'readOnly',
})

export const deleteNotification = write('/user/control/deleteNotification', {
  summary: 'Deletes a notification from the member’s list permanently.',
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
  summary: 'The member’s notification settings by kind and channel.',
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
  summary: 'Turns notifications of one kind on or off for the forum, e-mail or push.',
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
  summary: 'Sets notification e-mails to immediate delivery, or to a daily or weekly digest at a given hour.',
  input: z.object({ rhythm, hour }),
  output: nothing,
})

const stopToken = z.string().regex(/^[\w-]{43}$/)

export const stopForm = read('/unsubscribe', {
  summary: 'Options of the unsubscribe link in a notification e-mail. Needs no session: the link is secret.',
  input: z.object({ token: stopToken }),
  output: z.object({
    /** False where the link is old or was never sent. */
    isKnown: z.boolean(),
    kind: z.enum(deliveredKinds).nullable(),
  }),
})

export const stopNotifications = write('/unsubscribe', {
  summary: 'Unsubscribes from the notification e-mails that the link in an e-mail stands for: one kind or all, or of all one kind.',
  input: z.object({ token: stopToken, kind: z.enum(deliveredKinds).optional() }),
  output: nothing,
  availableWhile: 'readOnly',
})

export const inboxNews = read('/user/control/inboxNews', {
  summary: 'Streams the member’s unread counts as server-sent events: at once, on each change and on each message.',
  input: nothing,
  output: UnreadView,
})
