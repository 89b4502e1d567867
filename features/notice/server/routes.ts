import { members, on, staff } from '#base/server/route.ts'
import * as contract from '#notice/contract.ts'
import * as announce from '#notice/server/announce.ts'
import * as inbox from '#notice/server/inbox.ts'
import * as forStaff from '#notice/staff-contract.ts'

const sends = staff('notice.send')
// It goes to everybody, and what was read cannot be unread.
const sendsNow = staff('notice.send', { proved: true })

export const routes = [
  on(contract.unreadMessageCount, members, ({ db, viewer }) => inbox.counts(db, viewer)),
  on(contract.systemNotifyList, members, ({ db, viewer, input }) => inbox.list(db, viewer, input.page)),
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
