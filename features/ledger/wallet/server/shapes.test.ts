import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact, type Db } from '#base/server/database/database.ts'
import { freshDatabase, type TestDatabase } from '#base/testing/database.ts'
import { runs } from '#base/testing/extent.ts'
import * as contract from '#wallet/contract.ts'
import { aMemberRow, freeKinds } from '#wallet/testing/factories.ts'
import { post } from '#wallet/server/post.ts'
import * as wallet from '#wallet/server/wallet.ts'

let store: TestDatabase
beforeAll(async () => {
  store = await freshDatabase()
})
afterAll(() => store.close())

let sources = 0
const within = <T>(act: (tx: Db) => Promise<T>) => transact(store.database, act)
const cause = (kind: contract.EntryKind) => ({ kind, source: `shape:${++sources}`, by: { kind: 'forum' } }) as const
const cents = (amount: number) => ({ currency: 'cny', amount: contract.toMinor(amount) }) as const
const aMember = () => aMemberRow(store.database)
const cashOf = async (id: string) => (await wallet.accountsOf(store.database.reader, id)).cny
const pointsOf = async (id: string) => (await wallet.accountsOf(store.database.reader, id)).points

const comes = (to: string, amount: number, origin?: 'given') =>
  within((tx) => wallet.credit(tx, { ...cause(freeKinds.gift), ...cents(amount), to, account: 'clearing', ...(origin && { origin }) }))
const goes = (from: string, amount: number, owes = false) =>
  within((tx) => wallet.debit(tx, { ...cause(freeKinds.gift), ...cents(amount), from, account: 'clearing', owes }))
const pays = (from: string, to: string, amount: number, share?: number) =>
  within((tx) => wallet.pay(tx, { ...cause(freeKinds.payment), ...cents(amount), from, to, ...(share && { share }) }))

async function aPurse(paidIn: number, earned: number, given: number): Promise<string> {
  const [id, reader] = [await aMember(), await aMember()]
  if (paidIn > 0) await comes(id, paidIn)
  if (given > 0) await comes(id, given, 'given')
  if (earned > 0) {
    await comes(reader, earned)
    await pays(reader, id, earned)
  }
  return id
}

test('given money is spent first, then paid-in money, then earned money', async () => {
  const [mei, tom] = [await aPurse(100, 50, 30), await aMember()]
  expect(await cashOf(mei)).toMatchObject({ balance: 180n, earned: 50n, given: 30n })
  await pays(mei, tom, 20)
  expect(await cashOf(mei)).toMatchObject({ balance: 160n, earned: 50n, given: 10n })
  await pays(mei, tom, 60)
  expect(await cashOf(mei)).toMatchObject({ balance: 100n, earned: 50n, given: 0n })
  await pays(mei, tom, 70)
  expect(await cashOf(mei)).toMatchObject({ balance: 30n, earned: 30n, given: 0n })
  expect(await cashOf(tom)).toMatchObject({ balance: 150n, earned: 150n, given: 0n })
})

test('a reversed payment or released hold restores the shares of the same kinds', async () => {
  const [mei, tom] = [await aPurse(100, 50, 30), await aMember()]
  const whole = { balance: 180n, earned: 50n, given: 30n }
  const { id } = await pays(mei, tom, 160)
  await within((tx) => wallet.reverse(tx, id, { by: { kind: 'forum' } }))
  expect(await cashOf(mei)).toMatchObject(whole)
  const hold = await within((tx) => wallet.hold(tx, { ...cause(freeKinds.hold), ...cents(160), from: mei }))
  expect(await cashOf(mei)).toMatchObject({ balance: 20n, earned: 20n, given: 0n, held: 160n })
  const more = await within((tx) => wallet.exchange(tx, hold, { ...cause(freeKinds.hold), amount: contract.toMinor(170) }))
  await within((tx) => wallet.release(tx, more, { ...cause(freeKinds.release), pays: [{ to: tom, amount: contract.toMinor(40) }] }))
  expect(await cashOf(mei)).toMatchObject({ balance: 140n, earned: 50n, given: 0n, held: 0n })
  expect(await cashOf(tom)).toMatchObject({ balance: 40n, earned: 40n })
})

test('a debt is paid off by a sale, by a released hold and by a gift, and nothing is spent until it is', async () => {
  const [seller, buyer] = [await aPurse(100, 0, 0), await aPurse(500, 0, 0)]
  const hold = await within((tx) => wallet.hold(tx, { ...cause(freeKinds.hold), ...cents(60), from: seller }))
  await goes(seller, 200, true)
  expect(await cashOf(seller)).toMatchObject({ balance: 0n, owed: 160n, held: 60n })
  await expect(pays(seller, buyer, 1)).rejects.toMatchObject({ kind: contract.OwesBalance, values: { owed: 1.6 } })
  await pays(buyer, seller, 50, 10)
  expect(await cashOf(seller)).toMatchObject({ balance: 0n, owed: 115n })
  await within((tx) => wallet.release(tx, hold, cause(freeKinds.release)))
  expect(await cashOf(seller)).toMatchObject({ balance: 0n, owed: 55n, held: 0n })
  await expect(within((tx) => wallet.hold(tx, { ...cause(freeKinds.hold), ...cents(1), from: seller }))).rejects.toMatchObject({
    kind: contract.OwesBalance,
  })
  await comes(seller, 60, 'given')
  expect(await cashOf(seller)).toMatchObject({ balance: 5n, owed: 0n, given: 5n })
})

test('an order in cash and points is one transaction, and fails whole where either is short', async () => {
  const mei = await aPurse(100, 0, 0)
  await within((tx) =>
    wallet.credit(tx, { ...cause(freeKinds.gift), currency: 'points', amount: contract.toMinor(10), to: mei, account: 'adjustment' }),
  )
  const order = (points: number) =>
    within((tx) =>
      post(tx, {
        ...cause(freeKinds.payment),
        group: 'order:1',
        lines: [
          { name: 'member', owner: mei, currency: 'cny', amount: -60n },
          { name: 'membership', currency: 'cny', amount: 60n },
          { name: 'member', owner: mei, currency: 'points', amount: BigInt(-points) },
          { name: 'membership', currency: 'points', amount: BigInt(points) },
        ],
      }),
    )
  await expect(order(11)).rejects.toMatchObject({ kind: contract.NotEnoughPoints, values: { missing: 1 } })
  await order(10)
  expect([(await cashOf(mei)).balance, (await pointsOf(mei)).balance]).toEqual([40n, 0n])
  await within((tx) => wallet.pay(tx, { ...cause(freeKinds.payment), ...cents(5), group: 'order:1', from: mei, to: mei2 }))
  const back = await within((tx) => wallet.reverseGroup(tx, 'order:1', { by: { kind: 'forum' } }))
  expect(back).toHaveLength(2)
  expect([(await cashOf(mei)).balance, (await pointsOf(mei)).balance, (await cashOf(mei2)).balance]).toEqual([100n, 10n, 0n])
  await expect(within((tx) => wallet.reverseGroup(tx, 'order:1', { by: { kind: 'forum' } }))).rejects.toMatchObject({
    kind: contract.NotReversible,
  })
})
let mei2: string
beforeAll(async () => {
  mei2 = await aMember()
})

test('a hold is drawn from in parts, by many at once, never by more than there is', async () => {
  const giver = await aPurse(100, 0, 0)
  const people = await Promise.all(Array.from({ length: 12 }, aMember))
  const hold = await within((tx) => wallet.hold(tx, { ...cause(freeKinds.hold), ...cents(100), from: giver }))
  const drawn = await Promise.allSettled(
    people.map((to) => within((tx) => wallet.draw(tx, hold, { ...cause(freeKinds.release), pays: [{ to, amount: contract.toMinor(9) }] }))),
  )
  expect(drawn.filter(({ status }) => status === 'fulfilled')).toHaveLength(11)
  expect((await cashOf(giver)).held).toBe(1n)
  await within((tx) => wallet.release(tx, hold, cause(freeKinds.release)))
  expect(await cashOf(giver)).toMatchObject({ balance: 1n, held: 0n })
  const late = within((tx) => wallet.draw(tx, hold, { ...cause(freeKinds.release), pays: [{ to: giver, amount: contract.toMinor(1) }] }))
  await expect(late).rejects.toMatchObject({ kind: contract.HoldResolved })
})

test('a thousand are paid in one transaction, each their own amount', async () => {
  const giver = await aPurse(1_000_000, 0, 0)
  const { rows } = await store.database.app
    .insertInto('member')
    .values(Array.from({ length: 1_000 }, (_, n) => ({ account: `many_${n}`, account_key: `many_${n}`, password_hash: '' })))
    .returning('id')
    .execute()
    .then((rows) => ({ rows }))
  const hold = await within((tx) => wallet.hold(tx, { ...cause(freeKinds.hold), ...cents(600_000), from: giver }))
  const all = rows.map(({ id }, n) => ({ to: id, amount: contract.toMinor(n + 1) }))
  await within((tx) => wallet.draw(tx, hold, { ...cause(freeKinds.release), pays: all }))
  expect((await cashOf(rows[999]?.id ?? '')).balance).toBe(1_000n)
  expect((await cashOf(giver)).held).toBe(600_000n - 500_500n)
})

test('the site takes its share of all sales to within one cent, at any prices, and nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 25 }),
      fc.integer({ min: 1, max: 100 }),
      async (prices, share) => {
        const [seller, buyer] = [await aMember(), await aPurse(2_000, 0, 0)]
        let siteShare = 0n
        for (const price of prices) siteShare += (await pays(buyer, seller, price, share)).taken
        const sum = prices.reduce((so, price) => so + price, 0)
        expect(siteShare).toBe(BigInt(Math.floor((sum * share) / 100)))
        expect((await cashOf(seller)).balance).toBe(BigInt(sum) - siteShare)
      },
    ),
    { numRuns: runs(8), endOnFailure: true },
  )
})

test('the site takes its share of the sum of payments made together, however many and among however many', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 100 }),
      async (payments, share) => {
        const people = await Promise.all(Array.from({ length: 5 }, aMember))
        const giver = await aPurse(2_000, 0, 0)
        let left = 0
        for (const amounts of payments) {
          const sum = amounts.reduce((so, amount) => so + amount, 0)
          const hold = await within((tx) => wallet.hold(tx, { ...cause(freeKinds.hold), ...cents(sum), from: giver }))
          const all = amounts.map((amount, n) => ({ to: people[n] ?? '', amount: contract.toMinor(amount) }))
          const { taken } = await within((tx) => wallet.release(tx, hold, { ...cause(freeKinds.release), pays: all, share }))
          // Never a whole cent from what is due.
          expect(Math.abs(Number(taken) - (sum * share) / 100)).toBeLessThan(1)
          left += sum - Number(taken)
        }
        const balances = await Promise.all(people.map(async (id) => Number((await cashOf(id)).balance)))
        expect(balances.reduce((so, balance) => so + balance, 0)).toBe(left)
      },
    ),
    { numRuns: runs(8), endOnFailure: true },
  )
})

test('sub-accounts of the site are distinguished by their label', async () => {
  const mei = await aMember()
  const from = (label: string) =>
    within((tx) => wallet.credit(tx, { ...cause(freeKinds.gift), ...cents(5), to: mei, account: 'clearing', label }))
  await from('alipay')
  await from('alipay')
  await from('wechat')
  const rows = await store.database.app
    .selectFrom('ledger.account')
    .select('label')
    .where('name', '=', 'clearing')
    .where('label', '<>', '')
    .orderBy('label')
    .execute()
  expect(rows.map(({ label }) => label)).toEqual(['alipay', 'wechat'])
})
