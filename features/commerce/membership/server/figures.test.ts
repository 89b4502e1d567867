import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { membershipFigures } from '#membership/figures-contract.ts'
import { refundMembershipOrder } from '#membership/order-contract.ts'
import { aCard, buys } from '#membership/testing/factories.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aRole } from '#tag/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'

const forum = await aForum()
const hand = await aStaffer(forum, ['membership.view', 'membership.refund'])

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

test('figures count orders and refunds by day of the site and by card, current members, and memberships that end soon', async () => {
  await change({ allowCash: true, timeZone: 'Pacific/Apia' })
  const [silver, gold] = [await aRole(forum.database, ['invite']), await aRole(forum.database, ['invite'])]
  const short = await aCard(forum.database, silver, [{ points: 10, duration: 3, unit: 'day' }], { name: 'Short' })
  const long = await aCard(forum.database, gold, [{ cents: 500, duration: 1, unit: 'month' }], { name: 'Long' })
  await aCard(forum.database, gold, [{ points: 1 }], { name: 'Never bought' })
  const [mei, tom] = [await forum.member(), await forum.member()]
  for (const who of [mei, tom]) {
    await endow(forum.database, who.id, 100)
    await endow(forum.database, who.id, 2_000, 'cny')
  }
  await buys(mei, short.ids[0] ?? '', { points: '10' })
  await buys(mei, long.ids[0] ?? '', { cash: '5.00' })
  const { body } = await buys(tom, long.ids[0] ?? '', { cash: '5.00' })
  await sql`update membership_order set at = at - interval '1 day' where buyer_id = ${mei.id} and card_id = ${short.cardId}`.execute(
    forum.database.app,
  )
  await hand.call(refundMembershipOrder, { orderId: body.orderId, way: 'all', reason: 'It was wrong' }, newIdempotencyKey())

  const seen = await hand.call(membershipFigures, { days: 7 })
  expect(seen).toMatchObject({ active: 1, endsNextWeek: 1, total: { orders: 3, refunds: 1, paid: { cash: '10.00', points: '10' } } })
  expect(seen.days.slice(-2)).toMatchObject([
    { orders: 1, points: 10, yuan: 0, refunds: 0 },
    { orders: 2, points: 0, yuan: 10, refunds: 1 },
  ])
  expect(seen.days.at(-1)?.day).toBe(new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Apia' }).format(new Date()))
  expect(seen.cards).toMatchObject([
    { id: short.cardId, orders: 1, active: 1, refunds: 0 },
    { id: long.cardId, orders: 2, active: 1, refunds: 1, refunded: { cash: '5.00', points: null } },
  ])

  await change({ allowCash: false })
  expect(await hand.call(membershipFigures, {})).toMatchObject({ hasCash: false, total: { paid: { cash: null, points: '10' } } })
})

test('figures are for staff with the right to view orders', async () => {
  const other = await aStaffer(forum, ['membership.manage', 'statistic.view'])
  for (const who of [other, await forum.member(), forum.visitor()])
    expect((await who.tryCall(membershipFigures, {})).status).toBeOneOf([401, 403])
  expect((await hand.tryCall(membershipFigures, { days: 8 })).status).toBe(400)
})
