import type { Db } from '#base/server/database.ts'
import { shareOf, type Currency, type Minor } from '#wallet/contract.ts'
import { post, type Cause, type ForumAccount, type Posted } from '#wallet/server/post.ts'

export type { Actor, Cause, Posted } from '#wallet/server/post.ts'
export { accountsOf, entriesOf, rewardsToday, type Account, type Entry, type EntryQuery, type Today } from '#wallet/server/log.ts'
export type { Check } from '#wallet/server/books.ts'
export { booksState, breachesIn } from '#wallet/server/books.ts'
export { openAgain } from '#wallet/server/closing.ts'
export { isFrozen } from '#wallet/server/freeze.ts'
export { checks } from '#wallet/server/checks.ts'
export { lockAccounts, mergeAccounts } from '#wallet/server/merge.ts'
export {
  award,
  awardAdopted,
  handOver,
  mergeLikers,
  rewardLikes,
  rewardsLikes,
  unaward,
  unawardAdopted,
  type LikeChange,
} from '#wallet/server/reward.ts'
export { exchange, release, reverse, reverseAll } from '#wallet/server/resolve.ts'
export { shownCurrencies } from '#wallet/server/shown.ts'
export { tellMoved } from '#wallet/server/tell.ts'
export { adjustmentsWaiting } from '#wallet/server/waiting.ts'

type Sum = { currency: Currency; amount: Minor }

/** From one member to another. Of it the forum takes so many percent, rounded down. */
export function pay(
  tx: Db,
  { from, to, currency, amount, share = 0, ...cause }: Cause & Sum & { from: string; to: string; share?: number },
): Promise<Posted> {
  const taken = shareOf(amount, share)
  return post(tx, {
    ...cause,
    currency,
    lines: [
      { name: 'member', owner: from, amount: 0n - amount },
      { name: 'member', owner: to, amount: amount - taken },
      { name: 'platform', amount: taken },
    ],
  })
}

type Given = Cause & Sum & { /** Which of the forum's accounts it comes from, or goes to. */ account: ForumAccount }

/** From the forum to a member. What they owe is paid first. */
export function credit(tx: Db, { to, account, currency, amount, ...cause }: Given & { to: string }): Promise<Posted> {
  const lines = [
    { name: 'member', owner: to, amount, owes: true },
    { name: account, amount: 0n - amount },
  ] as const
  return post(tx, { ...cause, currency, lines })
}

/** From a member to the forum. Where they may owe it, what is not there is owed. */
export function debit(
  tx: Db,
  { from, account, currency, amount, owes = false, ...cause }: Given & { from: string; owes?: boolean },
): Promise<Posted> {
  const lines = [
    { name: 'member', owner: from, amount: 0n - amount, owes },
    { name: account, amount },
  ] as const
  return post(tx, { ...cause, currency, lines })
}

/** Takes it from a member for a while: it is theirs no more, and nobody's yet. */
export async function hold(tx: Db, { from, currency, amount, ...cause }: Cause & Sum & { from: string }): Promise<string> {
  const { holdId } = await post(tx, {
    ...cause,
    currency,
    opens: { owner: from, amount },
    lines: [
      { name: 'member', owner: from, amount: 0n - amount },
      { name: 'escrow', amount },
    ],
  })
  if (!holdId) throw new Error(`What is held for ${cause.kind} ${cause.source} was something else before`)
  return holdId
}
