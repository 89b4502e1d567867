import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Staff } from '#base/server/route.ts'
import { NotOpen, type bountyForStaff, type changeBounty } from '#bounty/contract.ts'
import { byStaff } from '#bounty/server/adopt.ts'
import { giveBack, isNone, take } from '#bounty/server/escrow.ts'
import { changed, find, lockAsked, lockRow } from '#bounty/server/lock.ts'
import { sharesOf } from '#bounty/server/view.ts'
import * as setting from '#setting/server/setting.ts'
import { OwnCase } from '#staff/contract.ts'
import { amountOut, minorOf } from '#wallet/contract.ts'

export async function show(db: Db, topicId: string): Promise<Output<typeof bountyForStaff>> {
  const bounty = await find(db, topicId)
  if (!bounty) return { bounty: null }
  const { state, points, cents, endsAt } = bounty
  const { allowCash } = await setting.all(db)
  // What is still held is told, whether or not the site has a balance now.
  const hasCash = cents > 0n && (allowCash || state === 'open')
  const amounts = { points: points > 0n ? amountOut('points', points) : null, cash: hasCash ? amountOut('cny', cents) : null }
  return { bounty: { state, ...amounts, endsAt: endsAt?.toISOString() ?? null, shares: await sharesOf(db, topicId) } }
}

/** Staff set a bounty right that is wrong, or return it. */
export async function change(tx: Db, by: Staff, from: From, { topicId, reason, ...typed }: Taken<typeof changeBounty>): Promise<void> {
  const deed = byStaff(by, reason)
  const question = await lockAsked(tx, topicId)
  if (!question) throw Missing()
  if (question.authorId === by.id) throw OwnCase()
  const bounty = await lockRow(tx, topicId)
  if (bounty?.state !== 'open' || !bounty.endsAt) throw NotOpen()
  const to = { points: typed.bountyPoints ?? minorOf(0), cents: typed.bountyCash ?? minorOf(0) }
  if (isNone(to)) await giveBack(tx, bounty, deed)
  else if (bounty.isOver) throw NotOpen()
  else await take(tx, bounty, question.authorId, { ...to, endsAt: bounty.endsAt }, deed)
  changed(tx, question)
  const [before, after] = [bounty, to].map(({ points, cents }) => ({ points: String(points), cents: String(cents) }))
  await audit.note(tx, by.staff, from, { deed: 'topic.bounty', about: `topic ${topicId}`, reason, before, after })
}
