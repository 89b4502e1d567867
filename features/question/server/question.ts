import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { Staff } from '#base/server/route.ts'
import * as posts from '#post/server/post.ts'
import { AskersDay, OwnAnswer } from '#question/contract.ts'
import { adoptionOf, mayChange } from '#question/server/adopt.ts'
import { OwnCase } from '#staff/contract.ts'

export { allOf as postscriptsForStaff, wholeBody } from '#question/server/postscript.ts'
export { removePostscript, restorePostscript } from '#question/server/remove-postscript.ts'
export { tagsOf } from '#question/server/show.ts'

/** Staff say whether this answer solved its question, once the day is over in which its asker may change that. */
export async function adoptAsStaff(tx: Db, by: Staff, { id, authorId, status, thread }: posts.Post, isBest: boolean): Promise<void> {
  if (thread.kind !== 'question' || thread.status !== 'published') throw Missing()
  const before = await adoptionOf(tx, thread.id)
  if (isBest === (before?.comment_id === id)) return
  if (before && mayChange(before)) throw AskersDay()
  if (!isBest) return posts.unadopt(tx, thread)
  if (status !== 'published') throw Missing()
  if (authorId === thread.authorId) throw OwnAnswer()
  if (authorId === by.id) throw OwnCase()
  await posts.adopt(tx, thread, { id, authorId }, { staffId: by.staff.id })
}
