import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { ageLogin } from '#base/testing/session.ts'
import * as contract from '#membership/contract.ts'
import { aCard, buys } from '#membership/testing/factories.ts'
import * as realName from '#real-name/server/real-name.ts'
import { ProveAgain } from '#second-factor/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aRole, giveRole } from '#tag/testing/factories.ts'
import { freezeBooks, thawBooks } from '#wallet/contract.ts'
import { endow } from '#wallet/testing/factories.ts'

let forum: Forum
let mei: Person
let roleId: string
let cardId: string
let specificationId: string
let price: { cash: string; points: string }

beforeAll(async () => {
  forum = await aForum()
})

beforeEach(async () => {
  await change({ allowCash: true })
  mei = await forum.member()
  roleId = await aRole(forum.database, ['invite'])
  const card = await aCard(forum.database, roleId, [{ cents: 3_000, points: 50, duration: 30, unit: 'day' }])
  cardId = card.cardId
  specificationId = card.ids[0] ?? ''
  price = { cash: '30.00', points: '50' }
  await endow(forum.database, mei.id, 1_000)
  await endow(forum.database, mei.id, 100_000, 'cny')
})

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await forum.database.app.transaction().execute((tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

const run = (text: string) => sql.raw(text).execute(forum.database.app)

/** The status and fields of a refused purchase, after a check that nothing was charged, written or given. */
async function refused(its: Record<string, unknown> = price): Promise<[status: number, fields: string[]]> {
  const { status, error } = await buys(mei, specificationId, its)
  const { rows } = await sql<{ sum: string; orders: string; held: string }>`
    select (select sum(balance) from ledger.account where name = 'member' and owner_id = ${mei.id}) as sum,
      (select count(*) from membership_order where buyer_id = ${mei.id}) as orders,
      (select count(*) from role_holding where member_id = ${mei.id} and role_id = ${roleId} and not upper_inf(during)) as held`.execute(
    forum.database.app,
  )
  expect(rows).toEqual([{ sum: '101000', orders: '0', held: '0' }])
  return [status, Object.keys(error)]
}

describe('a change since the page was shown', () => {
  test('the price, dearer or cheaper', async () => {
    for (const cents of [3_001, 2_999]) {
      await run(`update membership_specification set cents = ${cents} where id = ${specificationId}`)
      expect((await refused())[0]).toBe(contract.PriceChanged.status)
    }
  })

  test('the card or the option is not on sale any more', async () => {
    for (const change of [
      `update membership_specification set is_enabled = false where id = ${specificationId}`,
      `update membership_specification set is_enabled = true, removed_at = now() where id = ${specificationId}`,
      `update membership_specification set removed_at = null where id = ${specificationId}; update membership_card set is_on_sale = false where id = ${cardId}`,
      `update membership_card set is_on_sale = true, removed_at = now() where id = ${cardId}`,
    ]) {
      await run(change)
      expect((await refused())[0]).toBe(contract.NotOnSale.status)
    }
    expect((await buys(mei, '999999', price)).status).toBe(404)
  })

  test('the site has no balance any more', async () => {
    await change({ allowCash: false })
    expect((await refused())[0]).toBe(contract.NotOnSale.status)
  })

  test('staff shortened the role or took it away: the purchase continues from where the role ends', async () => {
    await buys(mei, specificationId, price)
    await sql`update role_holding set during = tstzrange(lower(during), clock_timestamp() + interval '5 days') where member_id = ${mei.id}`.execute(
      forum.database.app,
    )
    const { body } = await buys(mei, specificationId, price)
    expect(Math.round((Date.parse(body.endsAt) - Date.now()) / 86_400_000)).toBe(35)
    await sql`update role_holding set during = tstzrange(lower(during), clock_timestamp()) where member_id = ${mei.id}`.execute(
      forum.database.app,
    )
    const again = await buys(mei, specificationId, price)
    expect(Math.round((Date.parse(again.body.endsAt) - Date.now()) / 86_400_000)).toBe(30)
  })
})

describe('a purchase is refused to', () => {
  test('a holder of the role for good, or for longer than roles are sold', async () => {
    await giveRole(forum.database, mei.id, roleId)
    expect((await refused())[0]).toBe(422)
    await run(`delete from role_holding where member_id = ${mei.id}`)
    await run(`update membership_specification set duration = 21, unit = 'year' where id = ${specificationId}`)
    expect(await refused()).toEqual([422, ['quantity']])
  })

  test('a member banned from money', async () => {
    const { id: by } = await aStaffer(forum)
    await run(`insert into member_ban (member_id, function, reason, given_by) values (${mei.id}, 'money', 'Fraud', ${by})`)
    forum.database.invalidations.announce(new Set([`member:${mei.id}`]))
    expect((await refused())[0]).toBe(422)
  })

  test('any member while the books are frozen', async () => {
    const chief = await aStaffer(forum)
    await chief.call(freezeBooks, { reason: 'A look' })
    expect((await refused())[0]).toBe(422)
    await chief.call(thawBooks, { reason: 'Done' })
  })

  test('a member who owes', async () => {
    const poor = await forum.member()
    await endow(forum.database, poor.id, -5, 'points', true)
    await endow(forum.database, poor.id, 100_000, 'cny')
    expect((await buys(poor, specificationId, price)).status).toBe(422)
  })

  test('a visitor, and for money a member who logged in long ago', async () => {
    expect((await forum.visitor().tryCall(contract.buyMembership, { specificationId, ...price })).status).toBe(401)
    await ageLogin(forum.database, mei)
    expect((await refused())[0]).toBe(ProveAgain.status)
  })

  test('a minor above the limits of one payment or of a day', async () => {
    const year = new Date().getUTCFullYear() - 17
    await forum.database.app
      .transaction()
      .execute((tx) =>
        realName.store(
          tx,
          mei.id,
          { document: 'chineseId', name: '李雷', number: `110101${year}01010010`, birthday: `${year}-01-01` },
          'test',
        ),
      )
    await change({ maxYouthCentsPerPayment: 2_999, maxYouthCentsPerDay: 100_000 })
    expect((await refused())[0]).toBe(422)
    await change({ maxYouthCentsPerPayment: 3_000, maxYouthCentsPerDay: 5_999 })
    expect((await buys(mei, specificationId, price)).status).toBe(200)
    expect((await buys(mei, specificationId, price)).status).toBe(422)
  })
})

test('sent twice with one key a card is bought once, and the key takes no other purchase', async () => {
  const key = { 'idempotency-key': 'one-key-for-one-card' }
  const send = (quantity = 1) => mei.tryCall(contract.buyMembership, { specificationId, quantity, ...price }, key)
  const [first, second] = await Promise.all([send(), send()])
  expect([first?.status, second?.status].toSorted()).toEqual([200, expect.toBeOneOf([200, 409])])
  expect((await send()).body).toEqual(first?.status === 200 ? first.body : second?.body)
  expect((await send(2)).status).toBeGreaterThanOrEqual(400)
  expect((await mei.call(contract.membershipCardOrderList, {})).total).toBe(1)
  expect((await mei.tryCall(contract.buyMembership, { specificationId, ...price })).status).toBe(400)
})
