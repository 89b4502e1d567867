import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { RawInput } from '#base/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import {
  memberRoleTimes,
  membershipChoices,
  membershipOrder,
  membershipOrders,
  membershipOrderTotals,
  noteOrderExport,
  refundMembershipOrder,
} from '#membership/order-contract.ts'
import { aCard, aCoupon, buys } from '#membership/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aRole } from '#tag/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'

let forum: Forum
let hand: Staffer
let mei: Person
let tom: Person
let cardId: string
let ids: string[]

beforeAll(async () => {
  forum = await aForum()
  await change({ allowCash: true, timeZone: 'Asia/Shanghai' })
  hand = await aStaffer(forum, ['membership.view', 'membership.refund'])
})
beforeEach(async () => {
  ;[mei, tom] = [await forum.member(), await forum.member()]
  const roleId = await aRole(forum.database, ['invite'])
  ;({ cardId, ids } = await aCard(forum.database, roleId, [
    { points: 30, duration: 30, unit: 'day' },
    { cents: 1_250, points: 10, duration: 1, unit: 'month' },
  ]))
  for (const who of [mei, tom]) {
    await endow(forum.database, who.id, 200)
    await endow(forum.database, who.id, 10_000, 'cny')
  }
})

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

async function buysOne(who: Person, which = 0, more: Record<string, unknown> = {}): Promise<string> {
  const price = which === 0 ? { points: '30' } : { points: '10', cash: '12.50' }
  const { status, body } = await buys(who, ids[which] ?? '', { ...price, ...more })
  expect(status).toBe(200)
  return body.orderId
}

const found = async (filter: RawInput<typeof membershipOrders>) =>
  (await hand.call(membershipOrders, { card: cardId, ...filter })).rows.map(({ id }) => id)
const totals = (filter: RawInput<typeof membershipOrderTotals>) => hand.call(membershipOrderTotals, { card: cardId, ...filter })

test('orders are found by card, specification, person, number, day, state, gift and coupon, with totals over all that is found', async () => {
  await aCoupon(forum.database, `HALF${cardId}`, 50)
  const plain = await buysOne(mei)
  const gift = await buysOne(mei, 0, { receiver: tom.account, note: 'For you' })
  const cheap = await buysOne(tom, 0, { coupon: `half${cardId}`, points: '15' })
  const ended = await buysOne(mei, 1)
  await sql`update membership_order set during = tstzrange(lower(during) - interval '1 year', upper(during) - interval '1 year'), at = '2025-03-01T16:30:00Z'
    where id = ${ended}`.execute(forum.database.app)
  const refunded = await buysOne(tom, 1)
  await hand.call(
    refundMembershipOrder,
    { orderId: refunded, way: 'amount', cash: '2.50', points: '0', reason: 'Kindness' },
    newIdempotencyKey(),
  )

  expect(await found({})).toEqual([refunded, cheap, gift, plain, ended])
  expect(await found({ order: 'asc' })).toEqual([ended, plain, gift, cheap, refunded])
  expect(await found({ specification: ids[1] ?? '' })).toEqual([refunded, ended])
  expect(await found({ member: tom.id })).toEqual([refunded, cheap, gift])
  expect([await found({ state: 'running' }), await found({ state: 'ended' }), await found({ state: 'refunded' })]).toEqual([
    [cheap, gift, plain],
    [ended],
    [refunded],
  ])
  expect([await found({ gift: 'yes' }), await found({ coupon: 'yes' })]).toEqual([[gift], [cheap]])
  // 00:30 on the second of March in the site's time zone.
  expect(await found({ from: '2025-03-02', until: '2025-03-02' })).toEqual([ended])
  expect(await found({ from: '2025-03-01', until: '2025-03-01' })).toEqual([])
  const { number, note } = await hand.call(membershipOrder, { orderId: gift })
  expect([await found({ number }), note]).toEqual([[gift], 'For you'])

  expect(await totals({})).toEqual({
    count: 5,
    refunds: 1,
    paid: { cash: '25.00', points: '95' },
    refunded: { cash: '2.50', points: null },
  })
  expect(await totals({ member: mei.id, state: 'running' })).toMatchObject({ count: 2, paid: { cash: null, points: '60' }, refunds: 0 })
  const { cards } = await hand.call(membershipChoices, {})
  expect(cards.find(({ id }) => id === cardId)?.specifications.map(({ id }) => id)).toEqual(ids)
})

test('a member’s page shows the orders they bought and received, and the times of their roles', async () => {
  const [gift, own] = [await buysOne(mei, 0, { receiver: tom.account }), await buysOne(tom)]
  expect(await found({ member: tom.id })).toEqual([own, gift])
  const { member, roles } = await hand.call(memberRoleTimes, { memberId: tom.id })
  expect([member.id, roles]).toMatchObject([tom.id, [{ isNow: true }]])
  expect((await hand.tryCall(memberRoleTimes, { memberId: '999999999' })).status).toBe(404)
})

test('a site without a balance shows none', async () => {
  const orderId = await buysOne(mei, 1)
  await change({ allowCash: false })
  expect(await hand.call(membershipOrder, { orderId })).toMatchObject({ paid: { cash: null, points: '10' }, rest: { cash: null } })
  expect(await totals({})).toMatchObject({ paid: { cash: null, points: '10' } })
  await change({ allowCash: true })
})

test('pages go on after each other, also where several were bought at one moment', async () => {
  const orders = []
  for (let n = 0; n < 4; n++) orders.unshift(await buysOne(mei, 0, { quantity: 1 }))
  await sql`update membership_order set at = '2026-01-01' where card_id = ${cardId}`.execute(forum.database.app)
  expect(await found({})).toEqual(orders)
})

test('orders are for staff with the right to view them; a download is logged', async () => {
  const orderId = await buysOne(mei)
  const [other, watcher] = [await aStaffer(forum, ['membership.manage', 'membership.refund']), await aStaffer(forum, ['membership.view'])]
  for (const who of [other, mei, forum.visitor()]) {
    const statuses = [
      await who.tryCall(membershipOrders, {}),
      await who.tryCall(membershipOrderTotals, {}),
      await who.tryCall(membershipOrder, { orderId }),
      await who.tryCall(membershipChoices, {}),
      await who.tryCall(memberRoleTimes, { memberId: mei.id }),
      await who.tryCall(noteOrderExport, { rows: 1 }),
    ].map(({ status }) => status)
    expect(statuses.filter((status) => status !== 401 && status !== 403)).toEqual([])
  }
  expect((await watcher.tryCall(noteOrderExport, { rows: 1, asked: 'card=1' })).status).toBe(200)
  expect((await watcher.tryCall(membershipOrder, { orderId: '999999999' })).status).toBe(404)
  for (const bad of [{ from: '2026-02-30' }, { number: 'abc' }, { state: 'gone' }, { card: '-1' }])
    expect((await watcher.tryCall(membershipOrders, bad as never)).status).toBe(400)
})
