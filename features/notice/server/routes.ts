import { tellEach } from '#base/server/live.ts'
import { anyone, members, on, staff } from '#base/server/route.ts'
import * as contract from '#notice/contract.ts'
import * as forPush from '#notice/push-contract.ts'
import * as announce from '#notice/server/announce.ts'
import * as forLatest from '#notice/latest-contract.ts'
import * as inbox from '#notice/server/inbox.ts'
import { latest, markAllRead } from '#notice/server/latest.ts'
import * as forReminders from '#notice/reminder-contract.ts'
import * as push from '#notice/server/push.ts'
import { tryHere } from '#notice/server/pushing.ts'
import * as settings from '#notice/server/reminder-settings.ts'
import * as reminders from '#notice/server/reminders.ts'
import * as stopping from '#notice/server/stop.ts'
import * as forStaff from '#notice/staff-contract.ts'

const sends = staff('notice.send')
// It goes to everybody, and what was read cannot be unread.
const sendsNow = staff('notice.send', { proved: true })

export const routes = [
  on(contract.unreadMessageCount, members, ({ db, viewer }) => inbox.counts(db, viewer), { fromPrimary: true }),
  on(forLatest.latestNotifications, members, ({ db, viewer }) => latest(db, viewer), { fromPrimary: true }),
  on(forLatest.markAllNotifications, members, async ({ db, viewer }) => {
    await markAllRead(db, viewer)
    return {}
  }),
  on(contract.systemNotifyList, members, ({ db, viewer, input }) => inbox.list(db, viewer, input.page), { fromPrimary: true }),
  on(contract.markRead, members, async ({ db, viewer, input }) => {
    await inbox.markRead(db, viewer, input.noticeIds)
    return {}
  }),
  on(contract.markAllRead, members, async ({ db, viewer }) => {
    await inbox.markRead(db, viewer)
    return {}
  }),
  on(contract.deleteNotice, members, async ({ db, viewer, input }) => {
    await inbox.remove(db, viewer, input.noticeId)
    return {}
  }),
  on(forReminders.remindList, members, ({ db, viewer, input }) => reminders.list(db, viewer, input.page), { fromPrimary: true }),
  on(forReminders.markReminders, members, async ({ db, viewer, input }) => {
    await reminders.markRead(db, viewer, input.reminderIds)
    return {}
  }),
  on(forReminders.markAllReminders, members, ({ db, viewer }) => reminders.markRead(db, viewer)),
  on(forReminders.unmarkReminders, members, async ({ db, viewer, input }) => {
    await reminders.markUnread(db, viewer, input.readAt)
    return {}
  }),
  on(forReminders.deleteReminder, members, async ({ db, viewer, input }) => {
    await reminders.remove(db, viewer, input.remindId)
    return {}
  }),
  on(forReminders.reminderSettings, members, ({ db, viewer }) => settings.list(db, viewer)),
  on(forReminders.changeReminderSetting, members, async ({ db, viewer, input }) => {
    await settings.change(db, viewer, input)
    return {}
  }),
  on(forReminders.changeReminderMail, members, async ({ db, viewer, input }) => {
    await settings.changeMail(db, viewer, input)
    return {}
  }),
  on(
    forPush.subscribePush,
    members,
    async ({ db, viewer, input, from }) => {
      await push.subscribe(db, viewer, input, from.userAgent)
      return {}
    },
    { limits: [{ times: 30, seconds: 3_600, by: 'member' }] },
  ),
  on(forPush.endPush, members, async ({ db, viewer, input }) => {
    await push.end(db, viewer, input.browserId)
    return {}
  }),
  on(forPush.changePush, members, async ({ db, viewer, input }) => {
    await push.change(db, viewer, input.quiet)
    return {}
  }),
  on(forPush.tryPush, members, async () => ({}), {
    prepare: ({ db, viewer, apart, from }) => tryHere(db, viewer, { apart, language: from.language }),
    limits: [{ times: 10, seconds: 600, by: 'member' }],
  }),
  on(forReminders.stopForm, anyone, ({ db, input }) => stopping.look(db, input.token)),
  on(forReminders.stopReminders, anyone, async ({ db, input }) => {
    await stopping.stop(db, input)
    return {}
  }),
  on(forStaff.noticeList, sends, ({ db, input }) => announce.list(db, input)),
  on(forStaff.noticeSource, sends, ({ db, input }) => announce.source(db, input.noticeId)),
  on(forStaff.previewNotice, sends, ({ input }) => announce.preview(input)),
  on(forStaff.addNotice, sendsNow, ({ db, viewer, input, from }) => announce.add(db, viewer.staff, from, input)),
  on(forStaff.editNotice, sendsNow, async ({ db, viewer, input, from }) => {
    await announce.edit(db, viewer.staff, from, input)
    return {}
  }),
  on(forStaff.withdrawNotice, sends, async ({ db, viewer, input, from }) => {
    await announce.withdraw(db, viewer.staff, from, input.noticeId)
    return {}
  }),
  on(forStaff.removeNotices, sends, async ({ db, viewer, input, from }) => {
    await announce.turn(db, viewer, from, input, true)
    return {}
  }),
  on(forStaff.restoreNotices, sends, async ({ db, viewer, input, from }) => {
    await announce.turn(db, viewer, from, input, false)
    return {}
  }),
]

/** What one may listen to: how much one has not read. */
export const news = [
  tellEach(
    forReminders.inboxNews,
    (memberId) => `inbox:${memberId}`,
    async (db, member) => {
      const says = await inbox.counts(db, member)
      return { id: Object.values(says).join('-'), says }
    },
  ),
]
