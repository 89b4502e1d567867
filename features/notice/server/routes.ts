import { publishPrivateStream } from '#base/server/live/live.ts'
import { anyone, members, route, staff } from '#base/server/http/route.ts'
import * as contract from '#notice/contract.ts'
import * as forPush from '#notice/push-contract.ts'
import * as announce from '#notice/server/announce.ts'
import * as forLatest from '#notice/latest-contract.ts'
import * as inbox from '#notice/server/inbox.ts'
import { latest, markAllRead } from '#notice/server/latest.ts'
import * as forReminders from '#notice/reminder-contract.ts'
import * as push from '#notice/server/push.ts'
import { sendTest } from '#notice/server/pushing.ts'
import * as settings from '#notice/server/reminder-settings.ts'
import * as reminders from '#notice/server/reminders.ts'
import * as stopping from '#notice/server/unsubscribe.ts'
import * as forStaff from '#notice/staff-contract.ts'

const sendsLater = staff('notice.send')
// It reaches everybody, and sending cannot be undone.
const sendsNow = staff('notice.send', { proved: true })

export const routes = [
  route(contract.unreadMessageCount, members, ({ db, viewer }) => inbox.counts(db, viewer), { fromPrimary: true }),
  route(forLatest.latestNotifications, members, ({ db, viewer }) => latest(db, viewer), { fromPrimary: true }),
  route(forLatest.markAllNotifications, members, async ({ db, viewer }) => {
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
  route(forReminders.remindList, members, ({ db, viewer, input }) => reminders.list(db, viewer, input.page), { fromPrimary: true }),
  route(forReminders.markReminders, members, async ({ db, viewer, input }) => {
    await reminders.markRead(db, viewer, input.reminderIds)
    return {}
  }),
  route(forReminders.markAllReminders, members, ({ db, viewer }) => reminders.markRead(db, viewer)),
  route(forReminders.unmarkReminders, members, async ({ db, viewer, input }) => {
    await reminders.markUnread(db, viewer, input.readAt)
    return {}
  }),
  route(forReminders.deleteReminder, members, async ({ db, viewer, input }) => {
    await reminders.remove(db, viewer, input.remindId)
    return {}
  }),
  route(forReminders.reminderSettings, members, ({ db, viewer }) => settings.list(db, viewer)),
  route(forReminders.changeReminderSetting, members, async ({ db, viewer, input }) => {
    await settings.change(db, viewer, input)
    return {}
  }),
  route(forReminders.changeReminderMail, members, async ({ db, viewer, input }) => {
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
  route(forReminders.stopForm, anyone, ({ db, input }) => stopping.show(db, input.token)),
  route(forReminders.stopReminders, anyone, async ({ db, input }) => {
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
    forReminders.inboxNews,
    (memberId) => `inbox:${memberId}`,
    async (db, member) => {
      const says = await inbox.counts(db, member)
      return { id: Object.values(says).join('-'), data: says }
    },
  ),
]
