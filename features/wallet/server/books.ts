import { sql, type RawBuilder } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database.ts'
import { freeze } from '#wallet/server/freeze.ts'

type Things = 'ledger.transaction' | 'ledger.account' | 'ledger.hold' | 'member'

/** One rule of the books: a query of what breaks it, among those of its things whose number this column is. */
export type Check = {
  name: string
  over: Things
  breaches(among: (column: string) => RawBuilder<boolean>): RawBuilder<{ what: string }>
}

export type Breach = { check: string; what: string }

const atOnce = 5_000
const told = 20

/** Everything that breaks a rule: in all of the books, or in what moved since a moment. */
export async function breachesIn(db: Db, checks: readonly Check[], since: Date | null): Promise<Breach[]> {
  const found: Breach[] = []
  const first = since && (await firstSince(db, since))
  for (const { name, over, breaches } of checks) {
    for await (const among of first === null ? partsOf(db, over) : [movedSince(over, first)]) {
      const { rows } = await sql<{ what: string }>`select its.what::text from (${breaches(among)}) as its limit ${told}`.execute(db)
      found.push(...rows.map(({ what }) => ({ check: name, what })))
    }
  }
  return found
}

type Among = (column: string) => RawBuilder<boolean>

async function* partsOf(db: Db, things: Things): AsyncGenerator<Among> {
  const { rows } = await sql<{ last: string }>`select coalesce(max(id), 0) as last from ${sql.table(things)}`.execute(db)
  const last = Number(rows[0]?.last ?? 0)
  for (let from = 1; from <= last; from += atOnce) yield (column) => sql`${sql.ref(column)} between ${from} and ${from + atOnce - 1}`
}

async function firstSince(db: Db, since: Date): Promise<string> {
  const { rows } = await sql<{ first: string }>`select coalesce(min(id), 9000000000000000000) as first from ledger.transaction
    where at >= ${since}`.execute(db)
  return rows[0]?.first ?? '0'
}

function movedSince(things: Things, first: string): Among {
  const accounts = sql`select account_id from ledger.entry where transaction_id >= ${first} and balance_after is not null`
  const moved: Record<Things, RawBuilder<unknown>> = {
    'ledger.transaction': sql`select id from ledger.transaction where id >= ${first}`,
    'ledger.account': accounts,
    'ledger.hold': sql`select id from ledger.hold where opened_by >= ${first} or resolved_by >= ${first}`,
    member: sql`select owner_id from ledger.account where name = 'member' and id in (${accounts})`,
  }
  return (column) => sql`${sql.ref(column)} in (${moved[things]})`
}

// A transaction may be committed some time after its moment.
const lateMs = 5 * 60_000

/**
 * Looks at the books: at all of them, or at what moved since they were looked at last. A breach stops all writing to them. Gives what was found.
 */
export async function look(database: Database, checks: readonly Check[], { isFull }: { isFull: boolean }): Promise<Breach[]> {
  const { primaryReader: db } = database
  const { rows } = await sql<{ now: Date; last: Date | null }>`
    select clock_timestamp() as now, (select max(began_at) from books_check where breaches = '[]') as last`.execute(db)
  const { now = new Date(), last = null } = rows[0] ?? {}
  const breaches = await breachesIn(db, checks, isFull || last === null ? null : new Date(last.getTime() - lateMs))
  await transact(database, async (tx) => {
    const row = { began_at: now, is_full: isFull || last === null, breaches: JSON.stringify(breaches) }
    await tx.insertInto('books_check').values(row).execute()
    await sql`delete from books_check where began_at < now() - interval '3 days' and id <> (select max(id) from books_check where is_full)`.execute(
      tx,
    )
    if (breaches.length > 0) await freeze(tx, `${breaches[0]?.check}: ${breaches[0]?.what}`, null)
  })
  return breaches
}

export type BooksState = {
  frozen: { at: Date; reason: string; byStaff: string | null } | null
  /** The last look at what moved, and the last at everything. */
  looks: { at: Date; isFull: boolean; breaches: Breach[] }[]
}

export async function booksState(db: Db): Promise<BooksState> {
  const [frozen, looks] = await Promise.all([
    db
      .selectFrom('ledger.freezing')
      .leftJoin('staff', 'staff.id', 'staff_id')
      .select(['at', 'reason', 'staff.account as byStaff'])
      .where('thawed_at', 'is', null)
      .executeTakeFirst(),
    db
      .selectFrom('books_check')
      .distinctOn('is_full')
      .select(['began_at', 'is_full', 'breaches'])
      .orderBy('is_full')
      .orderBy('id', 'desc')
      .execute(),
  ])
  return {
    frozen: frozen ?? null,
    looks: looks.map(({ began_at: at, is_full: isFull, breaches }) => ({ at, isFull, breaches: breaches as Breach[] })),
  }
}
