import { z } from 'zod'
import { nothing, read, write } from '#base/contract.ts'
import { NoticeView } from '#notice/contract.ts'
import { ReminderView } from '#notice/reminder-contract.ts'

/** How many the bell shows before its link to all. */
export const maxLatest = 10

/** A notification or an announcement; the other of the two is null. */
export const NotificationView = z.object({ reminder: ReminderView.nullable(), notice: NoticeView.nullable() })
export type NotificationView = z.infer<typeof NotificationView>

export const latestNotifications = read('/user/control/latestNotifications', {
  summary: 'The ten latest of my reminders and notices, newest first.',
  input: nothing,
  output: z.object({ notifications: z.array(NotificationView) }),
})

export const markAllNotifications = write('/user/control/markAllNotificationsAsRead', {
  summary: 'Marks all reminders and all notices as read that I have.',
  input: nothing,
  output: nothing,
  availableWhile: 'readOnly',
})
