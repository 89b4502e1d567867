import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { ClosedByStaff } from '#question/contract.ts'
import { lockOwn } from '#question/server/own.ts'
import * as setting from '#setting/server/setting.ts'
import * as topics from '#topic/server/topic.ts'

/** Closes a question of one's own for answers, or reopens it if the asker closed it. */
export async function close(tx: Db, member: Member, questionId: string, isClosed: boolean): Promise<void> {
  const thread = await lockOwn(tx, member, questionId)
  if (thread.takesComments !== isClosed) return
  if (isClosed) await setting.mustBeOpen(tx, 'allowQuestionClosing')
  if (!isClosed && thread.closedBy !== member.id) throw ClosedByStaff()
  await topics.updateFlags(tx, thread, { takesComments: !isClosed, closedBy: isClosed ? member.id : null })
}
