import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Refusal, type Output, type Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Staff } from '#base/server/route.ts'
import { say } from '#base/server/words.ts'
import * as batch from '#batch/server/batch.ts'
import { ReasonNeeded, type decideReviews } from '#review/contract.ts'
import { things, type Left } from '#review/server/at-once.ts'
import { approve, reject } from '#review/server/decide.ts'

/** Decides about several in one way, the oldest first; each may refuse for itself. */
export async function decideMany(
  tx: Db,
  by: Staff,
  from: From,
  { outcome, reviews, ...reason }: Taken<typeof decideReviews>,
): Promise<Output<typeof decideReviews>> {
  if (outcome === 'reject' && !reason.reasonZh && !reason.reasonEn) throw ReasonNeeded()
  const left: { reviewId: string; why: string }[] = []
  const deeds: audit.Deed[] = []
  const all: { id: string; after: Left }[] = []
  for (const one of inOrder(reviews)) {
    const done = await tryTo(tx, () => (outcome === 'approve' ? approve(tx, by, one) : reject(tx, by, { ...one, ...reason })))
    if (done instanceof Refusal) left.push({ reviewId: one.reviewId, why: say(from.language, done.kind.code, done.values) })
    else {
      deeds.push(done)
      all.push({ id: one.reviewId, after: { version: one.version + 1 } })
    }
  }
  await audit.noteAll(tx, by.staff, from, deeds)
  const deed = `review.${outcome}` as const
  const kept = { kind: 'review', deed, reason: reason.reasonZh || reason.reasonEn, count: all.length, all } as const
  const batchId = all.length > 0 ? await batch.keepDone(tx, by, from, kept) : null
  return { done: all.length, left, batch: batchId === null ? null : await batch.one(tx, things.review, batchId) }
}

/** What it refused to do has changed nothing. */
async function tryTo<Done>(tx: Db, deed: () => Promise<Done>): Promise<Done | Refusal> {
  await sql`savepoint one`.execute(tx)
  try {
    const done = await deed()
    await sql`release savepoint one`.execute(tx)
    return done
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await sql`rollback to savepoint one`.execute(tx)
    return error
  }
}

// In one order, so that two batches over the same posts wait for one another, and not in a circle.
function inOrder<One extends { reviewId: string }>(reviews: readonly One[]): One[] {
  const each = new Map(reviews.map((one) => [one.reviewId, one]))
  return [...each.values()].toSorted((one, other) => (BigInt(one.reviewId) < BigInt(other.reviewId) ? -1 : 1))
}
