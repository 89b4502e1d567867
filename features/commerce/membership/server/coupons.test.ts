import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ChangedSince } from '#audit/contract.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import * as membership from '#membership/contract.ts'
import * as contract from '#membership/coupon-contract.ts'
import { discountOf } from '#membership/server/coupon.ts'
import { aCard, buys } from '#membership/testing/factories.ts'
import { MoreThanOwn } from '#role/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aRole } from '#tag/testing/factories.ts'
import { toMinor } from '#wallet/contract.ts'
import { endow } from '#wallet/testing/factories.ts'

let forum: Forum
let chief: Staffer
let mei: Person
let cardId: string
let specificationId: string

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  await forum.database.app.transaction().execute((tx) => applySettings(tx, { allowCash: true }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
})

beforeEach(async () => {
  mei = await rich()
  const { cardId: newCardId, ids } = await aCard(forum.database, await aRole(forum.database, ['invite']), [{ cents: 1_001, points: 51 }])
  cardId = newCardId
  specificationId = ids[0] ?? ''
})

async function rich(): Promise<Person> {
  const person = await forum.member()
  await endow(forum.database, person.id, 10_000)
  await endow(forum.database, person.id, 100_000, 'cny')
  return person
}

let couponCount = 0
let keys = 0
const keyed = () => ({ 'idempotency-key': `a-key-for-coupon-${++keys}` })
const full = { cash: '10.01', points: '51' }

async function aCoupon(its: Record<string, unknown>): Promise<{ couponId: string; code: string }> {
  const code = `SPRING-${++couponCount}`
  return { code, ...(await chief.call(contract.addCoupon, { name: 'Spring', code, ...its })) }
}

async function quoted(coupon: string, its: Record<string, unknown> = {}) {
  const { status, body, error } = await mei.tryCall(membership.membershipQuote, { specificationId, coupon, ...its })
  return status === 200 ? body.toPay : Object.keys(error)
}

test('a percentage comes off both currencies, rounded for the house, and an amount off each as far as it goes', async () => {
  expect(await quoted((await aCoupon({ percent: 10 })).code)).toEqual({ cash: '9.01', points: '46' })
  expect(await quoted((await aCoupon({ percent: 100 })).code)).toEqual({ cash: null, points: null })
  expect(await quoted((await aCoupon({ cash: '2.50', points: '60' })).code)).toEqual({ cash: '7.51', points: null })
})

test('no discount is below nothing, above the price, or more than its percentage', () => {
  const amount = fc.bigInt({ min: 0n, max: 999_999_999_999n })
  const terms = fc.oneof(
    fc.record({ percent: fc.integer({ min: 1, max: 100 }), cents: fc.constant(null), points: fc.constant(null) }),
    fc.record({
      percent: fc.constant(null),
      cents: fc.option(fc.integer({ min: 1, max: 999_999_999_999 })),
      points: fc.option(fc.integer({ min: 1, max: 999_999_999_999 })),
    }),
  )
  fc.assert(
    fc.property(terms, amount, amount, (coupon, cents, points) => {
      const off = discountOf(coupon, { cents: toMinor(cents), points: toMinor(points) })
      for (const [its, price, most] of [
        [off.cents, cents, coupon.cents],
        [off.points, points, coupon.points],
      ] as const) {
        expect(its >= 0n && its <= price).toBe(true)
        const part = (price * BigInt(coupon.percent ?? 0)) / 100n
        const amount = BigInt(most ?? 0) < price ? BigInt(most ?? 0) : price
        expect(its).toBe(coupon.percent === null ? amount : part)
      }
    }),
  )
})

test('a purchase with a coupon charges the reduced price, and the order shows both', async () => {
  const { couponId, code } = await aCoupon({ percent: 10 })
  expect((await buys(mei, specificationId, { coupon: code, cash: '9.01', points: '46' })).status).toBe(200)
  const { orders } = await mei.call(membership.membershipCardOrderList, {})
  expect(orders).toMatchObject([{ price: full, paid: { cash: '9.01', points: '46' } }])
  expect(await chief.call(contract.couponForStaff, { couponId })).toMatchObject({ uses: 1, codes: 1, maxUses: null })
  await chief.call(contract.editCoupon, { couponId, version: 1, name: 'Late spring', percent: 50 })
  expect((await mei.call(membership.membershipCardOrderList, {})).orders).toMatchObject([{ paid: { cash: '9.01', points: '46' } }])
  expect(await quoted(code)).toEqual({ cash: '5.01', points: '26' })
})

test.each(['spring-x', ' Spring-X ', 'ｓｐｒｉｎｇ－ｘ', 'SPRING‑X', 'spring - x', 'SPRING\u200b-X'])(
  'the code SPRING-X is taken as %j',
  async (typed) => {
    await chief.tryCall(contract.addCoupon, { name: 'Spelled', code: 'spring–x', percent: 10 })
    expect(await quoted(typed)).toEqual({ cash: '9.01', points: '46' })
  },
)

test('the last use of a code goes to one of several buyers at once, and the others pay nothing', async () => {
  const { couponId, code } = await aCoupon({ percent: 10, maxUses: 2 })
  const people = await Promise.all(Array.from({ length: 6 }, rich))
  const answers = await Promise.all(people.map((who) => buys(who, specificationId, { coupon: code, cash: '9.01', points: '46' })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(answers.filter(({ error }) => Object.hasOwn(error, membership.CouponUsed.field))).toHaveLength(4)
  expect(await chief.call(contract.couponForStaff, { couponId })).toMatchObject({ uses: 2, maxUses: 2 })
})

test('a member uses a coupon as often as it allows, with any of its codes and in two tabs', async () => {
  const { couponId, code } = await aCoupon({ percent: 10, usesPerMember: 1 })
  await chief.call(contract.addCouponCode, { couponId, code: `${code}-B` })
  const codes = [code, `${code}-B`]
  const answers = await Promise.all(codes.map((coupon) => buys(mei, specificationId, { coupon, cash: '9.01', points: '46' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, membership.CouponUsed.status])
})

test('a coupon is for its cards, its time and its least price, and never used up for nothing', async () => {
  const { cardId: other } = await aCard(forum.database, await aRole(forum.database, ['invite']), [{ points: 5 }])
  const { ids } = await aCard(forum.database, await aRole(forum.database, ['invite']), [{ points: 5 }])
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString()
  const refused = async (its: Record<string, unknown>, id = specificationId) => {
    const { code } = await aCoupon({ percent: 10, ...its })
    return (await mei.tryCall(membership.membershipQuote, { specificationId: id, coupon: code })).response.body
  }
  const says = { notForThis: 'apply', notNow: 'valid' }
  expect(await refused({ cardIds: [other] })).toContain(says.notForThis)
  expect(await refused({ cardIds: [cardId, other] })).toContain('toPay')
  expect(await refused({ startsAt: inAnHour })).toContain(says.notNow)
  expect(await refused({ startsAt: '2020-01-01T00:00:00Z', endsAt: anHourAgo })).toContain(says.notNow)
  expect(await refused({ isEnabled: false })).toContain(says.notNow)
  expect(await refused({ minPrice: '10.02' })).toContain(says.notForThis)
  expect(await refused({ minPrice: '10.01' })).toContain('toPay')
  expect(await refused({ percent: undefined, cash: '5' }, ids[0])).toContain(says.notForThis)
  expect(await refused({ percent: 10 }, ids[0])).toContain(says.notForThis)
})

test('a coupon takes off a percentage or an amount, within its time', async () => {
  const wrongIn = async (its: Record<string, unknown>) =>
    Object.keys((await chief.tryCall(contract.addCoupon, { name: 'Wrong', ...its })).error)
  expect(await wrongIn({})).toEqual(['percent'])
  expect(await wrongIn({ percent: 10, cash: '1' })).toEqual(['percent'])
  expect(await wrongIn({ percent: 0 })).toEqual(['percent'])
  expect(await wrongIn({ percent: 101 })).toEqual(['percent'])
  for (const cash of ['-1', '0', '1e3', '一', '0.001']) expect(await wrongIn({ cash })).toContain('cash')
  expect(await wrongIn({ percent: 10, endsAt: '2020-01-01T00:00:00Z' })).toEqual(['endsAt'])
  expect(await wrongIn({ percent: 10, startsAt: '2030-01-02T00:00:00Z', endsAt: '2030-01-01T00:00:00Z' })).toEqual(['endsAt'])
  for (const code of ['abc', 'has_underscore', '汉字汉字', 'X'.repeat(33)]) expect(await wrongIn({ percent: 10, code })).toEqual(['code'])
})

test('a code belongs to one coupon only, in any spelling', async () => {
  const { code } = await aCoupon({ percent: 10 })
  expect(await chief.isRefused(contract.addCoupon, { name: 'Twice', percent: 5, code: code.toLowerCase() }, membership.CodeTaken)).toBe(
    true,
  )
  const { couponId } = await aCoupon({ percent: 10 })
  expect(await chief.isRefused(contract.addCouponCode, { couponId, code }, membership.CodeTaken)).toBe(true)
})

test('ten thousand codes are made at once: each another, easy to read, and used once', async () => {
  const { couponId } = await chief.call(contract.addCoupon, { name: 'Flyers', percent: 10 })
  expect(await chief.call(contract.makeCouponCodes, { couponId, count: contract.maxCodes, prefix: 'fly-' }, keyed())).toEqual({
    count: contract.maxCodes,
  })
  const { rows, count } = await chief.call(contract.couponCodeList, { couponId, size: 200 })
  expect([rows.length, count, rows.filter(({ code }) => !/^FLY-[A-HJKMNP-Z2-9]{12}$/.test(code))]).toEqual([200, 1_000, []])
  expect(await chief.call(contract.couponForStaff, { couponId })).toMatchObject({ codes: contract.maxCodes, maxUses: contract.maxCodes })
  const code = rows[0]?.code ?? ''
  expect((await buys(mei, specificationId, { coupon: code, cash: '9.01', points: '46' })).status).toBe(200)
  expect(await quoted(code)).toEqual(['coupon'])
  expect((await chief.call(contract.couponCodeList, { couponId, used: 'up' })).rows).toMatchObject([{ code, uses: 1, maxUses: 1 }])
  expect((await chief.call(contract.couponList, { keyword: code.toLowerCase() })).rows).toMatchObject([{ id: couponId }])
})

test('the limit of a code can be raised, removed, and lowered to the number of uses', async () => {
  const { couponId, code } = await aCoupon({ percent: 10, maxUses: 2 })
  expect((await buys(mei, specificationId, { coupon: code, cash: '9.01', points: '46' })).status).toBe(200)
  expect((await buys(mei, specificationId, { coupon: code, cash: '9.01', points: '46' })).status).toBe(200)
  const [row] = (await chief.call(contract.couponCodeList, { couponId })).rows
  const codeId = row?.id ?? ''
  expect(await chief.isRefused(contract.limitCouponCode, { codeId, maxUses: 1 }, membership.CodeUsedMore)).toBe(true)
  await chief.call(contract.limitCouponCode, { codeId, maxUses: 3 })
  expect(await quoted(code)).toEqual({ cash: '9.01', points: '46' })
  await chief.call(contract.limitCouponCode, { codeId })
  expect((await chief.call(contract.couponForStaff, { couponId })).maxUses).toBe(null)
})

test('another’s save meanwhile is not overwritten, and the log has every change', async () => {
  const { couponId } = await aCoupon({ percent: 10, cardIds: [cardId] })
  const form = { couponId, version: 1, name: 'Summer', cash: '3' }
  await chief.call(contract.editCoupon, form)
  expect(await chief.isRefused(contract.editCoupon, form, ChangedSince)).toBe(true)
  await chief.call(contract.enableCoupon, { couponId, isEnabled: false })
  const actions = await forum.database.app
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('about', '=', `coupon ${couponId}`)
    .orderBy('id')
    .execute()
  expect(actions).toMatchObject([
    { action: 'coupon.add' },
    { action: 'coupon.edit', before: { percent: 10, cards: [cardId] }, after: { percent: null, cny: '3.00', cards: [] } },
    { action: 'coupon.edit', before: { is_enabled: true }, after: { is_enabled: false } },
  ])
})

test('staff make no role cheaper that they may not give', async () => {
  const { cardId: keepers } = await aCard(forum.database, await aRole(forum.database, ['content.edit.any']), [{ points: 5 }])
  const helper = await aStaffer(forum, ['membership.view', 'membership.manage'])
  const draft = { name: 'Helper’s', percent: 100 }
  expect(await helper.isRefused(contract.addCoupon, draft, MoreThanOwn)).toBe(true)
  expect(await helper.isRefused(contract.addCoupon, { ...draft, cardIds: [keepers] }, MoreThanOwn)).toBe(true)
  const { couponId } = await helper.call(contract.addCoupon, { ...draft, cardIds: [cardId] })
  expect(await helper.isRefused(contract.editCoupon, { couponId, version: 1, ...draft, cardIds: [cardId, keepers] }, MoreThanOwn)).toBe(
    true,
  )
  expect(await helper.isRefused(contract.editCoupon, { couponId, version: 1, ...draft }, MoreThanOwn)).toBe(true)
})

test('staff without the right are refused, and staff with the right to view see no codes', async () => {
  const { couponId, code } = await aCoupon({ percent: 10 })
  const [nobody, looker] = [await aStaffer(forum, ['member.view']), await aStaffer(forum, ['membership.view'])]
  const [row] = (await chief.call(contract.couponCodeList, { couponId })).rows
  const changes = [
    [contract.addCoupon, { name: 'No', percent: 1 }],
    [contract.editCoupon, { couponId, version: 1, name: 'No', percent: 1 }],
    [contract.enableCoupon, { couponId, isEnabled: false }],
    [contract.addCouponCode, { couponId, code: `${code}-C` }],
    [contract.makeCouponCodes, { couponId, count: 1 }],
    [contract.limitCouponCode, { codeId: row?.id ?? '' }],
    [contract.couponCodeList, { couponId }],
    [contract.noteCodesExport, { rows: 1 }],
  ] as const
  for (const [call, input] of changes) {
    for (const who of [nobody, looker])
      expect([call.path, (await who.tryCall(call, input as never, keyed())).status]).toEqual([call.path, 403])
  }
  expect((await nobody.tryCall(contract.couponList, {})).status).toBe(403)
  expect((await looker.tryCall(contract.couponForStaff, { couponId })).response.body).not.toContain(code)
})
