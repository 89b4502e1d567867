import { sql, type RawBuilder } from 'kysely'
import pg from 'pg'
import { refusedBy, type Db } from '#base/server/database/database.ts'
import { keyOf } from '#base/server/http/idempotency.ts'
import {
  BooksFrozen,
  HoldResolved,
  MemberOwesBalance,
  MemberOwesPoints,
  MemberShortOfBalance,
  MemberShortOfPoints,
  minorOf,
  NotEnoughBalance,
  NotEnoughPoints,
  OwesBalance,
  OwesPoints,
  TooMuchHeld,
  yuanIn,
  type Currency,
  type EntryKind,
  type Minor,
} from '#wallet/contract.ts'
import { refuseAboveCaps } from '#wallet/server/spending-cap.ts'

/** Who moves it. */
export type Actor = { kind: 'member' | 'staff'; id: string } | { kind: 'forum' }

/** Why it is moved: of each kind and source there is one transaction, for ever. */
export type Cause = {
  kind: EntryKind
  /** What it is for, by kind and id: `part:42:7`. */
  source: string
  by: Actor
  reason?: string | undefined
  /** What is reversed together with it. */
  group?: string | undefined
  /** The number that a payment provider knows it by. */
  providerNumber?: string | undefined
}

/** The site's own accounts. */
export type ForumAccount = 'platform' | 'promotion' | 'clearing' | 'adjustment' | 'fee' | 'payout' | 'membership' | 'unclaimed'

export type Line = {
  name: 'member' | 'escrow' | ForumAccount
  /** The member; of an escrow account its hold, and none where this opens it. */
  owner?: string
  /** Which of several accounts of the site, such as that of a provider. */
  label?: string
  currency: Currency
  amount: bigint
  /** May take the account below zero. */
  owes?: boolean
  /** The site takes so many percent of it. */
  share?: number
  /** What becomes of money that comes in: `kept` is the part of what went out that others did not get. Money is `paid in` where nothing is said. */
  origin?: 'earned' | 'given' | 'kept'
  /** The same by amounts, where they are known. */
  parts?: { earned: bigint; given: bigint }
}

export type Transaction = Cause & {
  lines: readonly Line[]
  reverses?: string
  opens?: { owner: string; currency: Currency; amount: Minor }
  resolves?: { hold: string; state: 'paid' | 'returned' }
}

/** A transaction as it stands in the books. `isNew` is false where its cause was written down before, and nothing was moved now. */
export type Posted = { id: string; isNew: boolean; holdId: string | null; /** What the site took of what was sold. */ taken: bigint }

/** Writes one transaction into the books. */
export async function post(tx: Db, transaction: Transaction): Promise<Posted> {
  const [row] = await postAll(tx, [transaction])
  if (!row) throw new Error('The books answered nothing')
  return row
}

/** Writes several, whose accounts are locked together. */
export async function postAll(tx: Db, transactions: readonly Transaction[]): Promise<Posted[]> {
  await refuseAboveCaps(tx, transactions)
  const isByStaff = transactions.some(({ by }) => by.kind === 'staff')
  const { rows: posted } = await sql<Omit<Posted, 'taken'> & { taken: string }>`
    select id, is_new as "isNew", hold_id as "holdId", taken from ledger.post(${rowsOf(tx, transactions)}::json) order by place`
    .execute(tx)
    .catch((error: unknown) => worded(error, isByStaff))
  return posted.map((row) => ({ ...row, taken: BigInt(row.taken) }))
}

/**
 * Writes one transaction together with the commit, so that its accounts are locked for no trip to the database. `act` is done in the same
 * statement, and knows its `id` and what was `taken`. A refusal of the books is one of the commit. A cause that was written down meanwhile has
 * the whole deed done again, which finds it.
 */
export async function postAtCommit(tx: Db, transaction: Transaction, act: RawBuilder<unknown>): Promise<void> {
  await refuseAboveCaps(tx, [transaction])
  refusedBy(tx, (error) => worded(error, transaction.by.kind === 'staff'))
  await sql`/* with the commit */ select ${act} from ledger.post(${rowsOf(tx, [transaction], { must_be_new: true })}::json)`.execute(tx)
}

function rowsOf(tx: Db, transactions: readonly Transaction[], terms: { must_be_new?: true } = {}): string {
  const request = keyOf(tx)
  return JSON.stringify(transactions.map((one) => ({ ...rowOf(one), request, ...terms })))
}

function rowOf({ kind, source, by, reason, group, providerNumber, lines, reverses, opens, resolves }: Transaction) {
  return {
    kind,
    source,
    actor_kind: by.kind,
    actor_id: by.kind === 'forum' ? null : by.id,
    reason,
    group_name: group,
    provider_number: providerNumber,
    reverses,
    earns: lines.some(({ name, currency }) => currency === 'points' && (name === 'promotion' || name === 'adjustment')),
    opens: opens && { ...opens, amount: String(opens.amount) },
    resolves,
    lines: lines.flatMap(({ amount, parts, origin, ...line }) =>
      amount === 0n
        ? []
        : {
            ...line,
            amount: String(amount),
            ...(line.currency === 'cny' && { origin, earned: parts && String(parts.earned), given: parts && String(parts.given) }),
          },
    ),
  }
}

/** What the books refuse, as the person is told; anything else is a bug. */
export function worded(error: unknown, isByStaff = false): never {
  if (!(error instanceof pg.DatabaseError)) throw error
  if (error.code === 'TL001') throw notEnough(JSON.parse(error.detail ?? '{}'), isByStaff)
  if (error.code === 'TL008') throw owes(JSON.parse(error.detail ?? '{}'), isByStaff)
  if (error.code === 'TL002') throw BooksFrozen()
  if (error.code === 'TL003') throw TooMuchHeld()
  if (error.code === 'TL004') throw HoldResolved()
  throw error
}

function notEnough({ currency, missing }: { currency: Currency; missing: string }, isByStaff: boolean) {
  if (currency === 'points') return (isByStaff ? MemberShortOfPoints : NotEnoughPoints)({ missing: Number(missing) })
  return (isByStaff ? MemberShortOfBalance : NotEnoughBalance)({ missing: yuanIn(minorOf(missing)) })
}

function owes({ currency, owed }: { currency: Currency; owed: string }, isByStaff: boolean) {
  if (currency === 'points') return (isByStaff ? MemberOwesPoints : OwesPoints)({ owed: Number(owed) })
  return (isByStaff ? MemberOwesBalance : OwesBalance)({ owed: yuanIn(minorOf(owed)) })
}
