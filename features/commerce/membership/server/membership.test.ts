import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import * as contract from '#membership/contract.ts'
import { aCard, buys } from '#membership/testing/factories.ts'
import { aRole } from '#tag/testing/factories.ts'
import { NotEnoughBalance, NotEnoughPoints } from '#wallet/contract.ts'
import { endow } from '#wallet/testing/factories.ts'

let forum: Forum
let mei: Person
let roleId: string

beforeAll(async () => {
  forum = await aForum()
  await forum.database.app.transaction().execute((tx) => applySettings(tx, { allowCash: true }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
})

beforeEach(async () => {
  mei = await forum.member()
  roleId = await aRole(forum.database, ['invite'])
})

async function balances(memberId: string): Promise<{ cny: number; points: number }> {
  const { rows } = await sql<{ currency: 'cny' | 'points'; balance: string }>`
    select currency, balance from ledger.account where name = 'member' and owner_id = ${memberId}`.execute(forum.database.app)
  const of = (currency: string) => Number(rows.find((row) => row.currency === currency)?.balance ?? 0)
  return { cny: of('cny'), points: of('points') }
}

async function heldBy(memberId: string): Promise<{ roleId: string; days: number }[]> {
  const { rows } = await sql<{ roleId: string; days: number }>`
    select role_id as "roleId", round(extract(epoch from upper(during) - lower(during)) / 86400, 1)::float as days from role_holding
    where member_id = ${memberId} and during @> clock_timestamp() order by role_id`.execute(forum.database.app)
  return rows
}

test('a card is bought for balance and points at once: role, order and books are right', async () => {
  const { ids } = await aCard(forum.database, roleId, [{ cents: 3_000, points: 50, duration: 30, unit: 'day' }])
  await endow(forum.database, mei.id, 100)
  await endow(forum.database, mei.id, 5_000, 'cny')
  const { status, body } = await buys(mei, ids[0] ?? '', { cash: '30.00', points: '50' })
  expect([status, body.number]).toEqual([200, expect.stringMatching(/^\d{20}$/)])
  expect(await balances(mei.id)).toEqual({ cny: 2_000, points: 50 })
  expect(await heldBy(mei.id)).toEqual([{ roleId, days: 30 }])
  const { orders, roles } = await mei.call(contract.membershipCardOrderList, {})
  expect(orders).toMatchObject([
    { number: body.number, paid: { cash: '30.00', points: '50' }, quantity: 1, duration: 30, unit: 'day', refund: null },
  ])
  expect(roles).toMatchObject([{ isNow: true }])
})

test('a second purchase continues from its end, in two tabs at once too', async () => {
  const { ids } = await aCard(forum.database, roleId, [{ points: 10, duration: 10, unit: 'day' }])
  await endow(forum.database, mei.id, 100)
  const answers = await Promise.all(Array.from({ length: 4 }, () => buys(mei, ids[0] ?? '', { points: '10' })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await heldBy(mei.id)).toEqual([{ roleId, days: 40 }])
  expect((await balances(mei.id)).points).toBe(60)
})

test('a refused purchase charges nothing', async () => {
  const { ids } = await aCard(forum.database, roleId, [{ cents: 3_000, points: 50 }])
  const price = { cash: '30.00', points: '50' }
  const refusedBy = async (kind: { field: string }, its: Record<string, string> = price) => {
    const { status, error } = await buys(mei, ids[0] ?? '', its)
    return status >= 400 && (status === 409 || Object.hasOwn(error, kind.field))
  }
  expect(await refusedBy(NotEnoughPoints)).toBe(true)
  await endow(forum.database, mei.id, 50)
  expect(await refusedBy(NotEnoughBalance)).toBe(true)
  await endow(forum.database, mei.id, 3_000, 'cny')
  for (const its of [
    { cash: '29.99', points: '50' },
    { cash: '30.00', points: '49' },
    { cash: '0', points: '0' },
  ])
    expect((await buys(mei, ids[0] ?? '', its)).status).toBe(409)
  for (const cash of ['-30', '30.001', '1e1', 'NaN', '3 0', ''])
    expect((await buys(mei, ids[0] ?? '', { cash, points: '50' })).status).toBeGreaterThanOrEqual(400)
  expect([await heldBy(mei.id), await balances(mei.id)]).toEqual([[], { cny: 3_000, points: 50 }])
})

test('the remaining stock is sold once each', async () => {
  const { ids } = await aCard(forum.database, roleId, [{ points: 1, stock: 5 }])
  const people = await Promise.all(Array.from({ length: 12 }, () => forum.member()))
  await Promise.all(people.map(({ id }) => endow(forum.database, id, 10)))
  const answers = await Promise.all(people.map((who) => buys(who, ids[0] ?? '', { points: '1' })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  const left = await Promise.all(people.map(async ({ id }) => (await balances(id)).points))
  expect(left.filter((points) => points === 9)).toHaveLength(5)
  const [card] = (await forum.visitor().call(contract.membershipCardList, {})).cards.filter((one) => one.role.id === roleId)
  expect(card?.specifications[0]?.left).toBe(0)
})
