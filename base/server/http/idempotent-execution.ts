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
  /** What comes before the transaction, such as asking somebody outside. */
  ready: () => Promise<Act>
  /** The answer is a secret, and not kept. */
  isSecret: boolean
  /** What it was refused with is the answer from then on too. Otherwise what was refused leaves no key. */
  remembers: boolean
}

/**
 * Does what comes once: who sends it again within three days hears what was answered then, whatever they may do or have left by now.
 * Of those who send it at the same time to this process, one does it and the others wait.
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

/** A refusal that stands by itself: nothing was done for this request before, and nothing will be. No key keeps it, and none is looked for. */
export function withoutKey(refused: Refusal): Refusal {
  keyless.add(refused)
  return refused
}

async function doneOrAnswered(db: Db, request: IdempotentRequest, work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    // What was done already is often refused the second time: it was said or spent, or one has come too often, or may no longer.
    if (error instanceof Refusal ? keyless.has(error) : !isDuplicate(error, 'idempotency_key_pkey')) throw error
    const answer = await firstAnswer(db, request)
    if (answer === null) throw error
    return answer
  }
}

/**
 * For what is one transaction and nothing else: its key is the last word of it, so that it costs no trip. What failed leaves no key, and may be
 * tried again; what was refused leaves one where that is the answer from then on.
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

/** For what does more than one transaction: the key is claimed before any of it. */
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
    // Where this fails too, the claim runs out by itself.
    else await letGo(database.app, request, claim).catch(() => undefined)
    throw error
  }
}

// Whoever is told to log in, to prove themselves or to wait comes again with the same request.
function isForGood(error: unknown): error is Refusal {
  if (!(error instanceof Refusal) || keyless.has(error)) return false
  const { status, retryAfter } = error.kind
  return status < 500 && retryAfter === null && ![401, 428, 429].includes(status)
}
