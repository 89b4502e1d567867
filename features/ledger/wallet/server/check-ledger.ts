import { sql } from 'kysely'
import { setTimeout } from 'node:timers/promises'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import * as setting from '#setting/server/setting.ts'
import { freeze } from '#wallet/server/freeze.ts'
import {
  breachesInPiece,
  breachesOver,
  breachesInNew,
  memberTables,
  transactionTables,
  frequentChecks,
  type Breach,
  type Check,
} from '#wallet/server/breaches.ts'
import { pieceAfter, rowsOf, tables, type CheckedTable } from '#wallet/server/pieces.ts'
import { sealTransactions } from '#wallet/server/seal.ts'

const maxBreaches = 200

type Limit = { /** Stops between two pieces after this many milliseconds. */ longestMs?: number }

/** Checks the ledger: new transactions, or everything from the beginning. A breach freezes the ledger. Returns the breaches. */
export async function checkLedger(
  database: Database,
  checks: readonly Check[],
  { isFull, ...limit }: { isFull: boolean } & Limit,
): Promise<Breach[]> {
  const long = database.longRunning
  if (!isFull) return checkNew(long, checks, limit)
  const { id } = await startCheck(long, { is_full: true, ...firstPosition })
  return runRound(long, checks, { id, ...limit })
}

function startCheck({ app }: Database, row: { is_full: boolean; at_id: string; at_table?: string }): Promise<{ id: string }> {
  return app.insertInto('books_check').values(row).returning('id').executeTakeFirstOrThrow()
}

type CheckRun = Limit & { id: string }

/**
 * Checks each new transaction and adds it to the sums; then the accounts and members that they moved, against the sums and the few
 * entries not summed up yet.
 */
async function checkNew(database: Database, checks: readonly Check[], { longestMs = Infinity }: Limit): Promise<Breach[]> {
  const { primaryReader: db } = database
  const until = performance.now() + longestMs
  const { timeZone } = await setting.all(db)
  const { newest, isSettled } = await newestIn(db)
  const first = await firstUnverified(db)
  const summed = await lastSummed(database, timeZone)
  const { id } = await startCheck(database, { is_full: false, at_id: first })
  const found = await breachesOver(db, frequentChecks(checks), 'database', rowsOf({ table: 'database', first: '1', last: '1' }))
  const passes = [
    { from: summed, over: transactionTables, isSumming: isSettled },
    { from: first, over: memberTables, isSumming: false },
  ]
  for (const { from, over, isSumming } of passes) {
    for (let at = from; found.length === 0 && BigInt(at) < BigInt(newest);) {
      if (performance.now() >= until) return found
      const piece = await pieceAfter(db, 'ledger.transaction', at, newest)
      if (!piece) break
      found.push(...(await breachesInNew(db, checks, piece, over)))
      at = piece.last
      if (isSumming && found.length === 0) await sumUp(database, at, timeZone)
    }
  }
  await transact(database, async (tx) => {
    await saveBreaches(tx, id, found)
    await finishCheck(tx, id)
  })
  return found
}

/**
 * The start of the first check since the last successful one; without unfinished checks, the end of the sums. Sums that restart do not
 * reset this: a large forum would never catch up.
 */
async function firstUnverified(db: Db): Promise<string> {
  const { rows } = await sql<{ first: string }>`
    select coalesce(min(at_id), (select upto from ledger.summed), 0) as first from books_check where not is_full
      and id > coalesce((select max(id) from books_check where not is_full and ended_at is not null and breaches = '[]'), 0)`.execute(db)
  return rows[0]?.first ?? '0'
}

const settleMs = 1_000
const settleStepMs = 50

/**
 * The newest committed transaction, and whether no earlier one is still uncommitted. An id is drawn under locks of its accounts, so
 * earlier ids belong to transactions that are running now; they have ended once all transactions of this snapshot have.
 */
async function newestIn(db: Db): Promise<{ newest: string; isSettled: boolean }> {
  const { rows } = await sql<{ newest: string; next: string }>`
    select coalesce(max(id), 0) as newest, pg_snapshot_xmax(pg_current_snapshot())::text as next from ledger.transaction`.execute(db)
  const { newest = '0', next = '0' } = rows[0] ?? {}
  for (let waited = 0; ; waited += settleStepMs) {
    const { rows: ended } = await sql`select where pg_snapshot_xmin(pg_current_snapshot()) >= ${next}::xid8`.execute(db)
    if (ended.length > 0 || waited >= settleMs) return { newest, isSettled: ended.length > 0 }
    await setTimeout(settleStepMs)
  }
}

/** The last transaction in the sums, which restart after a change of the time zone. */
async function lastSummed(database: Database, timeZone: string): Promise<string> {
  const summed = () => database.primaryReader.selectFrom('ledger.summed').select(['upto', 'zone']).executeTakeFirst()
  const row = await summed()
  if (row?.zone === timeZone) return row.upto
  await sumUp(database, '0', timeZone)
  return (await summed())?.upto ?? '0'
}

async function sumUp(database: Database, upto: string, timeZone: string): Promise<void> {
  await transact(database, async (tx) => {
    await sql`select ledger.sum_months(${upto}, ${timeZone})`.execute(tx)
    await sealTransactions(tx, upto)
  })
}

type CheckPosition = { at_table: string; at_id: string }
const firstPosition: CheckPosition = { at_table: tables[0], at_id: '0' }
const roundIntervalHours = 12

/** Continues the unfinished full round, or begins one if the last is half a day old. */
export async function continueRound(database: Database, checks: readonly Check[], limit: Limit): Promise<Breach[]> {
  const { app } = database
  const open = await app
    .selectFrom('books_check')
    .select('id')
    .where('is_full', '=', true)
    .where('ended_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (open) return runRound(database.longRunning, checks, { id: open.id, ...limit })
  const { rows } =
    await sql`select from books_check where is_full and began_at > now() - make_interval(hours => ${roundIntervalHours})`.execute(app)
  return rows.length > 0 ? [] : checkLedger(database, checks, { isFull: true, ...limit })
}

async function runRound(database: Database, checks: readonly Check[], { id, longestMs = Infinity }: CheckRun): Promise<Breach[]> {
  const { primaryReader: db, app } = database
  const until = performance.now() + longestMs
  for (;;) {
    const row = await app.selectFrom('books_check').select(['at_table', 'at_id', 'breaches']).where('id', '=', id).executeTakeFirst()
    // A later round that ended meanwhile supersedes this one.
    if (!row) return []
    const { at_table, at_id, breaches } = row
    const table = tables.find((one) => one === at_table)
    if (!table || at_id === null || performance.now() >= until) return breaches as Breach[]
    const piece = await pieceAfter(db, table, at_id)
    const found = piece ? await breachesInPiece(db, checks, piece) : []
    await transact(database, (tx) =>
      advance(tx, id, { at_table: table, at_id }, piece ? { at_table: table, at_id: piece.last } : positionAfter(table), found),
    )
  }
}

function positionAfter(table: CheckedTable): CheckPosition | null {
  const next = tables[tables.indexOf(table) + 1]
  return next ? { at_table: next, at_id: '0' } : null
}

/**
 * Saves the breaches of a piece and the place of the next one: null at the end. Does nothing if another process completed the same piece.
 */
async function advance(tx: Db, id: string, from: CheckPosition, to: CheckPosition | null, found: readonly Breach[]): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('books_check')
    .set({ at_table: to?.at_table ?? null, at_id: to?.at_id ?? from.at_id })
    .where('id', '=', id)
    .where('at_table', '=', from.at_table)
    .where('at_id', '=', from.at_id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  await saveBreaches(tx, id, found)
  if (!to) await finishCheck(tx, id)
}

async function saveBreaches(tx: Db, id: string, found: readonly Breach[]): Promise<void> {
  const [first] = found
  if (!first) return
  await sql`update books_check set breaches = breaches || ${JSON.stringify(found)}::jsonb
    where id = ${id} and jsonb_array_length(breaches) < ${maxBreaches}`.execute(tx)
  await freeze(tx, `${first.check}: ${first.what}`, null)
}

/** Ends a check, and deletes the unfinished earlier checks of its kind. */
async function finishCheck(tx: Db, id: string): Promise<void> {
  await sql`update books_check set ended_at = clock_timestamp() where id = ${id}`.execute(tx)
  await sql`delete from books_check as old using books_check as its where its.id = ${id} and old.is_full = its.is_full and old.id < its.id
    and (old.ended_at is null or old.began_at < now() - interval '3 days')`.execute(tx)
}
