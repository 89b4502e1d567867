import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import * as posts from '#post/server/post.ts'
import { AdoptionStands, OwnAnswer } from '#question/contract.ts'
import { lockOwn } from '#question/server/own.ts'

const changesWithinMs = 24 * 3_600_000

type Adoption = { comment_id: string; adopted_at: Date; staff_id: string | null }

/** The asker says which answer solved the question, or that none did; for a day after they said it first. */
export async function adopt(tx: Db, member: Member, questionId: string, commentId: string | null): Promise<void> {
  const thread = await lockOwn(tx, member, questionId)
  const before = await adoptionOf(tx, questionId)
  if ((before?.comment_id ?? null) === commentId) return
  if (before && !mayChange(before)) throw AdoptionStands()
  if (commentId === null) return posts.unadopt(tx, thread)
  // The thread is locked, and with it whatever takes an answer off its page.
  const answer = await tx
    .selectFrom('comment')
    .select(['id', 'author_id as authorId'])
    .where('id', '=', commentId)
    .where('topic_id', '=', questionId)
    .where('status', '=', 'published')
    .forUpdate()
    .executeTakeFirst()
  if (!answer) throw Missing()
  if (answer.authorId === member.id) throw OwnAnswer()
  await posts.adopt(tx, thread, answer)
}

export function adoptionOf(db: Db, questionId: string): Promise<Adoption | undefined> {
  return db.selectFrom('adoption').select(['comment_id', 'adopted_at', 'staff_id']).where('topic_id', '=', questionId).executeTakeFirst()
}

/** Whether the asker may still change their mind. */
export function mayChange({ adopted_at, staff_id }: Adoption): boolean {
  return staff_id === null && Date.now() - adopted_at.getTime() < changesWithinMs
}
