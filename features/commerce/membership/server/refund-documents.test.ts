import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { transact, type Db } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { aCard, buys } from '#membership/testing/factories.ts'
import { aRole } from '#tag/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'
import { post } from '#wallet/server/post.ts'
import { reverse } from '#wallet/server/wallet.ts'

// The program may write orders and refunds, and post transactions. A fabricated row must not become money.
let forum: Forum
let mei: Person
let order: { id: string; number: string; transactionId: string }

beforeAll(async () => {
  forum = await aForum()
})

beforeEach(async () => {
  mei = await forum.member()
  await endow(forum.database, mei.id, 1_000)
  const { ids } = await aCard(forum.database, await aRole(forum.database, ['invite']), [{ points: 300, duration: 30, unit: 'day' }])
  await buys(mei, ids[0] ?? '', { points: '300' })
  order = await forum.database.app
    .selectFrom('membership_order')
    .select(['id', 'number', sql<string>`transaction_id`.as('transactionId')])
    .where('buyer_id', '=', mei.id)
    .executeTakeFirstOrThrow()
})

type Refund = { points: number; to?: string; number?: string; orderId?: string }

async function giveBack(tx: Db, { points, to = mei.id, number = order.number, orderId = order.id }: Refund): Promise<void> {
  const sides = [
    { name: 'member', owner: to, currency: 'points', amount: BigInt(points), parts: { earned: 0n, given: BigInt(points) } },
    { name: 'membership', currency: 'points', amount: BigInt(-points) },
  ] as const
  const { id } = await post(tx, { kind: 'membershipRefunded', source: `order:${number}`, by: { kind: 'forum' }, lines: sides })
  await sql`insert into membership_refund (order_id, cents, points, transaction_id) values (${orderId}, 0, ${points}, ${id})`.execute(tx)
}

async function balance(): Promise<number> {
  const { rows } = await sql<{ balance: string }>`
    select balance from ledger.account where name = 'member' and currency = 'points' and owner_id = ${mei.id}`.execute(forum.database.app)
  return Number(rows[0]?.balance)
}

const change = (tx: Db, set: string) => sql.raw(`update membership_order set ${set} where id = ${order.id}`).execute(tx)

/** An order that names a payment for something else. */
async function madeUp(tx: Db): Promise<Refund> {
  const number = '3'.repeat(20)
  const { rows } = await sql<{ id: string }>`
    insert into membership_order (number, buyer_id, member_id, card_id, specification_id, role_id, names, quantity, duration, unit, price_cents,
        price_points, cents, points, during, anchor_day, zone, transaction_id)
      select ${number}, buyer_id, member_id, card_id, specification_id, role_id, names, quantity, duration, unit, 0, 7000, 0, 7000, during, anchor_day,
        zone, (select max(id) from ledger.transaction where kind = 'adjustment')
      from membership_order where id = ${order.id} returning id`.execute(tx)
  return { points: 7_000, number, orderId: rows[0]?.id ?? '' }
}

test.each<[string, (tx: Db) => Promise<void>]>([
  ['more than was paid', (tx) => giveBack(tx, { points: 301 })],
  [
    'what the order was made to say afterwards',
    async (tx) => {
      await change(tx, 'points = 900000, price_points = 900000')
      await giveBack(tx, { points: 900_000 })
    },
  ],
  [
    'an order under another number',
    async (tx) => {
      await change(tx, `number = '${'1'.repeat(20)}'`)
      await giveBack(tx, { points: 300, number: '1'.repeat(20) })
    },
  ],
  ['an order that nobody paid', async (tx) => giveBack(tx, await madeUp(tx))],
  [
    'the order of another buyer',
    async (tx) => {
      const { id } = await forum.member()
      await change(tx, `buyer_id = ${id}`)
      await giveBack(tx, { points: 300, to: id })
    },
  ],
  [
    'a purchase, by its reversal and its refund',
    async (tx) => {
      await reverse(tx, order.transactionId, { by: { kind: 'forum' } })
      await giveBack(tx, { points: 300 })
    },
  ],
])('the database gives nothing back of %s', async (_, action) => {
  await expect(transact(forum.database, action)).rejects.toThrow(/Nothing allows/)
  expect(await balance()).toBe(700)
})

test('the database gives back an order that was paid, once', async () => {
  await transact(forum.database, (tx) => giveBack(tx, { points: 300 }))
  await expect(transact(forum.database, (tx) => giveBack(tx, { points: 300 }))).rejects.toThrow(/membership_refund/)
  expect(await balance()).toBe(1_000)
})
