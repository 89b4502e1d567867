import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { Refusal } from '#base/contract.ts'
import { longestWaitMs, TooBusy, withCallDeadline } from '#base/server/call-deadline.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { perProgram } from '#base/server/program.ts'
import { Semaphore } from '#base/server/semaphore.ts'
import { EnvelopeEmpty } from '#red-envelope/contract.ts'
import { findForEach, checkVisible, requireEligible, emptyRefusal } from '#red-envelope/server/claim.ts'
import { schedulePayment } from '#red-envelope/server/pay.ts'

// More at once would only wait for each other's locks and exhaust the connection pool.
const maxConcurrent = 8

type Batch = { memberIds: string[]; rows: ReturnType<typeof findForEach> }

const queueOf = perProgram(() => ({
  turns: new LRUCache<string, Semaphore>({ max: 1_000 }),
  /** Envelopes that a claim found empty: whether they still are is asked before the next claim is begun. */
  empty: new LRUCache<string, true>({ max: 10_000 }),
  batches: new Map<string, Batch>(),
}))

/**
 * Limits the concurrent claims of an envelope. Once it is empty, one query refuses all waiting calls, without a transaction and an
 * idempotency key for each.
 */
export async function queueClaim(db: Db, member: Member, envelopeId: string, claim: () => Promise<string>): Promise<string> {
  const { turns: semaphores, empty: emptyEnvelopes } = queueOf(db)
  const semaphore = semaphores.get(envelopeId) ?? new Semaphore(maxConcurrent, longestWaitMs)
  semaphores.set(envelopeId, semaphore)
  const run = () => claimAndRecord(db, envelopeId, claim)
  const answer = await semaphore.run(async () => (emptyEnvelopes.has(envelopeId) ? null : run()), refuseAsBusy)
  if (answer !== null) return answer
  const envelope = await checkVisible(db, member, await findBatched(db, envelopeId, member.id))
  if (envelope.hasFree) emptyEnvelopes.delete(envelopeId)
  if (envelope.hasFree || envelope.mine !== null) return run()
  await requireEligible(db, envelope)
  throw emptyRefusal()
}

async function refuseAsBusy(): Promise<never> {
  throw new TooBusy('Others were opening the envelope')
}

/** Claims, and notes what came of it once that is committed. */
async function claimAndRecord(db: Db, envelopeId: string, claim: () => Promise<string>): Promise<string> {
  try {
    const answer = await claim()
    schedulePayment(db, envelopeId)
    return answer
  } catch (error) {
    if (error instanceof Refusal && error.kind.code === EnvelopeEmpty.code) queueOf(db).empty.set(envelopeId, true)
    throw error
  }
}

/** One query for all who ask for the same envelope in the same moment. */
async function findBatched(db: Db, envelopeId: string, memberId: string) {
  const batch = queueOf(db).batches.get(envelopeId) ?? startBatch(db, envelopeId)
  batch.memberIds.push(memberId)
  return (await batch.rows).get(memberId)
}

function startBatch(db: Db, envelopeId: string): Batch {
  const { batches } = queueOf(db)
  const memberIds: string[] = []
  async function find() {
    await setImmediate()
    batches.delete(envelopeId)
    return findForEach(db, envelopeId, sql`member.id = any(${memberIds}::bigint[])`)
  }
  // Each of them has waited for a different time.
  const batch = { memberIds, rows: withCallDeadline(find) }
  batches.set(envelopeId, batch)
  return batch
}
