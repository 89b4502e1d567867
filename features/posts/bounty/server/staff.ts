import { z } from 'zod'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { NotOpen, type bountyForStaff, type changeBounty, type OfferView } from '#bounty/contract.ts'
import { authorizeStaff } from '#bounty/server/adopt.ts'
import { refund, isZero, fund, type Amounts } from '#bounty/server/escrow.ts'
import { invalidateQuestion, findBounty, lockQuestion, lockBounty, type LockedQuestion, type Bounty } from '#bounty/server/lock.ts'
import { sharesOf } from '#bounty/server/view.ts'
import * as setting from '#setting/server/setting.ts'
import { OwnCase } from '#staff/contract.ts'
import { serializeAmount, toMinor, RequestOutdated, type Minor } from '#wallet/contract.ts'
import { moveByHand, type ManualMove } from '#wallet/server/wallet.ts'

const zero = toMinor(0)

export async function show(db: Db, topicId: string): Promise<Output<typeof bountyForStaff>> {
  const bounty = await findBounty(db, topicId)
  if (!bounty) return { bounty: null }
  const { state, points, cents, endsAt } = bounty
  const { allowCash } = await setting.all(db)
  // An open hold is shown even if the site has no balances any more.
  const hasCash = cents > 0n && (allowCash || state === 'open')
  const amounts = { points: points > 0n ? serializeAmount('points', points) : null, cash: hasCash ? serializeAmount('cny', cents) : null }
  const waits = db.selectFrom('money_request').select('id').where('topic_id', '=', topicId).where('state', '=', 'waiting')
  const isWaiting = (await waits.where('kind', 'in', ['bountyChange', 'adoption']).executeTakeFirst()) !== undefined
  return { bounty: { isWaiting, state, ...amounts, endsAt: endsAt?.toISOString() ?? null, shares: await sharesOf(db, topicId) } }
}

/** Changes or returns a bounty, immediately or on approval. */
export async function change(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { topicId, reason, bountyPoints = zero, bountyCash = zero }: ParsedInput<typeof changeBounty>,
): Promise<{ isWaiting: boolean }> {
  authorizeStaff(by, reason)
  const now = (await findBounty(tx, topicId)) ?? { points: zero, cents: zero }
  const input = { topicId, from: storedAmounts(now), to: storedAmounts({ points: bountyPoints, cents: bountyCash }) }
  const { isWaiting } = await moveByHand(tx, by, client, bountyChange, { input, reason })
  return { isWaiting }
}

const StoredAmounts = z.object({ points: z.string(), cents: z.string() })
const Change = z.object({ topicId: z.string(), from: StoredAmounts, to: StoredAmounts })

/** An approval covers one change, from one amount to another; it is refused if the bounty changed meanwhile. */
export const bountyChange: ManualMove<z.infer<typeof Change>> = {
  kind: 'bountyChange',
  input: Change,
  async check(tx, by, { topicId, from, to }) {
    const { bounty } = await lockOpen(tx, by, topicId)
    if (storedAmounts(bounty).points !== from.points || storedAmounts(bounty).cents !== from.cents) throw RequestOutdated()
    const [before, after] = [parseAmounts(from), parseAmounts(to)]
    const moved = { points: difference(before.points, after.points), cents: difference(before.cents, after.cents) }
    return { ...moved, topicId, detail: { bounty: { from: offerView(before), to: offerView(after) } } }
  },
  async execute(tx, by, { topicId, from, to }, { by: actor, reason }) {
    const { question, bounty } = await lockOpen(tx, by, topicId)
    const [action, amounts] = [{ by: actor, reason }, parseAmounts(to)]
    if (isZero(amounts)) await refund(tx, bounty, action)
    else if (bounty.isOver || !bounty.endsAt) throw NotOpen()
    else await fund(tx, bounty, question.authorId, { ...amounts, endsAt: bounty.endsAt }, action)
    invalidateQuestion(tx, question)
    return { transactionIds: [], note: { action: 'topic.bounty', about: `topic ${topicId}`, before: from, after: to } }
  },
}

/** The question and its open bounty, both locked. Staff do not change their own bounty. */
async function lockOpen(tx: Db, by: Staff, topicId: string): Promise<{ question: LockedQuestion; bounty: Bounty }> {
  const question = await lockQuestion(tx, topicId)
  if (!question) throw Missing()
  if (question.authorId === by.id) throw OwnCase()
  const bounty = await lockBounty(tx, topicId)
  if (bounty?.state !== 'open' || !bounty.endsAt) throw NotOpen()
  return { question, bounty }
}

function storedAmounts({ points, cents }: Amounts): z.infer<typeof StoredAmounts> {
  return { points: String(points), cents: String(cents) }
}

function parseAmounts({ points, cents }: z.infer<typeof StoredAmounts>): Amounts {
  return { points: toMinor(points), cents: toMinor(cents) }
}

function difference(one: Minor, other: Minor): Minor {
  return toMinor(one > other ? one - other : other - one)
}

function offerView({ points, cents }: Amounts): OfferView {
  return { points: points > 0n ? serializeAmount('points', points) : null, cash: cents > 0n ? serializeAmount('cny', cents) : null }
}
