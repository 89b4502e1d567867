import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import { ClosedByStaff } from '#question/contract.ts'
import { lockOwn } from '#question/server/own.ts'
import * as topics from '#topic/server/topic.ts'

/** The asker closes a question for answers, or opens it again where it was they who closed it. */
export async function close(tx: Db, member: Member, questionId: string, isClosed: boolean): Promise<void> {
  const thread = await lockOwn(tx, member, questionId)
  if (thread.takesComments !== isClosed) return
  if (!isClosed && !(await isClosedBy(tx, questionId, member.id))) throw ClosedByStaff()
  await topics.keepOrder(tx, thread, { takesComments: !isClosed, closedBy: isClosed ? member.id : null })
}

/** Whether it was this member who closed the question, and not staff. */
export async function isClosedBy(db: Db, questionId: string, memberId: string): Promise<boolean> {
  const { closed_by } = await db.selectFrom('topic').select('closed_by').where('id', '=', questionId).executeTakeFirstOrThrow()
  return closed_by === memberId
}
