import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { PaidStays, type SplitPart as PartSent, SplitWrong } from '#bounty/contract.ts'
import * as bounty from '#bounty/server/bounty.ts'
import type { z } from 'zod'
import * as posts from '#post/server/post.ts'
import { AdoptionStands, OwnAnswer } from '#question/contract.ts'
import { lockOwn } from '#question/server/own.ts'
import { toMinor } from '#wallet/contract.ts'

const changesWithinMs = 24 * 3_600_000

const zero = toMinor(0)

type SplitShare = z.infer<typeof PartSent>
type Adoption = { comment_id: string; adopted_at: Date; staff_id: string | null }

/** Accepts an answer for the asker, or ends that; possible for a day after the first time. */
export async function adopt(
  tx: Db,
  member: Member,
  questionId: string,
  commentId: string | null,
  { split = [], isExpected = false }: { split?: readonly SplitShare[]; /** The bounty for it was shown. */ isExpected?: boolean } = {},
): Promise<void> {
  const thread = await lockOwn(tx, member, questionId)
  const before = await adoptionOf(tx, questionId)
  if ((before?.comment_id ?? null) === commentId) return
  if (before && !mayChangeAdoption(before)) throw AdoptionStands()
  if (before && (await bounty.isPaid(tx, questionId))) throw PaidStays()
  if (commentId === null) return posts.unadopt(tx, thread)
  const answer = await lockAnswer(tx, thread, commentId)
  await posts.adopt(tx, thread, answer)
  await bounty.payAdopted(tx, thread, answer, { others: await sharesOf(tx, thread, answer, split), isExpected })
}

/** A published answer by another member, locked. The thread is locked, and with it every removal of an answer. */
async function lockAnswer(tx: Db, thread: posts.Thread, commentId: string): Promise<{ id: string; authorId: string }> {
  const answer = await tx
    .selectFrom('comment')
    .select(['id', 'author_id as authorId'])
    .where('id', '=', commentId)
    .where('topic_id', '=', thread.id)
    .where('status', '=', 'published')
    .forUpdate()
    .executeTakeFirst()
  if (!answer) throw Missing()
  if (answer.authorId === thread.authorId) throw OwnAnswer()
  return answer
}

/** The shares of other answers, each at most once. */
async function sharesOf(tx: Db, thread: posts.Thread, { id }: { id: string }, split: readonly SplitShare[]): Promise<bounty.Payout[]> {
  if (new Set([id, ...split.map(({ commentId }) => commentId)]).size <= split.length) throw SplitWrong()
  const parts: bounty.Payout[] = []
  for (const { commentId, bountyPoints = zero, bountyCash = zero } of split) {
    const { authorId } = await lockAnswer(tx, thread, commentId)
    parts.push({ commentId, memberId: authorId, points: bountyPoints, cents: bountyCash })
  }
  return parts
}

export function adoptionOf(db: Db, questionId: string): Promise<Adoption | undefined> {
  return db.selectFrom('adoption').select(['comment_id', 'adopted_at', 'staff_id']).where('topic_id', '=', questionId).executeTakeFirst()
}

/** Whether the asker may still change the accepted answer. */
export function mayChangeAdoption({ adopted_at, staff_id }: Adoption): boolean {
  return staff_id === null && Date.now() - adopted_at.getTime() < changesWithinMs
}
