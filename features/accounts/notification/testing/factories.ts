import type { Staffer } from '#staff/testing/factories.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { systemNotifyList, type NoticeView } from '#notification/contract.ts'
import { addNotice } from '#notification/staff-contract.ts'

/** Sends an announcement through the API. Returns its id. */
export async function aNotice(
  by: Staffer,
  textEn: string,
  more: { textZh?: string; sendsAt?: string; when?: 'never' } = {},
): Promise<string> {
  const when = more.when ?? (more.sendsAt ? 'later' : 'now')
  return (await by.call(addNotice, { textEn, when, ...more })).noticeId
}

/** A member's system notifications, newest first. */
export async function noticesOf(who: Pick<Visitor, 'call'>): Promise<NoticeView[]> {
  return (await who.call(systemNotifyList, {})).notices
}
