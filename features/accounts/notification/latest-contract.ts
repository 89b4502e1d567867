import { z } from 'zod'
import { nothing, read, write } from '#base/contract.ts'
import { NoticeView } from '#notification/contract.ts'
import { NotificationView } from '#notification/notification-contract.ts'

/** The number that the bell shows before its link to all. */
export const maxLatest = 10

/** A notification or an announcement; the other of the two is null. */
export const LatestItemView = z.object({ notification: NotificationView.nullable(), notice: NoticeView.nullable() })
export type LatestItemView = z.infer<typeof LatestItemView>

export const latestNotifications = read('/user/control/latestNotifications', {
  summary: 'The member’s ten latest notifications of all kinds, newest first.',
  input: nothing,
  output: z.object({ notifications: z.array(LatestItemView) }),
})

export const markAllAsRead = write('/user/control/markAllAsRead', {
  summary: 'Marks all of the member’s notifications, system notifications and announcements as read.',
  input: nothing,
  output: nothing,
  availableWhile: 'readOnly',
})
