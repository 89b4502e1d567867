import { z } from 'zod'
import { nothing, read, write } from '#base/contract.ts'
import { NoticeView } from '#notice/contract.ts'
import { ReminderView } from '#notice/reminder-contract.ts'

/** How many the bell shows before its link to all. */
export const maxLatest = 10

/** A reminder or a notice; the other of the two is null. */
export const NotificationView = z.object({ reminder: ReminderView.nullable(), notice: NoticeView.nullable() })
export type NotificationView = z.infer<typeof NotificationView>

export const latestNotifications = read('/user/control/latestNotifications', {
  does: 'The ten latest of my reminders and notices, newest first.',
  takes: nothing,
  gives: z.object({ notifications: z.array(NotificationView) }),
})

export const markAllNotifications = write('/user/control/markAllNotificationsAsRead', {
  does: 'Marks all reminders and all notices as read that I have.',
  takes: nothing,
  gives: nothing,
  answeredWhile: 'readOnly',
})
