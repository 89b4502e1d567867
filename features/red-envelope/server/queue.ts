import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { Refusal } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { perProgram } from '#base/server/program.ts'
import { Semaphore } from '#base/server/semaphore.ts'
import { EnvelopeEmpty } from '#red-envelope/contract.ts'
import { findForEach, mustBeSeenBy, mustMeet, nothingLeft } from '#red-envelope/server/claim.ts'
import { payClaimsOf } from '#red-envelope/server/pay.ts'

// More at once would only wait for each other's locks and exhaust the connection pool.
const atOnce = 8
const longestMs = 10_000

type Batch = { memberIds: string[]; found: ReturnType<typeof findForEach> }

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
export async function queued(db: Db, member: Member, envelopeId: string, claim: () => Promise<string>): Promise<string> {
  const { turns, empty } = queueOf(db)
  const turn = turns.get(envelopeId) ?? new Semaphore(atOnce, longestMs)
  turns.set(envelopeId, turn)
  const run = () => committed(db, envelopeId, claim)
  const answer = await turn.run(async () => (empty.has(envelopeId) ? null : run()), run)
  if (answer !== null) return answer
  const found = await mustBeSeenBy(db, member, await findTogether(db, envelopeId, member.id))
  if (found.hasFree) empty.delete(envelopeId)
  if (found.hasFree || found.mine !== null) return run()
  await mustMeet(db, found)
  throw nothingLeft()
}

/** Claims, and notes what came of it once that is committed. */
async function committed(db: Db, envelopeId: string, claim: () => Promise<string>): Promise<string> {
  try {
    const answer = await claim()
    payClaimsOf(db, envelopeId)
    return answer
  } catch (error) {
    if (error instanceof Refusal && error.kind.code === EnvelopeEmpty.code) queueOf(db).empty.set(envelopeId, true)
    throw error
  }
}

/** One query for all who ask for the same envelope in the same moment. */
async function findTogether(db: Db, envelopeId: string, memberId: string) {
  const batch = queueOf(db).batches.get(envelopeId) ?? begin(db, envelopeId)
  batch.memberIds.push(memberId)
  return (await batch.found).get(memberId)
}

function begin(db: Db, envelopeId: string): Batch {
  const { batches } = queueOf(db)
  const memberIds: string[] = []
  async function find() {
    await setImmediate()
    batches.delete(envelopeId)
    return findForEach(db, envelopeId, sql`member.id = any(${memberIds}::bigint[])`)
  }
  const batch = { memberIds, found: find() }
  batches.set(envelopeId, batch)
  return batch
}
