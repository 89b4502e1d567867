import { anyOf, type Db } from '#base/server/database/database.ts'
import type { BountyView, OfferView } from '#bounty/contract.ts'
import { findBounty } from '#bounty/server/lock.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'
import { serializeAmount, toMinor } from '#wallet/contract.ts'

/** The public bounty of a question: open, or paid. */
export async function viewOf(db: Db, questionId: string): Promise<BountyView | null> {
  const bounty = await findBounty(db, questionId)
  const { state, endsAt, isOver } = bounty ?? {}
  if (!bounty || !endsAt || (state !== 'paid' && (state !== 'open' || isOver))) return null
  const offer = await offerView(db, bounty)
  return offer && { state, ...offer, endsAt: endsAt.toISOString(), shares: state === 'paid' ? await sharesOf(db, questionId) : [] }
}

export async function offersOf(db: Db, questionIds: readonly string[]): Promise<Map<string, OfferView>> {
  const rows = await db
    .selectFrom('bounty')
    .select(['topic_id', 'points', 'cents'])
    .where('topic_id', '=', anyOf(questionIds))
    .where('state', '=', 'open')
    .execute()
  const views = rows.map(async ({ topic_id, points, cents }) => ({ id: topic_id, view: await offerView(db, { points, cents }) }))
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
  return [...groups].flatMap(([commentId, parts]) => {
    const received = (currency: 'points' | 'cny') => {
      const amount = parts.find((row) => row.currency === currency)?.amount
      return amount === undefined ? null : serializeAmount(currency, toMinor(amount))
    }
    const share = {
      commentId,
      member: people.get(parts[0]?.member_id ?? '') ?? null,
      points: received('points'),
      cash: allowCash ? received('cny') : null,
    }
    return share.points === null && share.cash === null ? [] : [share]
  })
}

/** Null if the offer is only money and the site has no balances. */
async function offerView(db: Db, { points, cents }: Record<'points' | 'cents', string | bigint>): Promise<OfferView | null> {
  const { allowCash } = await setting.all(db)
  const offer = {
    points: toMinor(points) > 0n ? serializeAmount('points', toMinor(points)) : null,
    cash: allowCash && toMinor(cents) > 0n ? serializeAmount('cny', toMinor(cents)) : null,
  }
  return offer.points === null && offer.cash === null ? null : offer
}
