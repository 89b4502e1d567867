import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { toMinor, neverReversed, NotReversible, type Currency, type EntryKind, type Minor } from '#wallet/contract.ts'
import { post, postAll, type Cause, type ForumAccount, type Line, type Posted } from '#wallet/server/post.ts'

type Payment = { to: string; amount: Minor }

/** Resolves a hold, once: pays members, each less the site's percentage, and returns the rest to its owner. Refuses a resolved hold. */
export async function release(
  tx: Db,
  holdId: string,
  { pays = [], share, ...cause }: Cause & { pays?: readonly Payment[]; share?: number },
): Promise<Posted> {
  const hold = await findHold(tx, holdId)
  const { currency, left, owner } = hold
  const paid = sumOf(pays)
  const others = pays.filter(({ to }) => to !== owner)
  const lines: Line[] = [
    { name: 'escrow', owner: holdId, currency, amount: 0n - left },
    ...paymentsOf(others, currency, share),
    // The site takes no share of payments to the owner.
    { name: 'member', owner, currency, amount: left - sumOf(others), origin: 'kept' },
  ]
  const resolves = { hold: holdId, state: paid > 0n || left < hold.amount ? 'paid' : 'returned' } as const
  return post(tx, { ...cause, lines, resolves })
}

/** Pays members from a hold, which stays open while anything is left. Refuses a resolved hold. */
export async function draw(
  tx: Db,
  holdId: string,
  { pays, share, ...cause }: Cause & { pays: readonly Payment[]; share?: number },
): Promise<Posted> {
  const { currency } = await findHold(tx, holdId)
  const lines: Line[] = [{ name: 'escrow', owner: holdId, currency, amount: 0n - sumOf(pays) }, ...paymentsOf(pays, currency, share)]
  return post(tx, { ...cause, lines })
}

/** Replaces a hold by one of another amount: one line in the owner's log. Returns the id of the new hold. */
export async function exchange(tx: Db, holdId: string, { amount, ...cause }: Cause & { amount: Minor }): Promise<string> {
  const { owner, currency, left } = await findHold(tx, holdId)
  const change = left - amount
  const lines: Line[] = [
    { name: 'escrow', owner: holdId, currency, amount: 0n - left },
    { name: 'member', owner, currency, amount: change, ...(change > 0n && { origin: 'kept' }) },
    { name: 'escrow', currency, amount, origin: 'kept' },
  ]
  const resolves = { hold: holdId, state: 'returned' } as const
  const { holdId: opened } = await post(tx, { ...cause, lines, resolves, opens: { owner, currency, amount } })
  if (!opened) throw new Error(`What is held for ${cause.kind} ${cause.source} was something else before`)
  return opened
}

/**
 * Reverses a transaction by its opposite; idempotent. Amounts that members have spent are owed. Money from a hold returns to the hold's
 * owner; a merged account's, to its current account.
 */
export async function reverse(tx: Db, transactionId: string, cause: Omit<Cause, 'kind' | 'source'>): Promise<Posted> {
  const [posted] = await reverseAll(tx, [transactionId], cause)
  if (!posted) throw NotReversible()
  return posted
}

/** Reverses several transactions, with their accounts locked together. */
export async function reverseAll(tx: Db, transactionIds: readonly string[], cause: Omit<Cause, 'kind' | 'source'>): Promise<Posted[]> {
  const opposites = await oppositesOf(tx, transactionIds)
  return postAll(
    tx,
    transactionIds.map((id) => {
      const opposite = opposites.get(id)
      if (!opposite) throw NotReversible()
      return { ...cause, lines: opposite, kind: 'reversal', source: `transaction:${id}`, reverses: id }
    }),
  )
}

/** Reverses the transactions of a group that are not reversed yet, latest first. Refuses if there is none. */
export async function reverseGroup(tx: Db, group: string, cause: Omit<Cause, 'kind' | 'source'>): Promise<Posted[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ledger.transaction as its where group_name = ${group} and reverses is null
      and not exists (select from ledger.transaction as back where back.reverses = its.id) order by id desc`.execute(tx)
  if (rows.length === 0) throw NotReversible()
  const ids = rows.map(({ id }) => id)
  return reverseAll(tx, ids, { ...cause, group })
}

/**
 * Returns a part of a charge to the member's current account, in both currencies. Given and earned money returns in the same proportions.
 */
export async function repay(
  tx: Db,
  transactionId: string,
  { account, sums, ...cause }: Cause & { account: ForumAccount; sums: Record<Currency, Minor> },
): Promise<Posted> {
  const { rows } = await sql<{ to: string; currency: Currency; paid: string; earned: string; given: string }>`
    select ledger.current_member(owner_id) as to, entry.currency, -amount as paid, -entry.earned as earned, -entry.given as given
    from ledger.entry join ledger.account on account.id = account_id
    where transaction_id = ${transactionId} and name = 'member' and amount < 0 and owner_id is not null`.execute(tx)
  const lines = rows.flatMap(({ to, currency, paid, earned, given }): Line[] => {
    const amount = sums[currency]
    const part = (its: string) => (BigInt(its) * amount) / BigInt(paid)
    return [
      { name: 'member', owner: to, currency, amount, parts: { earned: part(earned), given: part(given) } },
      { name: account, currency, amount: 0n - amount },
    ]
  })
  return post(tx, { ...cause, lines })
}

type ReversibleTransaction = {
  id: string
  kind: EntryKind
  opened: string | null
  lines: { name: Line['name']; label: string; owner: string | null; currency: Currency; amount: string; earned: string; given: string }[]
}

/** The opposite lines of each transaction that has any. */
async function oppositesOf(tx: Db, ids: readonly string[]): Promise<Map<string, Line[]>> {
  const { rows } = await sql<ReversibleTransaction>`
    select its.id, its.kind, min(opened.id) as opened,
      json_agg(json_build_object('name', account.name, 'label', label, 'owner', living.id::text, 'currency', entry.currency,
        'amount', entry.amount::text, 'earned', entry.earned::text, 'given', entry.given::text)) as lines
    from ledger.transaction as its join ledger.entry on transaction_id = its.id join ledger.account on account.id = account_id
      left join ledger.hold as opened on opened.opened_by = its.id
      left join ledger.hold as held on account.name = 'escrow' and held.id = account.owner_id,
      lateral (select ledger.current_member(coalesce(held.owner_id, account.owner_id)) as id) as living
    where its.id = ${anyOf(ids)} group by its.id order by its.id`.execute(tx)
  return new Map(
    rows.flatMap(({ id, kind, opened, lines: before }) => {
      const lines = mergeLines(before.map(oppositeOf)).filter(({ amount }) => amount !== 0n)
      return opened !== null || neverReversed.includes(kind) || lines.length === 0 ? [] : [[id, lines]]
    }),
  )
}

function oppositeOf({ name, label, owner, currency, amount, earned, given }: ReversibleTransaction['lines'][number]): Line {
  const line = { currency, amount: -BigInt(amount), parts: { earned: -BigInt(earned), given: -BigInt(given) } }
  return owner === null ? { ...line, name, label } : { ...line, name: 'member', owner, owes: true }
}

/** A hold with its remainder and its owner after merges. */
async function findHold(tx: Db, holdId: string): Promise<{ owner: string; currency: Currency; amount: Minor; left: Minor }> {
  const { rows } = await sql<{ owner: string; currency: Currency; amount: string; left: string }>`
    select hold.currency, hold.amount, balance as left, ledger.current_member(hold.owner_id) as owner from ledger.hold
    join ledger.account on name = 'escrow' and account.owner_id = hold.id where hold.id = ${holdId} and balance is not null`.execute(tx)
  const [row] = rows
  if (!row) throw new Error(`There is no hold ${holdId}`)
  return { ...row, amount: toMinor(row.amount), left: toMinor(row.left) }
}

function sumOf(pays: readonly Payment[]): bigint {
  return pays.reduce((sum, { amount }) => sum + amount, 0n)
}

function paymentsOf(pays: readonly Payment[], currency: Currency, share: number | undefined): Line[] {
  return mergeLines(
    pays.map(({ to, amount }) => ({ name: 'member', owner: to, currency, amount, origin: 'earned', ...(share && { share }) })),
  )
}

/** The net amounts that members received by a transaction. */
export async function receivedIn(tx: Db, transactionId: string): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ owner: string; amount: string }>`
    select owner_id as owner, amount from ledger.entry join ledger.account on account.id = account_id
    where transaction_id = ${transactionId} and name = 'member' and owner_id is not null and amount > 0`.execute(tx)
  return new Map(rows.map(({ owner, amount }) => [owner, BigInt(amount)]))
}

/** One line per account: a payer may be paid too. */
function mergeLines(lines: readonly Line[]): Line[] {
  const groups = Map.groupBy(lines, ({ name, owner, label, currency }) => `${name} ${owner ?? ''} ${label ?? ''} ${currency}`)
  return [...groups.values()].flatMap((its) => (its[0] ? [its.reduce(addLines)] : []))
}

function addLines(one: Line, other: Line): Line {
  const parts = one.parts && other.parts && { earned: one.parts.earned + other.parts.earned, given: one.parts.given + other.parts.given }
  return { ...one, amount: one.amount + other.amount, ...(parts && { parts }) }
}
