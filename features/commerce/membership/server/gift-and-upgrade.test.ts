import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { block } from '#follow/contract.ts'
import * as contract from '#membership/contract.ts'
import { aCard, aCoupon, buys } from '#membership/testing/factories.ts'
import { setMemberRoles } from '#member/contract.ts'
import { systemNotifyList } from '#notification/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aRole, giveRole } from '#tag/testing/factories.ts'
import { breachesIn } from '#wallet/server/breaches.ts'
import { endow } from '#wallet/testing/factories.ts'

let forum: Forum
let mei: Person
let tom: Person
let silver: string
let gold: string

beforeAll(async () => {
  forum = await aForum()
  await forum.database.app.transaction().execute((tx) => applySettings(tx, { allowCash: true }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
})

beforeEach(async () => {
  mei = await forum.member()
  tom = await forum.member()
  silver = await aRole(forum.database, ['invite'])
  gold = await aRole(forum.database, ['hidden.points'])
  await endow(forum.database, mei.id, 10_000)
  await endow(forum.database, mei.id, 10_000, 'cny')
})

async function daysOf(memberId: string, roleId: string): Promise<number> {
  const { rows } = await sql<{ days: number }>`
    select round(extract(epoch from upper(during) - clock_timestamp()) / 86400)::int as days from role_holding
    where member_id = ${memberId} and role_id = ${roleId} and during @> clock_timestamp()`.execute(forum.database.app)
  return rows[0]?.days ?? 0
}

async function balancesOf(memberId: string): Promise<[cents: number, points: number]> {
  const { rows } = await sql<{ currency: string; balance: string }>`
    select currency, balance from ledger.account where name = 'member' and owner_id = ${memberId}`.execute(forum.database.app)
  const of = (currency: string) => Number(rows.find((row) => row.currency === currency)?.balance ?? 0)
  return [of('cny'), of('points')]
}

/** Moves all recorded times back by this many days. */
async function daysPass(days: number): Promise<void> {
  for (const table of ['membership_order', 'role_holding'])
    await sql`update ${sql.table(table)} set during = tstzrange(lower(during) - make_interval(days => ${days}), upper(during) - make_interval(days => ${days}))
      where member_id in (${mei.id}, ${tom.id})`.execute(forum.database.app)
}

describe('a gift', () => {
  test('is paid by the giver and held by the receiver, who is notified with the giver’s note', async () => {
    const { ids } = await aCard(forum.database, silver, [{ points: 100, duration: 30, unit: 'day' }])
    const { status } = await buys(mei, ids[0] ?? '', { points: '100', receiver: tom.account, note: '生日快乐' })
    expect(status).toBe(200)
    expect([await daysOf(mei.id, silver), await daysOf(tom.id, silver)]).toEqual([0, 30])
    expect(await balancesOf(mei.id)).toEqual([10_000, 9_900])
    const { notices } = await tom.call(systemNotifyList, {})
    expect(notices[0]?.says).toMatchObject({ kind: 'membershipGiven', name: mei.account, note: '生日快乐', card: { en: 'Silver' } })
    const [theirs, mine] = await Promise.all([tom, mei].map((who) => who.call(contract.membershipCardOrderList, {})))
    expect(theirs?.orders[0]?.gift).toMatchObject({ from: { id: mei.id }, note: '生日快乐' })
    expect(mine?.orders[0]?.gift).toMatchObject({ to: { id: tom.id } })
  })

  test('is refused for a receiver who is unknown, oneself, gone, blocked, banned from money, or holds the role for good', async () => {
    const { ids } = await aCard(forum.database, silver, [{ points: 100 }])
    const refused = async (receiver: string) => {
      const { status, error } = await buys(mei, ids[0] ?? '', { points: '100', receiver })
      return [status, Object.keys(error)]
    }
    expect(await refused('nobody at all')).toEqual([422, ['receiver']])
    expect(await refused(mei.account)).toEqual([422, ['receiver']])
    const [disabled, blocks, banned, forGood] = await Promise.all(Array.from({ length: 4 }, () => forum.member()))
    if (!disabled || !blocks || !banned || !forGood) throw new Error('Nobody is there')
    await sql`update member set deactivated_at = now(), deactivated_as = 'disabled' where id = ${disabled.id}`.execute(forum.database.app)
    await blocks.call(block, { userId: mei.id, way: 'blocked' })
    const { id: by } = await aStaffer(forum)
    await sql`insert into member_ban (member_id, function, reason, given_by) values (${banned.id}, 'money', 'Spam', ${by})`.execute(
      forum.database.app,
    )
    await giveRole(forum.database, forGood.id, silver)
    for (const { account } of [disabled, blocks, banned, forGood]) expect(await refused(account)).toEqual([422, ['receiver']])
    expect(await balancesOf(mei.id)).toEqual([10_000, 10_000])
  })

  test('says nothing that the forum does not want to read', async () => {
    const { ids } = await aCard(forum.database, silver, [{ points: 100 }])
    expect((await buys(mei, ids[0] ?? '', { points: '100', receiver: tom.account, note: 'x'.repeat(151) })).error).toHaveProperty('note')
  })
})

describe('an upgrade', () => {
  test('subtracts the rest of the former card from the price, and ends its role and no other', async () => {
    const from = await aCard(forum.database, silver, [{ cents: 3_000, duration: 30, unit: 'day' }])
    const to = await aCard(forum.database, gold, [{ cents: 5_000, duration: 30, unit: 'day' }], { name: 'Gold', replaces: [from.cardId] })
    await buys(mei, from.ids[0] ?? '', { cash: '30.00' })
    await daysPass(10)
    const others = await aRole(forum.database, ['post.like'])
    await giveRole(forum.database, mei.id, others)
    const upgrade = { specificationId: to.ids[0] ?? '', upgrades: true }
    const quote = await mei.call(contract.membershipQuote, upgrade)
    expect([quote.rest, quote.toPay]).toEqual([
      { cash: '19.00', points: null },
      { cash: '31.00', points: null },
    ])
    expect((await buys(mei, to.ids[0] ?? '', { cash: '50.00', upgrades: true })).status).toBe(409)
    expect((await buys(mei, to.ids[0] ?? '', { cash: '31.00', upgrades: true })).status).toBe(200)
    expect(await balancesOf(mei.id)).toEqual([10_000 - 3_000 - 3_100, 10_000])
    expect([await daysOf(mei.id, silver), await daysOf(mei.id, gold)]).toEqual([0, 30])
    const { rows } = await sql`select 1 from role_holding where member_id = ${mei.id} and role_id = ${others} and during @> now()`.execute(
      forum.database.app,
    )
    expect(rows).toHaveLength(1)
    const { orders } = await mei.call(contract.membershipCardOrderList, {})
    expect(orders.map(({ refund }) => refund?.isUpgrade ?? null)).toEqual([null, true])
  })

  test('counts all that was bought of it, and never more than it was worth', async () => {
    const from = await aCard(forum.database, silver, [{ cents: 1_000, points: 7, duration: 10, unit: 'day' }])
    const to = await aCard(forum.database, gold, [{ cents: 1_500 }, { cents: 6_000 }], { name: 'Gold', replaces: [from.cardId] })
    for (let time = 0; time < 2; time++) await buys(mei, from.ids[0] ?? '', { cash: '10.00', points: '7' })
    const [cheap = '', dear = ''] = to.ids
    const { status, body } = await mei.tryCall(contract.membershipQuote, { specificationId: cheap, upgrades: true })
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('longer')])
    const { rest, toPay } = await mei.call(contract.membershipQuote, { specificationId: dear, upgrades: true })
    // One day of the first has begun, none of the second.
    expect([rest, toPay]).toEqual([
      { cash: '19.00', points: '13' },
      { cash: '41.00', points: null },
    ])
    expect((await buys(mei, dear, { cash: '41.00', upgrades: true })).status).toBe(200)
    expect(await balancesOf(mei.id)).toEqual([10_000 - 2_000 - 4_100, 10_000 - 14 + 13])
    expect(await daysOf(mei.id, silver)).toBe(0)
  })

  test('is refused without a rest, and after staff took the role away', async () => {
    const from = await aCard(forum.database, silver, [{ points: 100 }])
    const to = await aCard(forum.database, gold, [{ points: 300 }], { name: 'Gold', replaces: [from.cardId] })
    const specificationId = to.ids[0] ?? ''
    expect(await mei.isRefused(contract.membershipQuote, { specificationId, upgrades: true }, contract.NothingToUpgrade)).toBe(true)
    await buys(mei, from.ids[0] ?? '', { points: '100' })
    await sql`update role_holding set during = tstzrange(lower(during), clock_timestamp()) where member_id = ${mei.id}`.execute(
      forum.database.app,
    )
    expect(await mei.isRefused(contract.membershipQuote, { specificationId, upgrades: true }, contract.NothingToUpgrade)).toBe(true)
    expect((await mei.call(contract.membershipQuote, { specificationId })).rest).toBeNull()
  })

  test('counts no time that staff took, also once the role was bought again', async () => {
    const chief = await aStaffer(forum)
    const from = await aCard(forum.database, silver, [{ points: 300, duration: 30, unit: 'day' }])
    const to = await aCard(forum.database, gold, [{ points: 900, duration: 30, unit: 'day' }], { name: 'Gold', replaces: [from.cardId] })
    const upgrade = { specificationId: to.ids[0] ?? '', upgrades: true }
    await buys(mei, from.ids[0] ?? '', { points: '300' })
    await buys(mei, from.ids[0] ?? '', { points: '300' })
    expect((await mei.call(contract.membershipQuote, upgrade)).rest).toMatchObject({ points: '590' })
    const endsAt = new Date(Date.now() + 2 * 86_400_000).toISOString()
    await chief.call(setMemberRoles, { memberId: mei.id, roles: [{ roleId: silver, endsAt }] })
    await buys(mei, from.ids[0] ?? '', { points: '300' })
    expect((await mei.call(contract.membershipQuote, upgrade)).rest).toMatchObject({ points: '300' })
    expect((await buys(mei, upgrade.specificationId, { points: '600', upgrades: true })).status).toBe(200)
    expect([await daysOf(mei.id, silver), await daysOf(mei.id, gold)]).toEqual([2, 30])
    // A role that staff gave without an end covers everything that was bought of it.
    await endow(forum.database, tom.id, 1_000)
    await buys(tom, from.ids[0] ?? '', { points: '300' })
    await chief.call(setMemberRoles, { memberId: tom.id, roles: [{ roleId: silver, endsAt: null }] })
    expect((await tom.call(contract.membershipQuote, upgrade)).rest).toMatchObject({ points: '290' })
  })
})

describe('a coupon', () => {
  test('takes its percentage off, in any spelling, and to nothing', async () => {
    const { ids } = await aCard(forum.database, silver, [{ cents: 999, points: 5 }])
    await aCoupon(forum.database, 'TEA-20', 20)
    await aCoupon(forum.database, 'FREE-TEA', 100)
    const [specificationId = ''] = ids
    const { discount, toPay } = await mei.call(contract.membershipQuote, { specificationId, coupon: ' ｔea-20 ' })
    expect([discount, toPay]).toEqual([
      { cash: '1.99', points: '1' },
      { cash: '8.00', points: '4' },
    ])
    expect((await buys(mei, specificationId, { cash: '8.00', points: '4', coupon: 'tea-20' })).status).toBe(200)
    expect((await buys(mei, specificationId, { cash: '0', points: '0', coupon: 'free-tea' })).status).toBe(200)
    expect(await balancesOf(mei.id)).toEqual([9_200, 9_996])
    expect(await daysOf(mei.id, silver)).toBeGreaterThan(50)
  })

  test('is used as often as it may be, by two at once too', async () => {
    const { ids } = await aCard(forum.database, silver, [{ points: 100 }])
    await aCoupon(forum.database, 'ONLY-ONE', 50, { maxUses: 1 })
    await endow(forum.database, tom.id, 1_000)
    const answers = await Promise.all([mei, tom].map((who) => buys(who, ids[0] ?? '', { points: '50', coupon: 'only-one' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
    await aCoupon(forum.database, 'ONCE-EACH', 50, { usesPerMember: 1 })
    const twice = await Promise.all([1, 2].map(() => buys(mei, ids[0] ?? '', { points: '50', coupon: 'once-each' })))
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })
})

test('the books are right after all of it', async () => {
  expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
})
