import { publishPrivateStream } from '#base/server/live/live.ts'
import { anyone, members, route, staff } from '#base/server/http/route.ts'
import * as contract from '#notification/contract.ts'
import * as forPush from '#notification/push-contract.ts'
import * as announce from '#notification/server/announce.ts'
import * as forLatest from '#notification/latest-contract.ts'
import * as inbox from '#notification/server/inbox.ts'
import { latest, markAllRead } from '#notification/server/latest.ts'
import * as forNotifications from '#notification/notification-contract.ts'
import * as push from '#notification/server/push.ts'
import { sendTest } from '#notification/server/pushing.ts'
import * as settings from '#notification/server/notification-settings.ts'
import * as notifications from '#notification/server/notifications.ts'
import * as stopping from '#notification/server/unsubscribe.ts'
import * as forStaff from '#notification/staff-contract.ts'

const sendsLater = staff('announcement.send')
// It reaches everybody, and sending cannot be undone.
const sendsNow = staff('announcement.send', { proved: true })

export const routes = [
  route(contract.unreadMessageCount, members, ({ db, viewer }) => inbox.counts(db, viewer), { fromPrimary: true }),
  route(forLatest.latestNotifications, members, ({ db, viewer }) => latest(db, viewer), { fromPrimary: true }),
  route(forLatest.markAllAsRead, members, ({ db, viewer }) => markAllRead(db, viewer)),
  route(contract.systemNotifyList, members, ({ db, viewer, input }) => inbox.list(db, viewer, input.page), { fromPrimary: true }),
  route(contract.markRead, members, ({ db, viewer, input }) => inbox.markRead(db, viewer, input.noticeIds)),
  route(contract.markAllRead, members, ({ db, viewer }) => inbox.markRead(db, viewer)),
  route(contract.deleteNotice, members, ({ db, viewer, input }) => inbox.remove(db, viewer, input.noticeId)),
  route(forNotifications.notificationList, members, ({ db, viewer, input }) => notifications.list(db, viewer, input.page), {
    fromPrimary: true,
  }),
  route(forNotifications.markNotifications, members, async ({ db, viewer, input }) => {
    await notifications.markRead(db, viewer, input.notificationIds)
  }),
  route(forNotifications.markAllNotifications, members, ({ db, viewer }) => notifications.markRead(db, viewer)),
  route(forNotifications.unmarkNotifications, members, ({ db, viewer, input }) => notifications.markUnread(db, viewer, input.readAt)),
  route(forNotifications.deleteNotification, members, ({ db, viewer, input }) => notifications.remove(db, viewer, input.notificationId)),
  route(forNotifications.notificationSettings, members, ({ db, viewer }) => settings.list(db, viewer)),
  route(forNotifications.changeNotificationSetting, members, ({ db, viewer, input }) => settings.change(db, viewer, input)),
  route(forNotifications.changeNotificationMail, members, ({ db, viewer, input }) => settings.changeMail(db, viewer, input)),
  route(forPush.subscribePush, members, ({ db, viewer, input, client }) => push.subscribe(db, viewer, input, client.userAgent), {
    limits: [{ times: 30, seconds: 3_600, by: 'member' }],
  }),
  route(forPush.endPush, members, ({ db, viewer, input }) => push.end(db, viewer, input.browserId)),
  route(forPush.changePush, members, ({ db, viewer, input }) => push.change(db, viewer, input.quiet)),
  route(forPush.tryPush, members, async () => ({}), {
    prepare: ({ db, viewer, inSeparateTransaction, client }) => sendTest(db, viewer, { inSeparateTransaction, language: client.language }),
    limits: [{ times: 10, seconds: 600, by: 'member' }],
  }),
  route(forNotifications.stopForm, anyone, ({ db, input }) => stopping.show(db, input.token)),
  route(forNotifications.stopNotifications, anyone, ({ db, input }) => stopping.unsubscribe(db, input)),
  route(forStaff.noticeList, sendsLater, ({ db, input }) => announce.list(db, input)),
  route(forStaff.noticeSource, sendsLater, ({ db, input }) => announce.source(db, input.noticeId)),
  route(forStaff.previewNotice, sendsLater, ({ input }) => announce.preview(input)),
  route(forStaff.addNotice, sendsNow, ({ db, viewer, input, client }) => announce.add(db, viewer.staff, client, input)),
  route(forStaff.editNotice, sendsNow, ({ db, viewer, input, client }) => announce.edit(db, viewer.staff, client, input)),
  route(forStaff.withdrawNotice, sendsLater, ({ db, viewer, input, client }) =>
    announce.withdraw(db, viewer.staff, client, input.noticeId),
  ),
  route(forStaff.removeNotices, sendsLater, ({ db, viewer, input, client }) => announce.setRemoved(db, viewer, client, input, true)),
  route(forStaff.restoreNotices, sendsLater, ({ db, viewer, input, client }) => announce.setRemoved(db, viewer, client, input, false)),
]

/** The stream of the member's unread counts. */
export const streams = [
  publishPrivateStream(
    forNotifications.inboxNews,
    (memberId) => `inbox:${memberId}`,
    async (db, member) => {
      const says = await inbox.counts(db, member)
      return { id: Object.values(says).join('-'), data: says }
    },
  ),
]
