import { z } from 'zod'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import { NotOpen, type bountyForStaff, type changeBounty, type OfferView } from '#bounty/contract.ts'
import { byStaff } from '#bounty/server/adopt.ts'
import { giveBack, isNone, take, type Amounts } from '#bounty/server/escrow.ts'
import { changed, find, lockAsked, lockRow, type LockedQuestion, type Bounty } from '#bounty/server/lock.ts'
import { sharesOf } from '#bounty/server/view.ts'
import * as setting from '#setting/server/setting.ts'
import { OwnCase } from '#staff/contract.ts'
import { amountOut, minorOf, RequestOutdated, type Minor } from '#wallet/contract.ts'
import { moveByHand, type ByHand } from '#wallet/server/wallet.ts'

const none = minorOf(0)

export async function show(db: Db, topicId: string): Promise<Output<typeof bountyForStaff>> {
  const bounty = await find(db, topicId)
  if (!bounty) return { bounty: null }
  const { state, points, cents, endsAt } = bounty
  const { allowCash } = await setting.all(db)
  // An open hold is shown even if the site has no balances any more.
  const hasCash = cents > 0n && (allowCash || state === 'open')
  const amounts = { points: points > 0n ? amountOut('points', points) : null, cash: hasCash ? amountOut('cny', cents) : null }
  const waits = db.selectFrom('money_request').select('id').where('topic_id', '=', topicId).where('state', '=', 'waiting')
  const isWaiting = (await waits.where('kind', 'in', ['bountyChange', 'adoption']).executeTakeFirst()) !== undefined
  return { bounty: { isWaiting, state, ...amounts, endsAt: endsAt?.toISOString() ?? null, shares: await sharesOf(db, topicId) } }
}

/** Changes or returns a bounty, immediately or on approval. */
export async function change(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { topicId, reason, bountyPoints = none, bountyCash = none }: ParsedInput<typeof changeBounty>,
): Promise<{ isWaiting: boolean }> {
  byStaff(by, reason)
  const now = (await find(tx, topicId)) ?? { points: none, cents: none }
  const input = { topicId, from: kept(now), to: kept({ points: bountyPoints, cents: bountyCash }) }
  const { isWaiting } = await moveByHand(tx, by, client, bountyChange, { input, reason })
  return { isWaiting }
}

const Kept = z.object({ points: z.string(), cents: z.string() })
const Change = z.object({ topicId: z.string(), from: Kept, to: Kept })

/** An approval covers one change, from one amount to another; it is refused if the bounty changed meanwhile. */
export const bountyChange: ByHand<z.infer<typeof Change>> = {
  kind: 'bountyChange',
  input: Change,
  async check(tx, by, { topicId, from, to }) {
    const { bounty } = await lockOpen(tx, by, topicId)
    if (kept(bounty).points !== from.points || kept(bounty).cents !== from.cents) throw RequestOutdated()
    const [before, after] = [amountsIn(from), amountsIn(to)]
    const moved = { points: between(before.points, after.points), cents: between(before.cents, after.cents) }
    return { ...moved, topicId, detail: { bounty: { from: shown(before), to: shown(after) } } }
  },
  async carryOut(tx, by, { topicId, from, to }, { by: actor, reason }) {
    const { question, bounty } = await lockOpen(tx, by, topicId)
    const [deed, amounts] = [{ by: actor, reason }, amountsIn(to)]
    if (isNone(amounts)) await giveBack(tx, bounty, deed)
    else if (bounty.isOver || !bounty.endsAt) throw NotOpen()
    else await take(tx, bounty, question.authorId, { ...amounts, endsAt: bounty.endsAt }, deed)
    changed(tx, question)
    return { transactionIds: [], note: { deed: 'topic.bounty', about: `topic ${topicId}`, before: from, after: to } }
  },
}

/** The question and its open bounty, both locked. Staff do not change their own bounty. */
async function lockOpen(tx: Db, by: Staff, topicId: string): Promise<{ question: LockedQuestion; bounty: Bounty }> {
  const question = await lockAsked(tx, topicId)
  if (!question) throw Missing()
  if (question.authorId === by.id) throw OwnCase()
  const bounty = await lockRow(tx, topicId)
  if (bounty?.state !== 'open' || !bounty.endsAt) throw NotOpen()
  return { question, bounty }
}

function kept({ points, cents }: Amounts): z.infer<typeof Kept> {
  return { points: String(points), cents: String(cents) }
}

function amountsIn({ points, cents }: z.infer<typeof Kept>): Amounts {
  return { points: minorOf(points), cents: minorOf(cents) }
}

function between(one: Minor, other: Minor): Minor {
  return minorOf(one > other ? one - other : other - one)
}

function shown({ points, cents }: Amounts): OfferView {
  return { points: points > 0n ? amountOut('points', points) : null, cash: cents > 0n ? amountOut('cny', cents) : null }
}
