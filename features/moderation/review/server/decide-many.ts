import * as audit from '#audit/server/audit.ts'
import type { Answer, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { forEachWithSavepoint } from '#base/server/database/with-savepoint.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { say } from '#base/server/words.ts'
import * as batch from '#batch/server/batch.ts'
import { ReasonNeeded, type decideReviews } from '#review/contract.ts'
import { bulkTargets } from '#review/server/bulk-actions.ts'
import { approve, reject } from '#review/server/decide.ts'

/** Applies one decision to several reviews, oldest first; each can fail by itself. */
export async function decideMany(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { outcome, reviews, ...reason }: ParsedInput<typeof decideReviews>,
): Promise<Answer<typeof decideReviews>> {
  if (outcome === 'reject' && !reason.reasonZh && !reason.reasonEn) throw ReasonNeeded()
  const { done, refused } = await forEachWithSavepoint(
    tx,
    reviews,
    ({ reviewId }) => reviewId,
    (one) => (outcome === 'approve' ? approve(tx, by, one) : reject(tx, by, { ...one, ...reason })),
  )
  const actions = done.map(({ result }) => result)
  const all = done.map(({ one }) => ({ id: one.reviewId, after: { version: one.version + 1 } }))
  const left = refused.map(({ one, refusal }) => ({ reviewId: one.reviewId, why: say(client.language, refusal.kind.code, refusal.values) }))
  await audit.noteAll(tx, by.staff, client, actions)
  const action = `review.${outcome}` as const
  const record = { kind: 'review', action, reason: reason.reasonZh || reason.reasonEn, count: all.length, items: all } as const
  const batchId = all.length > 0 ? await batch.recordCompleted(tx, by, client, record) : null
  return { done: all.length, left, batch: batchId === null ? null : await batch.find(tx, bulkTargets.review, batchId) }
}
