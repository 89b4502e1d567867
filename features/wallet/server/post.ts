import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '#base/server/database.ts'
import {
  BooksFrozen,
  HoldResolved,
  MemberShortOfBalance,
  MemberShortOfPoints,
  minorOf,
  NotEnoughBalance,
  NotEnoughPoints,
  TooMuchHeld,
  yuanIn,
  type Currency,
  type EntryKind,
  type Minor,
} from '#wallet/contract.ts'

/** Who moves it. */
export type Actor = { kind: 'member' | 'staff'; id: string } | { kind: 'forum' }

/** Why it is moved: of each kind and source there is one transaction, for ever. */
export type Cause = {
  kind: EntryKind
  /** What it is for, by kind and id: `part:42:7`. */
  source: string
  by: Actor
  reason?: string | undefined
  /** The key that the call came with. */
  request?: string | undefined
}

/** The forum's own accounts. */
export type ForumAccount = 'platform' | 'promotion' | 'clearing' | 'adjustment'

export type Line = {
  name: 'member' | 'escrow' | ForumAccount
  /** The member; of an escrow account its hold, and none where this opens it. */
  owner?: string
  amount: bigint
  /** Takes what is there and owes the rest, or pays what is owed first. */
  owes?: boolean
}

type Deed = Cause & {
  currency: Currency
  lines: readonly Line[]
  reverses?: string
  opens?: { owner: string; amount: Minor }
  resolves?: { hold: string; state: 'paid' | 'returned' }
}

/** A transaction as it stands in the books. `isNew` is false where its cause was written down before, and nothing was moved now. */
export type Posted = { id: string; isNew: boolean; holdId: string | null }

/** Writes one transaction into the books. */
export async function post(tx: Db, deed: Deed): Promise<Posted> {
  const [row] = await postAll(tx, [deed])
  if (!row) throw new Error('The books answered nothing')
  return row
}

/** Writes several, whose accounts are locked together. */
export async function postAll(tx: Db, deeds: readonly Deed[]): Promise<Posted[]> {
  const { rows } = await sql<Posted>`
    select id, is_new as "isNew", hold_id as "holdId" from ledger.post(${JSON.stringify(deeds.map(rowOf))}::json) order by place`
    .execute(tx)
    .catch((error: unknown) =>
      worded(
        error,
        deeds.some(({ by }) => by.kind === 'staff'),
      ),
    )
  return rows
}

function rowOf({ kind, source, by, reason, request, currency, lines, reverses, opens, resolves }: Deed) {
  const entries = lines.flatMap(({ amount, ...line }) => (amount === 0n ? [] : { ...line, currency, amount: String(amount) }))
  return {
    kind,
    source,
    actor_kind: by.kind,
    actor_id: by.kind === 'forum' ? null : by.id,
    request,
    reason,
    reverses,
    entries,
    earns: currency === 'points' && lines.some(({ name }) => name === 'promotion' || name === 'adjustment'),
    opens: opens && { kind, source, owner: opens.owner, currency, amount: String(opens.amount) },
    resolves,
  }
}

/** What the books refuse, as the person is told; anything else is a bug. */
export function worded(error: unknown, isByStaff = false): never {
  if (!(error instanceof pg.DatabaseError)) throw error
  if (error.code === 'TL001') throw notEnough(JSON.parse(error.detail ?? '{}'), isByStaff)
  if (error.code === 'TL002') throw BooksFrozen()
  if (error.code === 'TL003') throw TooMuchHeld()
  if (error.code === 'TL004') throw HoldResolved()
  throw error
}

function notEnough({ currency, missing }: { currency: Currency; missing: string }, isByStaff: boolean) {
  if (currency === 'points') return (isByStaff ? MemberShortOfPoints : NotEnoughPoints)({ missing: Number(missing) })
  return (isByStaff ? MemberShortOfBalance : NotEnoughBalance)({ missing: yuanIn(minorOf(missing)) })
}
