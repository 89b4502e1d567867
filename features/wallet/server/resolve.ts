import { sql, type RawBuilder } from 'kysely'
import { anyOf, type Db } from '#base/server/database.ts'
import { minorOf, neverReversed, NotReversible, shareOf, type Currency, type EntryKind, type Minor } from '#wallet/contract.ts'
import { post, postAll, type Cause, type ForumAccount, type Line, type Posted } from '#wallet/server/post.ts'

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

/** Holds another amount in place of what was held, which ends: one line in the log of whoever it was taken from. Gives the new hold. */
export async function exchange(tx: Db, holdId: string, { amount, ...cause }: Cause & { amount: Minor }): Promise<string> {
  const { owner, currency, amount: before } = await heldIn(tx, holdId)
  const lines: Line[] = [
    { name: 'escrow', owner: holdId, amount: 0n - before },
    { name: 'member', owner, amount: before - amount },
    { name: 'escrow', amount },
  ]
  const resolves = { hold: holdId, state: 'returned' } as const
  const { holdId: opened } = await post(tx, { ...cause, currency, lines, resolves, opens: { owner, amount } })
  if (!opened) throw new Error(`What is held for ${cause.kind} ${cause.source} was something else before`)
  return opened
}

/**
 * Takes a transaction back by one that is its opposite; asked twice, there is one. What members have spent already is owed. What came from a
 * hold goes back to whom it was taken from; whose account was merged, to whom it was merged into.
 */
export async function reverse(tx: Db, transactionId: string, cause: Omit<Cause, 'kind' | 'source'>): Promise<Posted> {
  const [posted] = await reverseAll(tx, [transactionId], cause)
  if (!posted) throw NotReversible()
  return posted
}

/** The same for several, whose accounts are locked together. */
export async function reverseAll(tx: Db, transactionIds: readonly string[], cause: Omit<Cause, 'kind' | 'source'>): Promise<Posted[]> {
  const opposites = await oppositesOf(tx, transactionIds)
  return postAll(
    tx,
    transactionIds.map((id) => {
      const opposite = opposites.get(id)
      if (!opposite) throw NotReversible()
      return { ...cause, ...opposite, kind: 'reversal', source: `transaction:${id}`, reverses: id }
    }),
  )
}

type Moved = {
  id: string
  kind: EntryKind
  currency: Currency
  opened: string | null
  lines: { name: Line['name'] | 'owed'; owner: string | null; amount: string }[]
}

/** What takes each of them back, where anything does. */
async function oppositesOf(tx: Db, ids: readonly string[]): Promise<Map<string, { currency: Currency; lines: Line[] }>> {
  const { rows } = await sql<Moved>`
    select its.id, its.kind, min(entry.currency) as currency, min(opened.id) as opened,
      json_agg(json_build_object('name', account.name, 'owner', living.id::text, 'amount', entry.amount::text)) as lines
    from ledger.transaction as its join ledger.entry on transaction_id = its.id join ledger.account on account.id = account_id
      left join ledger.hold as opened on opened.opened_by = its.id
      left join ledger.hold as held on account.name = 'escrow' and held.id = account.owner_id
      left join lateral (${livingOf(sql`coalesce(held.owner_id, account.owner_id)`)}) as living on true
    where its.id = ${anyOf(ids)} group by its.id order by its.id`.execute(tx)
  return new Map(
    rows.flatMap(({ id, kind, currency, opened, lines: before }) => {
      const lines = summed(before.map(oppositeOf)).filter(({ amount }) => amount !== 0n)
      return opened !== null || neverReversed.includes(kind) || lines.length === 0 ? [] : [[id, { currency, lines }]]
    }),
  )
}

function oppositeOf({ name, owner, amount }: Moved['lines'][number]): Line {
  const turned = -BigInt(amount)
  return owner === null ? { name: name as ForumAccount, amount: turned } : { name: 'member', owner, amount: turned, owes: true }
}

/** What is held, and who has it back: whoever the owner was merged into. */
async function heldIn(tx: Db, holdId: string): Promise<{ owner: string; currency: Currency; amount: Minor }> {
  const { rows } = await sql<{ owner: string; currency: Currency; amount: string }>`
    select hold.currency, hold.amount, living.id as owner from ledger.hold, lateral (${livingOf(sql`hold.owner_id`)}) as living
    where hold.id = ${holdId}`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`There is no hold ${holdId}`)
  return { ...row, amount: minorOf(row.amount) }
}

/** Whoever a member was merged into in the end, or they themselves. */
function livingOf(memberId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    with recursive owner as (
      select ${memberId} as id union select merged_into from owner join member on member.id = owner.id where merged_into is not null)
    select owner.id from owner join member on member.id = owner.id where merged_into is null`
}

/** One line for each account: a payer may be paid too. */
function summed(lines: readonly Line[]): Line[] {
  const groups = Map.groupBy(lines, ({ name, owner }) => `${name} ${owner ?? ''}`)
  return [...groups.values()].flatMap((its) => (its[0] ? { ...its[0], amount: its.reduce((sum, { amount }) => sum + amount, 0n) } : []))
}
