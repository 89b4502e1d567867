import { sql } from 'kysely'
import { Refusal } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'

type Outcome<One, Done> = { done: { one: One; result: Done }[]; refused: { one: One; refusal: Refusal }[] }

/**
 * Runs `work` for each item in a savepoint of its own: a refused item is left unchanged and reported. Items are deduplicated and sorted by
 * id, so that two runs over the same rows wait for one another without a deadlock.
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

/** The result, or the refusal after a rollback to the savepoint. */
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
