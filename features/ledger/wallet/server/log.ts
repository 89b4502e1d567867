import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { currencies, toMinor, type Currency, type EntryKind, type Minor } from '#wallet/contract.ts'

export type Account = {
  balance: Minor
  /** The amount taken back although it was already spent. */
  owed: Minor
  /** The amount in holds, neither paid nor returned yet. */
  held: Minor
  /** The parts of a money balance that other members paid, and that the site gave; the rest was paid in. */
  earned: Minor
  given: Minor
}

export async function accountsOf(db: Db, memberId: string): Promise<Record<Currency, Account>> {
  const { rows } = await sql<{ currency: Currency } & Record<keyof Account, string>>`
    select currency, greatest(balance, 0) as balance, -least(balance, 0) as owed, earned, given,
      (select coalesce(sum(its.balance), 0) from ledger.hold join ledger.account as its on its.name = 'escrow' and its.owner_id = hold.id
        where hold.owner_id = ${memberId} and state = 'open' and hold.currency = account.currency) as held
    from ledger.account where name = 'member' and owner_id = ${memberId}`.execute(db)
  const accountIn = (currency: Currency): [Currency, Account] => {
    const { balance = 0, owed = 0, held = 0, earned = 0, given = 0 } = rows.find((row) => row.currency === currency) ?? {}
    return [
      currency,
      { balance: toMinor(balance), owed: toMinor(owed), held: toMinor(held), earned: toMinor(earned), given: toMinor(given) },
    ]
  }
  return Object.fromEntries(currencies.map(accountIn)) as Record<Currency, Account>
}

export type EntryQuery = {
  /** The last entry of the previous page. */
  before?: string | undefined
  kind?: EntryKind | undefined
  from?: Date | undefined
  /** Exclusive. */
  until?: Date | undefined
  size: number
}

export type Entry = {
  /** The transaction. */
  id: string
  kind: EntryKind
  source: string
  reverses: string | null
  reason: string | null
  actorKind: 'member' | 'staff' | 'forum'
  at: Date
  /** The full amount for the member. */
  amount: Minor
  /** The part that became a debt because it was missing, or that paid a debt: of the same sign. */
  owed: Minor
  /** The member's balance after it. */
  balance: Minor
}

/** The entries of a member's account, newest first. */
export async function entriesOf(db: Db, memberId: string, currency: Currency, query: EntryQuery): Promise<Entry[]> {
  const { rows } = await sql<Omit<Entry, 'amount' | 'owed' | 'balance'> & { amount: string; after: string }>`
    select its.id, its.kind, source, reverses, reason, actor_kind as "actorKind", at, amount, balance_after as after
    from (
      select transaction_id, amount, balance_after from ledger.entry
      where account_id = ${accountOf(memberId, currency)} and balance_after is not null and ${await entryConditions(db, memberId, currency, query)}
      order by transaction_id desc limit ${query.size}
    ) as shown join ledger.transaction as its on its.id = transaction_id order by its.id desc`.execute(db)
  return rows.map(({ amount, after, ...row }) => {
    const [now, before] = [BigInt(after), BigInt(after) - BigInt(amount)]
    return { ...row, amount: toMinor(amount), owed: toMinor(debtIn(now) - debtIn(before)), balance: toMinor(now > 0n ? now : 0n) }
  })
}

export function accountOf(memberId: string, currency: Currency): RawBuilder<unknown> {
  return sql`(select id from ledger.account where name = 'member' and owner_id = ${memberId} and label = '' and currency = ${currency})`
}

/** The debt in a balance, below zero. */
function debtIn(balance: bigint): bigint {
  return balance < 0n ? balance : 0n
}

async function entryConditions(
  db: Db,
  memberId: string,
  currency: Currency,
  { before, kind, ...during }: EntryQuery,
): Promise<RawBuilder<unknown>> {
  const terms = [
    sql`true`,
    ...(before ? [sql`transaction_id < ${before}`] : []),
    ...(kind ? [sql`entry.kind = ${kind}`] : []),
    ...inPeriod(await boundsOf(db, during), sql`transaction_id`, accountOf(memberId, currency)),
  ]
  return sql.join(terms, sql` and `)
}

type Period = Pick<EntryQuery, 'from' | 'until'>

// Ids rise with the times of transactions, except for concurrent ones or while a clock is set back: by less than this.
const margin = sql`interval '10 minutes'`

type Bounds = Period & { /** The ids around all transactions of that time. */ after: string | null; before: string | null }

/** The ids between which the transactions of a time lie. Queried before a list: the planner can estimate only with known ids. */
export async function boundsOf(db: Db, { from, until }: Period): Promise<Bounds> {
  if (!from && !until) return { after: null, before: null }
  const { rows } = await sql<{ after: string | null; before: string | null }>`
    select (select id from ledger.transaction where at < ${from ?? null}::timestamptz - ${margin} order by at desc limit 1) as after,
      (select id from ledger.transaction where at > ${until ?? null}::timestamptz + ${margin} order by at limit 1) as before`.execute(db)
  const { after = null, before = null } = rows[0] ?? {}
  return { from, until, after, before }
}

/**
 * Transactions of a time, found by their ids in an index that is ordered by these; their times are filtered in addition. Together with
 * its account, an id matches the index that begins with the account, not the one that begins with the transaction, which has all
 * transactions of that time.
 */
export function inPeriod(
  { from, until, after, before }: Bounds,
  id: RawBuilder<unknown>,
  account?: RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  const key = account ? sql`(account_id, ${id})` : id
  const keyOf = (number: string) => (account ? sql`(${account}, ${number}::bigint)` : sql`${number}`)
  const moments = [...(from ? [sql`at >= ${from}`] : []), ...(until ? [sql`at < ${until}`] : [])]
  return [
    ...(after ? [sql`${key} > ${keyOf(after)}`] : []),
    ...(before ? [sql`${key} < ${keyOf(before)}`] : []),
    // No plan begins with these: a busy time has more transactions than most members have entries.
    ...(moments.length > 0 ? [sql`(select ${sql.join(moments, sql` and `)} from ledger.transaction as dated where dated.id = ${id})`] : []),
  ]
}
