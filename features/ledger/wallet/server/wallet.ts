import type { RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { currencies, type Currency, type Minor } from '#wallet/contract.ts'
import { post, postAtCommit, type Cause, type ForumAccount, type Line, type Posted } from '#wallet/server/post.ts'

export type { Actor, Cause, Posted } from '#wallet/server/post.ts'
export { accountsOf, entriesOf, type Account, type Entry, type EntryQuery } from '#wallet/server/log.ts'
export type { Check } from '#wallet/server/breaches.ts'
export { breachesIn } from '#wallet/server/breaches.ts'
export { booksState, overdueChecks } from '#wallet/server/books-state.ts'
export { reopenAccount } from '#wallet/server/closing.ts'
export { isFrozen } from '#wallet/server/freeze.ts'
export { ledgerChecks } from '#wallet/server/checks.ts'
export { lockAccounts } from '#wallet/server/merge.ts'
export {
  award,
  awardAdopted,
  transferRewards,
  mergeLikers,
  rewardLikes,
  mayRewardLikes,
  revokeAward,
  revokeAdopted,
  type LikeChange,
} from '#wallet/server/reward.ts'
export { draw, exchange, receivedIn, release, repay, reverse, reverseAll, reverseGroup } from '#wallet/server/resolve.ts'
export { exceededCap } from '#wallet/server/spending-cap.ts'
export { visibleCurrencies } from '#wallet/server/currencies.ts'
export { siteMoves, type SiteMove } from '#wallet/server/site-moves.ts'
export { forgetSeals } from '#wallet/server/seal.ts'
export { notifyMoved } from '#wallet/server/notify.ts'
export { requestsWaiting } from '#wallet/server/request.ts'
export { moveByHand, type ManualMove, type ExecutionResult, type ManualCause } from '#wallet/server/approval.ts'

type Sum = { currency: Currency; amount: Minor }

type Payment = Cause & Sum & { from: string; to: string; share?: number }

/** Pays from one member to another. The site takes the percentage `share`; `taken` in the result is its amount. */
export function pay(tx: Db, payment: Payment): Promise<Posted> {
  return post(tx, paymentOf(payment))
}

/**
 * Pays in one round trip with the commit and `act`, which can use `id` and `taken`, so that the account of a popular payee is locked only
 * briefly.
 */
export function payAtCommit(tx: Db, payment: Payment, act: RawBuilder<unknown>): Promise<void> {
  return postAtCommit(tx, paymentOf(payment), act)
}

function paymentOf({ from, to, currency, amount, share, ...cause }: Payment): Cause & { lines: Line[] } {
  return {
    ...cause,
    lines: [
      { name: 'member', owner: from, currency, amount: 0n - amount },
      { name: 'member', owner: to, currency, amount, origin: 'earned', ...(share && { share }) },
    ],
  }
}

/** An account of the site, or one of several by its label. */
type AwardInput = Cause & Sum & { account: ForumAccount; label?: string }

/** Pays from the site to a member; a debt is paid off first. */
export function credit(
  tx: Db,
  { to, account, label = '', currency, amount, origin, ...cause }: AwardInput & { to: string; origin?: 'given' },
): Promise<Posted> {
  const lines = [
    { name: 'member', owner: to, currency, amount, ...(origin && { origin }) },
    { name: account, label, currency, amount: 0n - amount },
  ] as const
  return post(tx, { ...cause, lines })
}

/** Takes from a member for the site. With `owes`, the balance may go below zero. */
export function debit(
  tx: Db,
  { from, account, label = '', currency, amount, owes = false, ...cause }: AwardInput & { from: string; owes?: boolean },
): Promise<Posted> {
  const lines = [
    { name: 'member', owner: from, currency, amount: 0n - amount, owes },
    { name: account, label, currency, amount },
  ] as const
  return post(tx, { ...cause, lines })
}

type AccountRef = { account: ForumAccount; label?: string }

/** Moves between two accounts of the site; a negative amount moves the other way. */
export function transfer(
  tx: Db,
  { from, to, currency, amount, ...cause }: Cause & { from: AccountRef; to: AccountRef; currency: Currency; amount: bigint },
): Promise<Posted> {
  const line = ({ account, label = '' }: AccountRef, sum: bigint) => ({ name: account, label, currency, amount: sum })
  return post(tx, { ...cause, lines: [line(from, 0n - amount), line(to, amount)] })
}

export type Sums = Record<Currency, Minor>

/** Charges a member in both currencies, as one transaction. */
export function charge(
  tx: Db,
  { from, account, sums, ...cause }: Cause & { from: string; account: ForumAccount; sums: Sums },
): Promise<Posted> {
  const lines = currencies.flatMap((currency) => [
    { name: 'member', owner: from, currency, amount: 0n - sums[currency] } as const,
    { name: account, currency, amount: sums[currency] },
  ])
  return post(tx, { ...cause, lines })
}

/** Moves an amount of a member's into escrow. Returns the id of the hold. */
export async function hold(tx: Db, { from, currency, amount, ...cause }: Cause & Sum & { from: string }): Promise<string> {
  const { holdId } = await post(tx, {
    ...cause,
    opens: { owner: from, currency, amount },
    lines: [
      { name: 'member', owner: from, currency, amount: 0n - amount },
      { name: 'escrow', currency, amount, origin: 'kept' },
    ],
  })
  if (!holdId) throw new Error(`What is held for ${cause.kind} ${cause.source} was something else before`)
  return holdId
}
