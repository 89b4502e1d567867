import { Refusal } from '#base/contract.ts'
import { withCallDeadline } from '#base/server/call-deadline.ts'
import { renewWhile } from '#base/server/renewal.ts'
import { isDuplicate, transact, type Database, type Db } from '#base/server/database/database.ts'
import {
  claimKey,
  bindKey,
  storeClaimedAnswer,
  storedAnswer,
  lockClaim,
  renewClaim,
  renewalMs,
  releaseClaim,
  storeAnswer,
  storeRefusal,
  storeClaimedRefusal,
  StillRunning,
  type IdempotentRequest,
} from '#base/server/http/idempotency.ts'

// The person waits for the answer already.
const releaseWaitMs = 1_000

type TransactionWork = (tx: Db) => Promise<string>
type IdempotentWork = {
  request: IdempotentRequest
  /** Work before the transaction, such as a call to another service. */
  ready: () => Promise<TransactionWork>
  /** The answer is a secret and is not stored. */
  isSecret: boolean
  /** A refusal is stored as the answer to repeated requests. Otherwise a refused request leaves no key. */
  storesRefusals: boolean
}

/**
 * Runs a request once: a repetition within three days gets the stored answer, even if the caller's rights have changed since. Concurrent
 * repetitions in this process wait for the first.
 */
export function singleFlight(db: Db): (request: IdempotentRequest, work: () => Promise<string>) => Promise<string> {
  const inFlight = new Map<string, Promise<string>>()

  return async (request, work) => {
    const name = `${request.owner} ${request.key}`
    for (let before = inFlight.get(name); before; before = inFlight.get(name)) {
      await before.catch(() => undefined)
      const first = await storedAnswer(db, request)
      if (first !== null) return first
    }
    const doing = runOrReplay(db, request, work)
    inFlight.set(name, doing)
    return doing.finally(() => inFlight.delete(name))
  }
}

const keyless = new WeakSet<Refusal>()

/** Marks a refusal as independent of the key: the request did nothing and never will, so the key is neither stored nor looked up. */
export function withoutKey(refused: Refusal): Refusal {
  keyless.add(refused)
  return refused
}

async function runOrReplay(db: Db, request: IdempotentRequest, work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    // A repetition of finished work is often refused as a duplicate, as spent, too frequent or no longer allowed; the stored answer is the
    // right one.
    if (error instanceof Refusal ? keyless.has(error) : !isDuplicate(error, 'idempotency_key_pkey')) throw error
    const answer = await storedAnswer(db, request)
    if (answer === null) throw error
    return answer
  }
}

/**
 * Runs work that is a single transaction: the key is its last statement, so it costs no round trip. Failed work leaves no key and can be
 * retried; refused work leaves one if `remembers` is set.
 */
export async function runWithKey(database: Database, { request, ready, isSecret, storesRefusals }: IdempotentWork): Promise<string> {
  await request.hash()
  const run = await ready()
  async function work(tx: Db): Promise<string> {
    bindKey(tx, request)
    const answer = await run(tx)
    await storeAnswer(tx, request, isSecret ? null : answer)
    return answer
  }
  try {
    return await transact(database, work, { harmless: true })
  } catch (error) {
    if (storesRefusals && isFinal(error)) await storeRefusal(database.app, request, error)
    throw error
  }
}

/** Runs work with effects beyond one transaction: the key is claimed first, under a lease. */
export async function runWithLease(database: Database, { request, ready, isSecret, storesRefusals }: IdempotentWork): Promise<string> {
  const claim = await claimKey(database.app, request)
  if (claim === null) throw StillRunning({ seconds: 1 })
  try {
    // Pictures may wait long for their turn, and other services be slow.
    const run = await renewWhile(ready, () => renewClaim(database.app, request, claim), renewalMs)
    return await transact(database, work, { harmless: true })

    async function work(tx: Db): Promise<string> {
      bindKey(tx, request)
      await lockClaim(tx, request, claim as string)
      const answer = await run(tx)
      await storeClaimedAnswer(tx, request, isSecret ? null : answer)
      return answer
    }
  } catch (error) {
    if (storesRefusals && isFinal(error)) await storeClaimedRefusal(database.app, request, claim, error)
    // If this fails too, the lease expires by itself.
    else await withCallDeadline(() => releaseClaim(database.app, request, claim), releaseWaitMs).catch(() => undefined)
    throw error
  }
}

// A request refused for login, proof or rate is sent again unchanged.
function isFinal(error: unknown): error is Refusal {
  if (!(error instanceof Refusal) || keyless.has(error)) return false
  const { status, retryAfter } = error.kind
  return status < 500 && retryAfter === null && ![401, 428, 429].includes(status)
}
