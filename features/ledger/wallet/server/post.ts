import { sql, type RawBuilder } from 'kysely'
import pg from 'pg'
import { translateCommitErrors, type Db } from '#base/server/database/database.ts'
import { boundKey } from '#base/server/http/idempotency.ts'
import {
  BooksFrozen,
  HoldResolved,
  MemberOwesBalance,
  MemberOwesPoints,
  MemberShortOfBalance,
  MemberShortOfPoints,
  toMinor,
  NotEnoughBalance,
  NotEnoughPoints,
  OwesBalance,
  OwesPoints,
  TooMuchHeld,
  toYuan,
  type Currency,
  type EntryKind,
  type Minor,
} from '#wallet/contract.ts'
import { refuseAboveCaps } from '#wallet/server/spending-cap.ts'
import { refuseUnpaid } from '#wallet/server/unspendable.ts'

export type Actor = { kind: 'member' | 'staff'; id: string } | { kind: 'forum' }

/** The cause of a transaction. Kind and source are its idempotency key, for ever. */
export type Cause = {
  kind: EntryKind
  /** Its subject, by kind and id: `part:42:7`. */
  source: string
  by: Actor
  reason?: string | undefined
  /** Transactions that are reversed together. */
  group?: string | undefined
  /** The payment provider's number. */
  providerNumber?: string | undefined
}

/** The site's own accounts. */
export type ForumAccount = 'platform' | 'promotion' | 'clearing' | 'adjustment' | 'fee' | 'payout' | 'membership' | 'unclaimed'

export type Line = {
  name: 'member' | 'escrow' | ForumAccount
  /** The member, or the hold of an escrow account; absent if this transaction opens the hold. */
  owner?: string
  /** Distinguishes several accounts of the site, such as one per provider. */
  label?: string
  currency: Currency
  amount: bigint
  /** May take the account below zero. */
  owes?: boolean
  /** The percentage that the site takes. */
  share?: number
  /** The origin of incoming money: `kept` is the part of the outgoing money that the other lines left. Paid in by default. */
  origin?: 'earned' | 'given' | 'kept'
  /** The origin by amounts, if they are known. */
  parts?: { earned: bigint; given: bigint }
}

export type Transaction = Cause & {
  lines: readonly Line[]
  reverses?: string
  opens?: { owner: string; currency: Currency; amount: Minor }
  resolves?: { hold: string; state: 'paid' | 'returned' }
}

/** A transaction in the ledger. `isNew` is false if its cause existed already and nothing was moved. */
export type Posted = { id: string; isNew: boolean; holdId: string | null; /** The site's share of a sale. */ taken: bigint }

export async function post(tx: Db, transaction: Transaction): Promise<Posted> {
  const [row] = await postAll(tx, [transaction])
  if (!row) throw new Error('The books answered nothing')
  return row
}

/** Posts several transactions, with their accounts locked together. */
export async function postAll(tx: Db, transactions: readonly Transaction[]): Promise<Posted[]> {
  await refuseAboveCaps(tx, transactions)
  await refuseUnpaid(tx, transactions)
  const isByStaff = transactions.some(({ by }) => by.kind === 'staff')
  const { rows: posted } = await sql<Omit<Posted, 'taken'> & { taken: string }>`
    select id, is_new as "isNew", hold_id as "holdId", taken from ledger.post(${rowsOf(tx, transactions)}::json) order by place`
    .execute(tx)
    .catch((error: unknown) => toRefusal(error, isByStaff))
  return posted.map((row) => ({ ...row, taken: BigInt(row.taken) }))
}

/**
 * Posts one transaction in one round trip with the commit, so that its accounts are locked only briefly. `act` runs in the same
 * statement, and can use its `id` and `taken`. A refusal of the ledger surfaces at the commit. A concurrent transaction of the same cause
 * makes the whole work run again, which then finds it.
 */
export async function postAtCommit(tx: Db, transaction: Transaction, act: RawBuilder<unknown>): Promise<void> {
  await refuseAboveCaps(tx, [transaction])
  await refuseUnpaid(tx, [transaction])
  translateCommitErrors(tx, (error) => toRefusal(error, transaction.by.kind === 'staff'))
  await sql`/* with the commit */ select ${act} from ledger.post(${rowsOf(tx, [transaction], { must_be_new: true })}::json)`.execute(tx)
}

function rowsOf(tx: Db, transactions: readonly Transaction[], extra: { must_be_new?: true } = {}): string {
  const request = boundKey(tx)
  return JSON.stringify(transactions.map((one) => ({ ...rowOf(one), request, ...extra })))
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

/** Maps errors of the ledger to refusals; any other error is a bug. */
export function toRefusal(error: unknown, isByStaff = false): never {
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
  return (isByStaff ? MemberShortOfBalance : NotEnoughBalance)({ missing: toYuan(toMinor(missing)) })
}

function owes({ currency, owed }: { currency: Currency; owed: string }, isByStaff: boolean) {
  if (currency === 'points') return (isByStaff ? MemberOwesPoints : OwesPoints)({ owed: Number(owed) })
  return (isByStaff ? MemberOwesBalance : OwesBalance)({ owed: toYuan(toMinor(owed)) })
}
