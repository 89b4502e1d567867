import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { auditLog } from '#audit/contract.ts'
import type { Endpoint, RawInput } from '#base/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { runRounds } from '#base/testing/races.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { AbovePaidPoints, BuyerClosed, LaterOrder, NothingLeft, OrderRefunded } from '#membership/contract.ts'
import { membershipOrder, refundMembershipOrder } from '#membership/order-contract.ts'
import { aCard, buys } from '#membership/testing/factories.ts'
import { membersMerged } from '#membership/server/membership.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { me } from '#staff/right-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aRole } from '#tag/testing/factories.ts'
import { OwnAccount, RequestWaits } from '#wallet/contract.ts'
import { approveRequest, moneyRequests } from '#wallet/request-contract.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { endow } from '#wallet/testing/factories.ts'

let forum: Forum
let mei: Person
let roleId: string
let hand: Staffer
const reason = 'Bought by mistake'
const rights = ['membership.view', 'membership.refund', 'wallet.view', 'audit.view']

beforeAll(async () => {
  forum = await aForum()
  await change({ allowCash: true })
})
beforeEach(async () => {
  mei = await forum.member()
  roleId = await aRole(forum.database, ['invite'])
  hand = await aStaffer(forum, rights)
})
afterEach(async () => {
  const breaches = await checkLedger(forum.database, bookChecks, { isFull: true })
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

type Offer = { cents?: number; points?: number; stock?: number; duration?: number; unit?: 'hour' | 'day' }

async function bought(its: Offer = { points: 30 }, who = mei, more: Record<string, unknown> = {}) {
  const { ids, cardId } = await aCard(forum.database, roleId, [{ duration: 30, unit: 'day', ...its }])
  return { ...(await boughtAgain(ids[0] ?? '', its, who, more)), specificationId: ids[0] ?? '', cardId }
}

async function boughtAgain(id: string, { cents = 0, points = 0 }: Offer, who = mei, more: Record<string, unknown> = {}) {
  if (points > 0) await endow(forum.database, who.id, points)
  if (cents > 0) await endow(forum.database, who.id, cents, 'cny')
  const { status, body } = await buys(who, id, { points: String(points), cash: cents > 0 ? (cents / 100).toFixed(2) : '0', ...more })
  expect(status).toBe(200)
  return { orderId: body.orderId, number: body.number }
}

/** Moves an order and its role this many hours into the past. */
async function passed(hours: number, orderIds: readonly string[]): Promise<void> {
  const back = sql`make_interval(hours => ${hours})`
  await sql`update membership_order set during = tstzrange(lower(during) - ${back}, upper(during) - ${back}, '[)') where id = any(${orderIds}::bigint[])`.execute(
    forum.database.app,
  )
  await sql`update role_holding set during = tstzrange(lower(during) - ${back}, upper(during) - ${back}, '[)') where member_id = ${mei.id}`.execute(
    forum.database.app,
  )
}

async function daysHeld(memberId = mei.id): Promise<number> {
  const { rows } = await sql<{ days: number }>`
    select round(extract(epoch from upper(during) - clock_timestamp()) / 86400, 1)::float as days from role_holding
    where member_id = ${memberId} and role_id = ${roleId} and during @> clock_timestamp()`.execute(forum.database.app)
  return rows[0]?.days ?? 0
}

async function balanceOf(memberId: string, currency = 'points'): Promise<number> {
  const { rows } = await sql<{ balance: string }>`
    select balance from ledger.account where name = 'member' and owner_id = ${memberId} and currency = ${currency}::ledger.currency`.execute(
    forum.database.app,
  )
  return Number(rows[0]?.balance ?? 0)
}

async function soldOf(specificationId: string): Promise<number> {
  const row = await forum.database.app
    .selectFrom('membership_specification')
    .select('sold')
    .where('id', '=', specificationId)
    .executeTakeFirstOrThrow()
  return Number(row.sold)
}

const refund = (orderId: string, its: Partial<RawInput<typeof refundMembershipOrder>> = {}, who = hand) =>
  who.call(refundMembershipOrder, { orderId, reason, ...its }, newIdempotencyKey())

async function refusedWith<E extends Endpoint>(who: Staffer, endpoint: E, input: RawInput<E>) {
  const { status, error } = await who.tryCall(endpoint, input, newIdempotencyKey())
  return status === 200 ? null : error
}

test('the rest for the remaining days is paid back, the role ends, the units are on sale again, and both are notified', async () => {
  const { orderId, specificationId, number } = await bought({ points: 30, cents: 3_000, stock: 1 })
  await passed(9 * 24 + 5, [orderId])
  const before = await hand.call(membershipOrder, { orderId })
  expect(before).toMatchObject({ rest: { cash: '20.00', points: '20' }, canRefund: true, endsRole: true, state: 'running' })
  expect((await refund(orderId)).isWaiting).toBe(false)
  expect([await balanceOf(mei.id), await balanceOf(mei.id, 'cny'), await daysHeld(), await soldOf(specificationId)]).toEqual([
    20, 2_000, 0, 0,
  ])
  expect(await hand.call(membershipOrder, { orderId })).toMatchObject({
    state: 'refunded',
    canRefund: false,
    refund: { cash: '20.00', points: '20' },
  })
  const says = (await noticesOf(mei)).map((one) => one.says)
  expect(says).toContainEqual({
    kind: 'membershipRefunded',
    card: { zh: 'Silver', en: 'Silver' },
    paid: { cash: '20.00', points: '20' },
    reason,
  })
  const [entry] = (await hand.call(auditLog, {})).rows
  expect(entry).toMatchObject({ action: 'membershipOrder.refund', about: `membershipOrder ${orderId}` })
  expect(JSON.stringify(entry)).toContain(number)
})

test('the whole price, or an amount up to the payment in each currency', async () => {
  const [all, part] = [await bought(), await bought({ points: 30, cents: 100 })]
  await refund(part.orderId, { way: 'amount', points: '7', cash: '0.5' })
  expect([await balanceOf(mei.id), await balanceOf(mei.id, 'cny')]).toEqual([7, 50])
  await passed(300, [all.orderId])
  await refund(all.orderId, { way: 'all' })
  expect(await balanceOf(mei.id)).toBe(37)
  const more = await bought()
  expect(await refusedWith(hand, refundMembershipOrder, { orderId: more.orderId, reason, way: 'amount', points: '31' })).toHaveProperty(
    AbovePaidPoints.field,
  )
  expect(await refusedWith(hand, refundMembershipOrder, { orderId: more.orderId, reason, way: 'amount' })).toHaveProperty(NothingLeft.field)
})

test('a refund is made once, also by two at the same time', async () => {
  const { orderId } = await bought()
  const other = await aStaffer(forum, rights)
  const tries = await Promise.all(
    [hand, other, hand].map((who) => who.tryCall(refundMembershipOrder, { orderId, reason, way: 'all' }, newIdempotencyKey())),
  )
  expect(tries.map(({ status }) => status).toSorted()).toEqual([200, OrderRefunded.status, OrderRefunded.status])
  expect(await balanceOf(mei.id)).toBe(30)
})

test('refunded and upgraded at once, an order is given back once', async () => {
  await runRounds(async () => {
    const who = await forum.member()
    const first = await bought({ points: 30 }, who)
    const better = await aCard(forum.database, await aRole(forum.database, ['invite']), [{ points: 50 }], { replaces: [first.cardId] })
    await endow(forum.database, who.id, 50)
    const [refunded, upgraded] = await Promise.all([
      hand.tryCall(refundMembershipOrder, { orderId: first.orderId, reason }, newIdempotencyKey()),
      buys(who, better.ids[0] ?? '', { points: '21', upgrades: true }),
    ])
    const outcome = [refunded.status === 200, upgraded.status === 200, await balanceOf(who.id)].join(' ')
    expect(outcome).toBeOneOf(['true false 79', 'false true 29'])
  }, 4)
})

test('an order that another one continues goes after it', async () => {
  const first = await bought({ points: 30 })
  const second = await boughtAgain(first.specificationId, { points: 30 })
  const refused = await refusedWith(hand, refundMembershipOrder, { orderId: first.orderId, reason })
  expect(refused?.[LaterOrder.field]).toContain(second.number)
  await refund(second.orderId)
  expect([await balanceOf(mei.id), await daysHeld()]).toEqual([30, 30])
  await refund(first.orderId)
  expect(await daysHeld()).toBe(0)
})

test('days of the role given by staff stay, and days taken by staff are not taken twice', async () => {
  const { orderId } = await bought()
  await sql`update role_holding set during = tstzrange(lower(during), upper(during) + interval '10 days') where member_id = ${mei.id}`.execute(
    forum.database.app,
  )
  await passed(5 * 24, [orderId])
  await refund(orderId)
  expect(await daysHeld()).toBe(10)

  const cut = await bought()
  await sql`update role_holding set during = tstzrange(lower(during), upper(during) - interval '25 days') where member_id = ${mei.id}`.execute(
    forum.database.app,
  )
  expect(await daysHeld()).toBe(15)
  await refund(cut.orderId)
  expect(await daysHeld()).toBe(10)

  await sql`delete from role_holding where member_id = ${mei.id}`.execute(forum.database.app)
  const order = await bought()
  await passed(2, [order.orderId])
  await sql`delete from role_holding where member_id = ${mei.id}`.execute(forum.database.app)
  await sql`insert into role_holding (member_id, role_id, during) values (${mei.id}, ${roleId}, tstzrange(clock_timestamp(), clock_timestamp() + interval '60 days'))`.execute(
    forum.database.app,
  )
  // Nothing is left of its own time, so the default refund is empty.
  expect((await hand.call(membershipOrder, { orderId: order.orderId })).rest).toEqual({ cash: null, points: null })
  await refund(order.orderId, { way: 'all' })
  expect(await daysHeld()).toBe(60)
})

test('a role without an end, and other roles, stay', async () => {
  const other = await aRole(forum.database, ['invite'])
  const { orderId } = await bought()
  await sql`update role_holding set during = tstzrange(lower(during), 'infinity') where member_id = ${mei.id}`.execute(forum.database.app)
  await sql`insert into role_holding (member_id, role_id, during) values (${mei.id}, ${other}, tstzrange(now(), now() + interval '3 days'))`.execute(
    forum.database.app,
  )
  await refund(orderId)
  const { rows } = await sql`select role_id from role_holding where member_id = ${mei.id} and during @> clock_timestamp()`.execute(
    forum.database.app,
  )
  expect(rows).toHaveLength(2)
})

test('a refunded gift pays back the giver and ends the role of the holder; both are notified', async () => {
  const tom = await forum.member()
  const { orderId } = await bought({ points: 30 }, mei, { receiver: tom.account })
  await refund(orderId)
  expect([await balanceOf(mei.id), await balanceOf(tom.id), await daysHeld(tom.id)]).toEqual([29, 0, 0])
  expect((await noticesOf(tom)).map(({ says }) => says.kind)).toContain('membershipTaken')
})

test('an order that is over is refunded on request alone, and ends nothing', async () => {
  const { orderId, specificationId } = await bought()
  await passed(31 * 24, [orderId])
  expect(await refusedWith(hand, refundMembershipOrder, { orderId, reason })).toHaveProperty(NothingLeft.field)
  await boughtAgain(specificationId, { points: 30 })
  await refund(orderId, { way: 'amount', points: '5' })
  expect([await balanceOf(mei.id), await daysHeld()]).toEqual([5, 30])
})

test('above the limits it waits for approval, and pays back no more than was asked', async () => {
  await change({ dailyApprovalThresholdPoints: 10 })
  const { orderId } = await bought()
  expect((await refund(orderId)).isWaiting).toBe(true)
  expect(await hand.call(membershipOrder, { orderId })).toMatchObject({ isWaiting: true, canRefund: false })
  expect((await hand.tryCall(refundMembershipOrder, { orderId, reason }, newIdempotencyKey())).status).toBe(RequestWaits.status)
  const second = await aStaffer(forum, rights)
  const { rows } = await second.call(moneyRequests, { state: 'waiting', kind: 'orderRefund' })
  const requestId = rows.find(({ askedBy }) => askedBy === hand.account)?.id ?? ''
  expect((await hand.tryCall(approveRequest, { requestId }, newIdempotencyKey())).status).not.toBe(200)
  await passed(9 * 24 + 5, [orderId])
  await second.call(approveRequest, { requestId }, newIdempotencyKey())
  expect([await balanceOf(mei.id), await daysHeld()]).toEqual([20, 0])
  await change({ dailyApprovalThresholdPoints: 100_000 })
})

test('staff cannot refund their own order, bought or received', async () => {
  const { memberId } = await hand.call(me, {})
  const { orderId } = await bought()
  await sql`update membership_order set member_id = ${memberId} where id = ${orderId}`.execute(forum.database.app)
  expect((await hand.call(membershipOrder, { orderId })).canRefund).toBe(false)
  expect(await refusedWith(hand, refundMembershipOrder, { orderId, reason })).toHaveProperty(OwnAccount.field)
  expect(await balanceOf(mei.id)).toBe(0)
})

test('a buyer whose account was merged is paid there; a closed account is paid nothing', async () => {
  const [into, tom, { orderId }] = [await forum.member(), await forum.member(), await bought()]
  await sql`update member set deactivated_at = now(), deactivated_as = 'cancelled', merged_into = ${into.id} where id = ${mei.id}`.execute(
    forum.database.app,
  )
  await refund(orderId)
  expect([await balanceOf(into.id), await daysHeld()]).toEqual([29, 0])
  expect((await noticesOf(into)).map(({ says }) => says.kind)).toContain('membershipRefunded')
  const closed = await bought({ points: 30 }, tom)
  await sql`update member set deactivated_at = now(), deactivated_as = 'cancelled' where id = ${tom.id}`.execute(forum.database.app)
  expect(await refusedWith(hand, refundMembershipOrder, { orderId: closed.orderId, reason })).toHaveProperty(BuyerClosed.field)
})

test('of merged accounts each order takes its own time with it, whichever began first', async () => {
  const [into, first] = [await forum.member(), await bought()]
  const second = await boughtAgain(first.specificationId, { points: 30 }, into)
  await transact(forum.database, (tx) => membersMerged(tx, { from: mei.id, into: into.id }))
  await sql`update member set deactivated_at = now(), deactivated_as = 'cancelled', merged_into = ${into.id} where id = ${mei.id}`.execute(
    forum.database.app,
  )
  expect(await daysHeld(into.id)).toBe(60)
  expect(await refusedWith(hand, refundMembershipOrder, { orderId: first.orderId, reason })).toHaveProperty(LaterOrder.field)
  await refund(second.orderId)
  expect(await daysHeld(into.id)).toBe(30)
  await refund(first.orderId)
  expect([await balanceOf(into.id), await daysHeld(into.id)]).toEqual([58, 0])
})

test('refunds take their right, and a reason', async () => {
  const { orderId } = await bought()
  const looks = await aStaffer(forum, ['membership.view', 'wallet.reverse'])
  expect((await looks.tryCall(refundMembershipOrder, { orderId, reason }, newIdempotencyKey())).status).toBe(403)
  expect(await refusedWith(hand, refundMembershipOrder, { orderId, reason: '' })).toHaveProperty('reason')
  expect((await mei.tryCall(membershipOrder, { orderId })).status).toBeGreaterThanOrEqual(401)
  expect((await hand.tryCall(refundMembershipOrder, { orderId: '999999999', reason }, newIdempotencyKey())).status).toBe(404)
})
