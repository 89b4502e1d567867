import type { Db } from '#base/server/database/database.ts'
import { AskerOwes } from '#bounty/contract.ts'
import type { Bounty } from '#bounty/server/lock.ts'
import * as setting from '#setting/server/setting.ts'
import { currencies, toMinor, type Currency, type Minor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

/** The actor, and an optional reason. */
export type Action = { by: wallet.Actor; reason?: string | undefined }
export type Amounts = { points: Minor; cents: Minor }
/** An answer, its author, and its part of the bounty. */
export type Payout = Amounts & { commentId: string; memberId: string }

export function amountOf(currency: Currency, { points, cents }: Amounts): Minor {
  return currency === 'points' ? points : cents
}

function holdIn(currency: Currency, { pointsHold, centsHold }: Bounty): string | null {
  return currency === 'points' ? pointsHold : centsHold
}

/** Holds these amounts of the asker's in place of the current holds. The bounty is open afterwards, unless both amounts are zero. */
export async function fund(tx: Db, bounty: Bounty, asker: string, to: Amounts & { endsAt: Date }, action: Action): Promise<void> {
  const { topicId, times } = bounty
  const holds: Record<Currency, string | null> = { points: null, cny: null }
  for (const currency of currencies) {
    const [before, amount, hold] = [amountOf(currency, bounty), amountOf(currency, to), holdIn(currency, bounty)]
    const isHeld = bounty.state === 'open' && hold !== null
    if (isHeld && before === amount) {
      holds[currency] = hold
      continue
    }
    const source = `topic:${topicId}:${currency}:${times + 1}`
    if (isHeld && amount > 0n) holds[currency] = await wallet.exchange(tx, hold, { kind: 'bountyChanged', source, ...action, amount })
    else if (isHeld) await wallet.release(tx, hold, { kind: 'bountyReturned', source: `topic:${topicId}:hold:${hold}`, ...action })
    else if (amount > 0n) holds[currency] = await wallet.hold(tx, { kind: 'bounty', source, ...action, from: asker, currency, amount })
  }
  const isOpen = holds.points !== null || holds.cny !== null
  await tx
    .updateTable('bounty')
    .set({ state: isOpen ? 'open' : 'returned', points: String(to.points), cents: String(to.cents), ends_at: to.endsAt })
    .set({ times: times + 1, points_hold: holds.points, cents_hold: holds.cny })
    .where('topic_id', '=', topicId)
    .execute()
}

/** Returns all that is held to its owner. */
export async function refund(tx: Db, bounty: Bounty, action: Action): Promise<void> {
  for (const currency of currencies) {
    const hold = holdIn(currency, bounty)
    if (hold) await wallet.release(tx, hold, { kind: 'bountyReturned', source: `topic:${bounty.topicId}:hold:${hold}`, ...action })
  }
  await setState(tx, bounty, 'returned')
}

/** Pays the held amounts to these answers, less the forum's share of money; the remainder returns to the asker. */
export async function pay(
  tx: Db,
  bounty: Bounty,
  parts: readonly Payout[],
  action: Action,
  kind: 'bountyPaid' | 'bountyHalved' = 'bountyPaid',
): Promise<void> {
  const { bountyShareCash } = await setting.current(tx, 'bountyShareCash')
  for (const currency of currencies) {
    const hold = holdIn(currency, bounty)
    if (!hold) continue
    const share = currency === 'points' ? 0 : bountyShareCash
    const paid = parts.filter((part) => amountOf(currency, part) > 0n)
    const pays = paid.map((part) => ({ to: part.memberId, amount: amountOf(currency, part) }))
    const { id } = await wallet.release(tx, hold, {
      kind,
      source: `topic:${bounty.topicId}:hold:${hold}`,
      ...action,
      pays,
      share,
    })
    const received = await wallet.receivedIn(tx, id)
    const rows = netPayouts(paid, currency, received).map(({ commentId, memberId, amount }) => ({
      comment_id: commentId,
      member_id: memberId,
      amount: String(amount),
    }))
    if (rows.length === 0) continue
    const same = { topic_id: bounty.topicId, currency, transaction_id: id }
    await tx
      .insertInto('bounty_share')
      .values(rows.map((row) => ({ ...row, ...same })))
      .execute()
  }
  await setState(tx, bounty, 'paid')
}

/** The net amount of each answer. A member's last answer takes the rounding remainder of what the member received. */
function netPayouts(paid: readonly Payout[], currency: Currency, received: Map<string, bigint>) {
  return [...Map.groupBy(paid, ({ memberId }) => memberId)].flatMap(([memberId, payouts]) => {
    const gross = payouts.reduce((sum, part) => sum + amountOf(currency, part), 0n)
    const net = received.get(memberId) ?? 0n
    let left = net
    return payouts.map(({ commentId, ...part }, place) => {
      const amount = place === payouts.length - 1 ? left : (amountOf(currency, part) * net) / gross
      left -= amount
      return { commentId, memberId, amount }
    })
  })
}

/**
 * Takes the payout back from its recipients, who owe what they have spent, and holds it again, so that the bounty is open as before.
 * Refuses if debts of the asker swallow the returned amount. Returns the ids of the members who lost it.
 */
export async function reversePayout(tx: Db, bounty: Bounty, asker: string, action: Action): Promise<string[]> {
  const rows = await tx
    .deleteFrom('bounty_share')
    .where('topic_id', '=', bounty.topicId)
    .returning(['transaction_id', 'member_id'])
    .execute()
  const ids = [...new Set(rows.map(({ transaction_id }) => transaction_id))].toSorted((one, other) =>
    BigInt(one) < BigInt(other) ? -1 : 1,
  )
  for (const id of ids) await wallet.reverse(tx, id, action)
  if (!isZero(await shortfallOf(tx, asker, bounty))) throw AskerOwes()
  await fund(tx, bounty, asker, { ...bounty, endsAt: bounty.endsAt ?? new Date() }, action)
  return [...new Set(rows.map(({ member_id }) => member_id))]
}

/** The shortfall of a member for these amounts, and their debts. Exact until the transaction ends, because the accounts stay locked. */
export async function shortfallOf(tx: Db, memberId: string, { points, cents }: Amounts): Promise<Amounts & { owed: Amounts }> {
  await wallet.lockAccounts(tx, memberId)
  const accounts = await wallet.accountsOf(tx, memberId)
  const owed = { points: accounts.points.owed, cents: accounts.cny.owed }
  return { points: shortfall(points, accounts.points.balance), cents: shortfall(cents, accounts.cny.balance), owed }
}

export async function owedIn(tx: Db, askerId: string, { points, cents }: Amounts): Promise<Amounts> {
  const accounts = await wallet.accountsOf(tx, askerId)
  return { points: points > 0n ? accounts.points.owed : toMinor(0), cents: cents > 0n ? accounts.cny.owed : toMinor(0) }
}

function shortfall(required: Minor, has: Minor): Minor {
  return toMinor(required > has ? required - has : 0)
}

export function isZero({ points, cents }: Amounts): boolean {
  return points === 0n && cents === 0n
}

async function setState(tx: Db, { topicId }: Bounty, state: 'paid' | 'returned'): Promise<void> {
  await tx.updateTable('bounty').set({ state }).where('topic_id', '=', topicId).execute()
}
