import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member, Viewer } from '#base/server/http/route.ts'
import * as posts from '#post/server/post.ts'
import { AskerOnly } from '#question/contract.ts'

/** A published question that this viewer may see, or a pending one of their own. */
export async function findQuestion(db: Db, viewer: Viewer, questionId: string): Promise<posts.Thread> {
  const thread = await posts.findOwnThread(db, viewer, questionId)
  if (thread.kind !== 'question') throw Missing()
  return thread
}

/** Locks a published question of this member, withdrawn or not as required. */
export async function lockOwn(tx: Db, member: Member, questionId: string, { isWithdrawn = false } = {}): Promise<posts.Thread> {
  const thread = await posts.lockThread(tx, member, questionId)
  if (thread.kind !== 'question' || thread.status !== 'published' || thread.isWithdrawn !== isWithdrawn) throw Missing()
  if (thread.authorId !== member.id) throw AskerOnly()
  return thread
}
