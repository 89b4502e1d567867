import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database.ts'
import { currencies, minorOf, type Currency, type EntryKind, type Minor } from '#wallet/contract.ts'

export type Account = {
  balance: Minor
  /** What was taken back although it was spent already. */
  owed: Minor
  /** What is taken for a while, and neither paid nor given back yet. */
  held: Minor
  /** What of the balance other members paid, where it is money; what of it the site gave; the rest was paid in. */
  earned: Minor
  given: Minor
}

/** What a member has in each currency. */
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
      { balance: minorOf(balance), owed: minorOf(owed), held: minorOf(held), earned: minorOf(earned), given: minorOf(given) },
    ]
  }
  return Object.fromEntries(currencies.map(accountIn)) as Record<Currency, Account>
}

export type EntryQuery = {
  /** The last one of the page before. */
  before?: string | undefined
  kinds?: readonly EntryKind[] | undefined
  from?: Date | undefined
  /** Up to this moment, and not at it. */
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
  /** What it was for the member, in full. */
  amount: Minor
  /** How much of that was owed because it was not there, or paid of what was owed: of the same sign. */
  owed: Minor
  /** What the member had after it. */
  balance: Minor
}

/** What moved a member's points or balance, newest first. */
export async function entriesOf(db: Db, memberId: string, currency: Currency, query: EntryQuery): Promise<Entry[]> {
  const { rows } = await sql<Omit<Entry, 'amount' | 'owed' | 'balance'> & { amount: string; after: string }>`
    select its.id, its.kind, source, reverses, reason, actor_kind as "actorKind", at, amount, balance_after as after
    from ledger.entry join ledger.transaction as its on its.id = transaction_id
    where account_id = (select id from ledger.account where name = 'member' and owner_id = ${memberId} and currency = ${currency})
      and balance_after is not null and ${asked(query)} order by transaction_id desc limit ${query.size}`.execute(db)
  return rows.map(({ amount, after, ...row }) => {
    const [now, before] = [BigInt(after), BigInt(after) - BigInt(amount)]
    return { ...row, amount: minorOf(amount), owed: minorOf(least(now) - least(before)), balance: minorOf(now > 0n ? now : 0n) }
  })
}

/** The debt that a balance is, below zero. */
function least(balance: bigint): bigint {
  return balance < 0n ? balance : 0n
}

function asked({ before, kinds, from, until }: EntryQuery): RawBuilder<unknown> {
  const terms = [
    ...(before ? [sql`transaction_id < ${before}`] : []),
    ...(kinds ? [sql`its.kind = any(${kinds})`] : []),
    ...(from ? [sql`its.at >= ${from}`] : []),
    ...(until ? [sql`its.at < ${until}`] : []),
  ]
  return terms.length === 0 ? sql`true` : sql.join(terms, sql` and `)
}
