import { sql } from 'kysely'
import { Refusal } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'

type Outcome<One, Done> = { done: { one: One; result: Done }[]; refused: { one: One; refusal: Refusal }[] }

/**
 * Does it to each by itself: what refuses is left as it was, and told. Each comes once and in the order of its id, so that two who do so to
 * the same wait for one another, and not in a circle.
 */
export async function forEachWithSavepoint<One, Done>(
  tx: Db,
  all: readonly One[],
  idOf: (one: One) => string,
  work: (one: One) => Promise<Done>,
): Promise<Outcome<One, Done>> {
  const each = new Map(all.map((one) => [BigInt(idOf(one)), one]))
  const outcome: Outcome<One, Done> = { done: [], refused: [] }
  for (const [, one] of [...each].toSorted(([id], [other]) => (id < other ? -1 : 1))) {
    const result = await withSavepoint(tx, () => work(one))
    if (result instanceof Refusal) outcome.refused.push({ one, refusal: result })
    else outcome.done.push({ one, result })
  }
  return outcome
}

/** What it gives, or its refusal: then it has changed nothing. */
export async function withSavepoint<Done>(tx: Db, work: () => Promise<Done>): Promise<Done | Refusal> {
  await sql`savepoint one`.execute(tx)
  try {
    const done = await work()
    await sql`release savepoint one`.execute(tx)
    return done
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await sql`rollback to savepoint one`.execute(tx)
    return error
  }
}
