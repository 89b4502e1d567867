import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { Measure } from '#collusion/contract.ts'
import { candidatesAmong } from '#collusion/server/candidates.ts'
import { countLikes } from '#collusion/server/count-likes.ts'
import { countPayments } from '#collusion/server/count-payments.ts'
import { storeHints } from '#collusion/server/store-hints.ts'
import { firstDay } from '#collusion/server/period.ts'
import type { Piece } from '#collusion/server/piece.ts'

const lateSeconds = 300

type Source = { measures: readonly Measure[]; count: (tx: Db, settledSeconds: number) => Promise<Piece> }

const sources: readonly Source[] = [
  { measures: ['points', 'cny'], count: countPayments },
  { measures: ['likes'], count: countLikes },
]

/**
 * Searches payments and likes since the last search for hints, a few hundred in each transaction, so that a stopped search goes on where it was.
 * Payments and likes count once they are settled: a transaction may be committed some time after its moment.
 */
export async function find(database: Database, settledSeconds = lateSeconds): Promise<void> {
  await transact(database, purge)
  for (const source of sources) while (await transact(database, (tx) => findNext(tx, source, settledSeconds)));
}

async function findNext(tx: Db, { measures, count }: Source, settledSeconds: number): Promise<boolean> {
  // Each piece looks up few rows by index; planned by statistics, a table that grows this fast would be read as a whole.
  await sql`select set_config(name, 'off', true) from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) as name`.execute(
    tx,
  )
  const { givers, isMore } = await count(tx, settledSeconds)
  await storeHints(tx, await candidatesAmong(tx, givers, measures))
  return isMore
}

/** Removes flows before the period of hints, and hints about members who were erased or merged. */
async function purge(tx: Db): Promise<void> {
  await sql`delete from collusion_flow where day <= ${firstDay}`.execute(tx)
  await sql`delete from collusion_hint where exists (
    select from member where id = any(collusion_hint.members) and (deactivated_as = 'erased' or merged_into is not null))`.execute(tx)
}
