import { Refusal } from '#base/contract.ts'
import { isDuplicate, transact, type Database, type Db } from '#base/server/database/database.ts'
import {
  begin,
  belongsTo,
  finish,
  firstAnswer,
  hold,
  letGo,
  note,
  noteRefused,
  remember,
  StillRunning,
  type IdempotentRequest,
} from '#base/server/http/idempotency.ts'

type Act = (tx: Db) => Promise<string>
type IdempotentWork = {
  request: IdempotentRequest
  /** Work before the transaction, such as a call to another service. */
  ready: () => Promise<Act>
  /** The answer is a secret and is not stored. */
  isSecret: boolean
  /** A refusal is stored as the answer to repeated requests. Otherwise a refused request leaves no key. */
  remembers: boolean
}

/**
 * Runs a request once: a repetition within three days gets the stored answer, even if the caller's rights have changed since. Concurrent
 * repetitions in this process wait for the first.
 */
export function singleFlight(db: Db): (request: IdempotentRequest, work: () => Promise<string>) => Promise<string> {
  const underWay = new Map<string, Promise<string>>()

  return async (request, work) => {
    const name = `${request.asker} ${request.key}`
    for (let before = underWay.get(name); before; before = underWay.get(name)) {
      await before.catch(() => undefined)
      const first = await firstAnswer(db, request)
      if (first !== null) return first
    }
    const doing = doneOrAnswered(db, request, work)
    underWay.set(name, doing)
    return doing.finally(() => underWay.delete(name))
  }
}

const keyless = new WeakSet<Refusal>()

/** Marks a refusal as independent of the key: the request did nothing and never will, so the key is neither stored nor looked up. */
export function withoutKey(refused: Refusal): Refusal {
  keyless.add(refused)
  return refused
}

async function doneOrAnswered(db: Db, request: IdempotentRequest, work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    // A repetition of finished work is often refused as a duplicate, as spent, too frequent or no longer allowed; the stored answer is the
    // right one.
    if (error instanceof Refusal ? keyless.has(error) : !isDuplicate(error, 'idempotency_key_pkey')) throw error
    const answer = await firstAnswer(db, request)
    if (answer === null) throw error
    return answer
  }
}

/**
 * Runs work that is a single transaction: the key is its last statement, so it costs no round trip. Failed work leaves no key and can be
 * retried; refused work leaves one if `remembers` is set.
 */
export async function runWithKey(database: Database, { request, ready, isSecret, remembers }: IdempotentWork): Promise<string> {
  await request.hash()
  const act = await ready()
  async function work(tx: Db): Promise<string> {
    belongsTo(tx, request)
    const given = await act(tx)
    await note(tx, request, isSecret ? null : given)
    return given
  }
  try {
    return await transact(database, work, { harmless: true })
  } catch (error) {
    if (remembers && isForGood(error)) await noteRefused(database.app, request, error)
    throw error
  }
}

/** Runs work with effects beyond one transaction: the key is claimed first, under a lease. */
export async function runWithLease(database: Database, { request, ready, isSecret, remembers }: IdempotentWork): Promise<string> {
  const claim = await begin(database.app, request)
  if (claim === null) throw StillRunning({ seconds: 1 })
  try {
    const act = await ready()
    return await transact(database, work, { harmless: true })

    async function work(tx: Db): Promise<string> {
      belongsTo(tx, request)
      await hold(tx, request, claim as string)
      const given = await act(tx)
      await finish(tx, request, isSecret ? null : given)
      return given
    }
  } catch (error) {
    if (remembers && isForGood(error)) await remember(database.app, request, claim, error)
    // If this fails too, the lease expires by itself.
    else await letGo(database.app, request, claim).catch(() => undefined)
    throw error
  }
}

// A request refused for login, proof or rate is sent again unchanged.
function isForGood(error: unknown): error is Refusal {
  if (!(error instanceof Refusal) || keyless.has(error)) return false
  const { status, retryAfter } = error.kind
  return status < 500 && retryAfter === null && ![401, 428, 429].includes(status)
}
