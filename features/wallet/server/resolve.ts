import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import { minorOf, neverReversed, NotReversible, shareOf, type Currency, type EntryKind, type Minor } from '#wallet/contract.ts'
import { post, type Cause, type ForumAccount, type Line, type Posted } from '#wallet/server/post.ts'

type Payment = { to: string; amount: Minor }

/**
 * Ends what was held, once: pays it to members, each less so many percent for the forum, and gives what is left back to whom it was taken
 * from. Refuses where it has ended otherwise.
 */
export async function release(
  tx: Db,
  holdId: string,
  { pays = [], share = 0, ...cause }: Cause & { pays?: readonly Payment[]; share?: number },
): Promise<Posted> {
  const held = await heldIn(tx, holdId)
  const shares = pays.map(({ amount }) => shareOf(amount, share))
  const paid = pays.reduce((sum, { amount }) => sum + amount, 0n)
  const lines: Line[] = [
    { name: 'escrow', owner: holdId, amount: 0n - held.amount },
    ...pays.map(({ to, amount }, place) => ({ name: 'member', owner: to, amount: amount - (shares[place] ?? 0n) }) as const),
    { name: 'member', owner: held.owner, amount: held.amount - paid },
    { name: 'platform', amount: shares.reduce((sum, one) => sum + one, 0n) },
  ]
  const resolves = { hold: holdId, state: paid > 0n ? 'paid' : 'returned' } as const
  return post(tx, { ...cause, currency: held.currency, lines: summed(lines), resolves })
}

/**
 * Takes a transaction back by one that is its opposite; asked twice, there is one. What members have spent already is owed. What came from a
 * hold goes back to whom it was taken from.
 */
export async function reverse(tx: Db, transactionId: string, cause: Omit<Cause, 'kind' | 'source'>): Promise<Posted> {
  const { rows } = await sql<{
    kind: EntryKind
    reverses: string | null
    currency: Currency
    opened: string | null
    lines: { name: Line['name'] | 'owed'; owner: string | null; amount: string }[]
  }>`
    select its.kind, its.reverses, min(entry.currency) as currency, min(hold.id) as opened,
      json_agg(json_build_object('name', account.name, 'owner', account.owner_id::text, 'amount', entry.amount::text)) as lines
    from ledger.transaction as its join ledger.entry on transaction_id = its.id join ledger.account on account.id = account_id
      left join ledger.hold on hold.opened_by = its.id
    where its.id = ${transactionId} group by its.id`.execute(tx)
  const [its] = rows
  if (!its || its.opened !== null || neverReversed.includes(its.kind)) throw NotReversible()
  const lines = await Promise.all(its.lines.map((line) => opposite(tx, line)))
  const by = { ...cause, kind: 'reversal', source: `transaction:${transactionId}`, reverses: transactionId } as const
  return post(tx, { ...by, currency: its.currency, lines: summed(lines) })
}

async function opposite(
  tx: Db,
  { name, owner, amount }: { name: Line['name'] | 'owed'; owner: string | null; amount: string },
): Promise<Line> {
  const turned = -BigInt(amount)
  if (name === 'escrow') return { name: 'member', owner: (await heldIn(tx, owner ?? '')).owner, amount: turned, owes: true }
  if (owner === null) return { name: name as ForumAccount, amount: turned }
  return { name: 'member', owner, amount: turned, owes: true }
}

/** What is held, and who has it back: whoever the owner was merged into. */
async function heldIn(tx: Db, holdId: string): Promise<{ owner: string; currency: Currency; amount: Minor }> {
  const { rows } = await sql<{ owner: string; currency: Currency; amount: string }>`
    with recursive owner as (
      select owner_id as id from ledger.hold where id = ${holdId}
      union select merged_into from owner join member on member.id = owner.id where merged_into is not null)
    select hold.currency, hold.amount, owner.id as owner from ledger.hold, owner join member on member.id = owner.id
    where hold.id = ${holdId} and merged_into is null`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`There is no hold ${holdId}`)
  return { ...row, amount: minorOf(row.amount) }
}

/** One line for each account: a payer may be paid too. */
function summed(lines: readonly Line[]): Line[] {
  const groups = Map.groupBy(lines, ({ name, owner }) => `${name} ${owner ?? ''}`)
  return [...groups.values()].flatMap((its) => (its[0] ? { ...its[0], amount: its.reduce((sum, { amount }) => sum + amount, 0n) } : []))
}
