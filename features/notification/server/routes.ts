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
  route(forLatest.markAllAsRead, members, async ({ db, viewer }) => {
    await markAllRead(db, viewer)
    return {}
  }),
  route(contract.systemNotifyList, members, ({ db, viewer, input }) => inbox.list(db, viewer, input.page), { fromPrimary: true }),
  route(contract.markRead, members, async ({ db, viewer, input }) => {
    await inbox.markRead(db, viewer, input.noticeIds)
    return {}
  }),
  route(contract.markAllRead, members, async ({ db, viewer }) => {
    await inbox.markRead(db, viewer)
    return {}
  }),
  route(contract.deleteNotice, members, async ({ db, viewer, input }) => {
    await inbox.remove(db, viewer, input.noticeId)
    return {}
  }),
  route(forNotifications.notificationList, members, ({ db, viewer, input }) => notifications.list(db, viewer, input.page), {
    fromPrimary: true,
  }),
  route(forNotifications.markNotifications, members, async ({ db, viewer, input }) => {
    await notifications.markRead(db, viewer, input.notificationIds)
    return {}
  }),
  route(forNotifications.markAllNotifications, members, ({ db, viewer }) => notifications.markRead(db, viewer)),
  route(forNotifications.unmarkNotifications, members, async ({ db, viewer, input }) => {
    await notifications.markUnread(db, viewer, input.readAt)
    return {}
  }),
  route(forNotifications.deleteNotification, members, async ({ db, viewer, input }) => {
    await notifications.remove(db, viewer, input.notificationId)
    return {}
  }),
  route(forNotifications.notificationSettings, members, ({ db, viewer }) => settings.list(db, viewer)),
  route(forNotifications.changeNotificationSetting, members, async ({ db, viewer, input }) => {
    await settings.change(db, viewer, input)
    return {}
  }),
  route(forNotifications.changeNotificationMail, members, async ({ db, viewer, input }) => {
    await settings.changeMail(db, viewer, input)
    return {}
  }),
  route(
    forPush.subscribePush,
    members,
    async ({ db, viewer, input, client }) => {
      await push.subscribe(db, viewer, input, client.userAgent)
      return {}
    },
    { limits: [{ times: 30, seconds: 3_600, by: 'member' }] },
  ),
  route(forPush.endPush, members, async ({ db, viewer, input }) => {
    await push.end(db, viewer, input.browserId)
    return {}
  }),
  route(forPush.changePush, members, async ({ db, viewer, input }) => {
    await push.change(db, viewer, input.quiet)
    return {}
  }),
  route(forPush.tryPush, members, async () => ({}), {
    prepare: ({ db, viewer, inSeparateTransaction, client }) => sendTest(db, viewer, { inSeparateTransaction, language: client.language }),
    limits: [{ times: 10, seconds: 600, by: 'member' }],
  }),
  route(forNotifications.stopForm, anyone, ({ db, input }) => stopping.show(db, input.token)),
  route(forNotifications.stopNotifications, anyone, async ({ db, input }) => {
    await stopping.unsubscribe(db, input)
    return {}
  }),
  route(forStaff.noticeList, sendsLater, ({ db, input }) => announce.list(db, input)),
  route(forStaff.noticeSource, sendsLater, ({ db, input }) => announce.source(db, input.noticeId)),
  route(forStaff.previewNotice, sendsLater, ({ input }) => announce.preview(input)),
  route(forStaff.addNotice, sendsNow, ({ db, viewer, input, client }) => announce.add(db, viewer.staff, client, input)),
  route(forStaff.editNotice, sendsNow, async ({ db, viewer, input, client }) => {
    await announce.edit(db, viewer.staff, client, input)
    return {}
  }),
  route(forStaff.withdrawNotice, sendsLater, async ({ db, viewer, input, client }) => {
    await announce.withdraw(db, viewer.staff, client, input.noticeId)
    return {}
  }),
  route(forStaff.removeNotices, sendsLater, async ({ db, viewer, input, client }) => {
    await announce.setRemoved(db, viewer, client, input, true)
    return {}
  }),
  route(forStaff.restoreNotices, sendsLater, async ({ db, viewer, input, client }) => {
    await announce.setRemoved(db, viewer, client, input, false)
    return {}
  }),
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
