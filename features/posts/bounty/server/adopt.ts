import { NotAllowed } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { requireRecentProof, type Staff } from '#base/server/http/route.ts'
import { AskerOwes, BountyOver, SplitWrong } from '#bounty/contract.ts'
import { isZero, owedIn, pay, reversePayout, type Amounts, type Action, type Payout } from '#bounty/server/escrow.ts'
import { lockBounty, type Bounty } from '#bounty/server/lock.ts'
import { questionView } from '#bounty/server/presence.ts'
import * as notification from '#notification/server/notification.ts'
import { toMinor, OwesBalance, OwesPoints, toYuan } from '#wallet/contract.ts'
import { ReasonNeeded } from '#writing/contract.ts'

/** The question of an answer, with its row locked, and its author. */
type Question = { id: string; authorId: string }
type Answer = { id: string; authorId: string }
type PayoutOptions = { others: readonly Payout[]; isExpected: boolean }

/**
 * Pays the accepted answer the offer less the parts of the others. Does nothing without an open bounty, but refuses a request that
 * expects a payout. An asker with debts is refused: escrow does not shield from a debt.
 */
export async function payAdopted(tx: Db, question: Question, answer: Answer, { others, isExpected }: PayoutOptions): Promise<void> {
  const bounty = await lockBounty(tx, question.id)
  if (bounty?.state === 'open' && bounty.isOver) throw BountyOver()
  if (bounty?.state !== 'open') {
    if (isExpected) throw BountyOver()
    if (others.length > 0) throw SplitWrong()
    return
  }
  const owed = await owedIn(tx, question.authorId, bounty)
  if (owed.points > 0n) throw OwesPoints({ owed: Number(owed.points) })
  if (owed.cents > 0n) throw OwesBalance({ owed: toYuan(owed.cents) })
  await payAndNotify(tx, bounty, answer, others, { by: { kind: 'member', id: question.authorId } })
}

/** Staff accept an answer: it gets the whole offer, or the whole earlier payout, which the earlier recipients return or owe. */
export async function movePayout(tx: Db, by: Staff, question: Question, answer: Answer, reason: string): Promise<void> {
  const bounty = await lockBounty(tx, question.id)
  if (bounty?.state !== 'open' && bounty?.state !== 'paid') return
  const action = authorizeStaff(by, reason)
  if (bounty.state === 'open' && bounty.isOver) throw BountyOver()
  if (bounty.state === 'paid') await revokeAndNotify(tx, bounty, question, action)
  const open = await lockBounty(tx, question.id)
  if (open?.state !== 'open') return
  if (!isZero(await owedIn(tx, question.authorId, open))) throw AskerOwes()
  await payAndNotify(tx, open, answer, [], action)
}

/** Staff withdraw an acceptance: the payout is returned or owed, and offered again. */
export async function revokePayout(tx: Db, by: Staff, question: Question, reason: string): Promise<void> {
  const bounty = await lockBounty(tx, question.id)
  if (bounty?.state === 'paid') await revokeAndNotify(tx, bounty, question, authorizeStaff(by, reason))
}

/** The amounts that an adoption by staff would move. The question must be locked; throws for staff without the right. */
export async function atStake(
  tx: Db,
  by: Staff,
  questionId: string,
  { isBest, reason }: { isBest: boolean; reason: string },
): Promise<Amounts> {
  const bounty = await lockBounty(tx, questionId)
  const moves = bounty?.state === 'paid' || (isBest && bounty?.state === 'open')
  if (!bounty || !moves) return { points: toMinor(0), cents: toMinor(0) }
  authorizeStaff(by, reason)
  if (bounty.state === 'open' && bounty.isOver) throw BountyOver()
  return bounty
}

async function revokeAndNotify(tx: Db, bounty: Bounty, question: Question, action: Action & { reason: string }): Promise<void> {
  const losers = await reversePayout(tx, bounty, question.authorId, action)
  await notification.notify(tx, losers, { kind: 'bountyTaken', post: await questionView(tx, bounty.topicId), reason: action.reason })
}

/** Checks the right, a recent proof of identity and a reason, which all changes of a payout need. */
export function authorizeStaff({ staff }: Staff, reason: string): Action & { reason: string } {
  if (!staff.may('question.bounty')) throw NotAllowed()
  requireRecentProof(staff)
  if (!reason) throw ReasonNeeded()
  return { by: { kind: 'staff', id: staff.id }, reason }
}

async function payAndNotify(tx: Db, bounty: Bounty, answer: Answer, others: readonly Payout[], action: Action): Promise<void> {
  const remainder = others.reduce<Amounts>(
    (left, { points, cents }) => ({ points: toMinor(left.points - points), cents: toMinor(left.cents - cents) }),
    bounty,
  )
  const parts = [{ ...remainder, commentId: answer.id, memberId: answer.authorId }, ...others]
  if (parts.some(({ points, cents }) => points < 0n || cents < 0n || points + cents === 0n)) throw SplitWrong()
  await pay(tx, bounty, parts, action)
  const post = await questionView(tx, bounty.topicId)
  await notification.notify(
    tx,
    parts.map(({ memberId }) => memberId),
    { kind: 'bountyPaid', post },
  )
}
