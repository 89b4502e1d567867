import { anyOf, type Db } from '#base/server/database/database.ts'
import type { BountyView, OfferView } from '#bounty/contract.ts'
import { find } from '#bounty/server/lock.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'
import { amountOut, minorOf } from '#wallet/contract.ts'

/** The public bounty of a question: open, or paid. */
export async function viewOf(db: Db, questionId: string): Promise<BountyView | null> {
  const bounty = await find(db, questionId)
  const { state, endsAt, isOver } = bounty ?? {}
  if (!bounty || !endsAt || (state !== 'paid' && (state !== 'open' || isOver))) return null
  const offer = await shown(db, bounty)
  return offer && { state, ...offer, endsAt: endsAt.toISOString(), shares: state === 'paid' ? await sharesOf(db, questionId) : [] }
}

export async function offersOf(db: Db, questionIds: readonly string[]): Promise<Map<string, OfferView>> {
  const rows = await db
    .selectFrom('bounty')
    .select(['topic_id', 'points', 'cents'])
    .where('topic_id', '=', anyOf(questionIds))
    .where('state', '=', 'open')
    .execute()
  const views = rows.map(async ({ topic_id, points, cents }) => ({ id: topic_id, view: await shown(db, { points, cents }) }))
  return new Map((await Promise.all(views)).flatMap(({ id, view }) => (view ? [[id, view]] : [])))
}

export async function sharesOf(db: Db, questionId: string): Promise<BountyView['shares']> {
  const rows = await db
    .selectFrom('bounty_share')
    .select(['comment_id', 'member_id', 'currency', 'amount'])
    .where('topic_id', '=', questionId)
    .orderBy('comment_id')
    .execute()
  const people = await user.authors(
    db,
    rows.map(({ member_id }) => member_id),
  )
  const { allowCash } = await setting.all(db)
  const groups = Map.groupBy(rows, ({ comment_id }) => comment_id)
  return [...groups].flatMap(([commentId, its]) => {
    const got = (currency: 'points' | 'cny') => {
      const amount = its.find((row) => row.currency === currency)?.amount
      return amount === undefined ? null : amountOut(currency, minorOf(amount))
    }
    const share = {
      commentId,
      member: people.get(its[0]?.member_id ?? '') ?? null,
      points: got('points'),
      cash: allowCash ? got('cny') : null,
    }
    return share.points === null && share.cash === null ? [] : [share]
  })
}

/** Null if the offer is only money and the site has no balances. */
async function shown(db: Db, { points, cents }: Record<'points' | 'cents', string | bigint>): Promise<OfferView | null> {
  const { allowCash } = await setting.all(db)
  const offer = {
    points: minorOf(points) > 0n ? amountOut('points', minorOf(points)) : null,
    cash: allowCash && minorOf(cents) > 0n ? amountOut('cny', minorOf(cents)) : null,
  }
  return offer.points === null && offer.cash === null ? null : offer
}
