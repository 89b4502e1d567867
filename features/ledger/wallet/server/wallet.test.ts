import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { transact, type Db } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import * as contract from '#wallet/contract.ts'
import { freeKinds } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'

let forum: Forum
let sources = 0

beforeAll(async () => {
  forum = await aForum()
})

const within = <T>(action: (tx: Db) => Promise<T>) => transact(forum.database, action)
const cause = (kind: contract.EntryKind = freeKinds.gift) => ({ kind, source: `test:${++sources}`, by: { kind: 'forum' } }) as const
const points = (amount: number) => ({ currency: 'points', amount: contract.toMinor(amount) }) as const

async function aMemberWith(amount: number): Promise<Person> {
  const person = await forum.member()
  if (amount > 0) await within((tx) => wallet.credit(tx, { ...cause(), ...points(amount), to: person.id, account: 'adjustment' }))
  return person
}

async function balancesOf(person: Person): Promise<Record<string, number>> {
  const rows = await forum.database.reader
    .selectFrom('ledger.account')
    .select(['name', 'balance'])
    .where('owner_id', '=', person.id)
    .where('name', '=', 'member')
    .execute()
  return Object.fromEntries(rows.map(({ name, balance }) => [name, Number(balance)]))
}

test('a payment between members is exact, less the forum’s share, and a payer with too little pays nothing', async () => {
  const [mei, tom] = [await aMemberWith(100), await aMemberWith(0)]
  await within((tx) => wallet.pay(tx, { ...cause(freeKinds.payment), ...points(33), from: mei.id, to: tom.id, share: 10 }))
  expect([await balancesOf(mei), await balancesOf(tom)]).toEqual([{ member: 67 }, { member: 30 }])
  const tooMuch = within((tx) => wallet.pay(tx, { ...cause(freeKinds.payment), ...points(68), from: mei.id, to: tom.id }))
  await expect(tooMuch).rejects.toMatchObject({ kind: contract.NotEnoughPoints, values: { missing: 1 } })
  expect([await balancesOf(mei), await balancesOf(tom)]).toEqual([{ member: 67 }, { member: 30 }])
})

test('the same cause moves it once, however often it is asked', async () => {
  const [mei, tom] = [await aMemberWith(100), await aMemberWith(0)]
  const action = { ...cause(freeKinds.payment), ...points(10), from: mei.id, to: tom.id }
  const answers = await Promise.all(Array.from({ length: 5 }, () => within((tx) => wallet.pay(tx, action))))
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1)
  expect(await balancesOf(mei)).toEqual({ member: 90 })
})

test('a payment with the commit runs its follow-up with it, and a refused one leaves neither', async () => {
  const [mei, tom] = [await aMemberWith(100), await aMemberWith(0)]
  const followUp = sql`1 / (taken = 3)::int, id`
  const pay = (amount: number) =>
    within((tx) =>
      wallet.payAtCommit(tx, { ...cause(freeKinds.payment), ...points(amount), from: mei.id, to: tom.id, share: 10 }, followUp),
    )
  await pay(33)
  expect([await balancesOf(mei), await balancesOf(tom)]).toEqual([{ member: 67 }, { member: 30 }])
  await expect(pay(68)).rejects.toMatchObject({ kind: contract.NotEnoughPoints, values: { missing: 1 } })
  expect([await balancesOf(mei), await balancesOf(tom)]).toEqual([{ member: 67 }, { member: 30 }])
})

test('a payment with the commit is repeated when its cause was written meanwhile, and finds it', async () => {
  const [mei, tom] = [await aMemberWith(100), await aMemberWith(0)]
  const payment = { ...cause(freeKinds.payment), ...points(10), from: mei.id, to: tom.id }
  const looks: boolean[] = []
  const pay = () =>
    within(async (tx) => {
      const { rows } = await sql`select from ledger.transaction where kind = ${payment.kind} and source = ${payment.source}`.execute(tx)
      looks.push(rows.length > 0)
      if (looks.length === 1) await within((other) => wallet.pay(other, payment))
      if (rows.length === 0) await wallet.payAtCommit(tx, payment, sql`id`)
    })
  await pay()
  expect(looks).toEqual([false, true])
  expect(await balancesOf(mei)).toEqual({ member: 90 })
})

test('a hold is paid or released once', async () => {
  const [mei, tom, lin] = [await aMemberWith(100), await aMemberWith(0), await aMemberWith(0)]
  const holdId = await within((tx) => wallet.hold(tx, { ...cause(freeKinds.hold), ...points(50), from: mei.id }))
  expect(await balancesOf(mei)).toEqual({ member: 50 })
  const pays = [
    { to: tom.id, amount: contract.toMinor(20) },
    { to: lin.id, amount: contract.toMinor(20) },
  ]
  await within((tx) => wallet.release(tx, holdId, { ...cause(freeKinds.release), pays, share: 10 }))
  expect([await balancesOf(mei), await balancesOf(tom), await balancesOf(lin)]).toEqual([{ member: 60 }, { member: 18 }, { member: 18 }])
  const again = within((tx) => wallet.release(tx, holdId, cause(freeKinds.release)))
  await expect(again).rejects.toMatchObject({ kind: contract.HoldResolved })
})

test('a payment reversed after it was spent is owed, and comes off the next points earned', async () => {
  const [mei, tom] = [await aMemberWith(10), await aMemberWith(0)]
  await within((tx) => wallet.pay(tx, { ...cause(freeKinds.payment), ...points(8), from: mei.id, to: tom.id }))
  await within((tx) => wallet.debit(tx, { ...cause(), ...points(10), from: mei.id, account: 'adjustment', owes: true }))
  expect(await balancesOf(mei)).toEqual({ member: -8 })
  await within((tx) => wallet.credit(tx, { ...cause(), ...points(10), to: mei.id, account: 'adjustment' }))
  expect(await balancesOf(mei)).toEqual({ member: 2 })
  const earned = await forum.database.reader
    .selectFrom('member')
    .select('points_earned')
    .where('id', 'in', [mei.id, tom.id])
    .orderBy('id')
    .execute()
  expect(earned.map((row) => row.points_earned)).toEqual(['10', '0'])
})

test('a payment is reversed once, and a reversal never', async () => {
  const [mei, tom] = [await aMemberWith(10), await aMemberWith(0)]
  const { id } = await within((tx) => wallet.pay(tx, { ...cause(freeKinds.payment), ...points(10), from: mei.id, to: tom.id, share: 10 }))
  const by = { by: { kind: 'forum' } } as const
  const [one, other] = await Promise.all([within((tx) => wallet.reverse(tx, id, by)), within((tx) => wallet.reverse(tx, id, by))])
  expect(one.id).toBe(other.id)
  expect([await balancesOf(mei), await balancesOf(tom)]).toEqual([{ member: 10 }, { member: 0 }])
  await expect(within((tx) => wallet.reverse(tx, one.id, by))).rejects.toMatchObject({ kind: contract.NotReversible })
})

test('the program can write to the books only by their one function', async () => {
  const mei = await aMemberWith(10)
  const app = forum.database.app
  for (const forbidden of [
    sql`update ledger.account set balance = 999 where owner_id = ${mei.id}`,
    sql`insert into ledger.transaction (kind, source, actor_kind) values ('adjustment', 'x', 'forum')`,
    sql`update ledger.entry set amount = 5`,
    sql`delete from ledger.entry`,
    sql`truncate ledger.transaction cascade`,
    sql`insert into ledger.freezing (reason) values ('x')`,
    sql`select ledger.lock_accounts_of('[]')`,
  ])
    await expect(forbidden.execute(app)).rejects.toMatchObject({ code: '42501' })
})

test('a member has a log of all that moved their points, newest first, by kind and by day, page by page', async () => {
  const [mei, tom] = [await aMemberWith(10), await aMemberWith(0)]
  await within((tx) => wallet.pay(tx, { ...cause(freeKinds.payment), ...points(8), from: mei.id, to: tom.id }))
  await within((tx) => wallet.debit(tx, { ...cause(), ...points(10), from: mei.id, account: 'adjustment', owes: true }))
  const holdId = await within((tx) => wallet.hold(tx, { ...cause(freeKinds.hold), ...points(3), from: tom.id }))
  const log = (query: Partial<wallet.EntryQuery>) => wallet.entriesOf(forum.database.reader, mei.id, 'points', { size: 10, ...query })
  const all = await log({})
  expect(all.map(({ kind, amount, owed, balance }) => [kind, Number(amount), Number(owed), Number(balance)])).toEqual([
    ['testGift', -10, -8, 0],
    ['testPayment', -8, 0, 2],
    ['testGift', 10, 0, 10],
  ])
  expect(await log({ size: 1, before: all[0]?.id })).toEqual([all[1]])
  expect(await log({ kind: freeKinds.payment })).toEqual([all[1]])
  expect(await log({ until: all[1]?.at })).toEqual([all[2]])
  expect(await log({ from: new Date() })).toEqual([])
  const nothing = { held: 0n, earned: 0n, given: 0n }
  expect(await wallet.accountsOf(forum.database.reader, mei.id)).toEqual({
    points: { balance: 0n, owed: 8n, ...nothing },
    cny: { balance: 0n, owed: 0n, ...nothing },
  })
  expect((await wallet.accountsOf(forum.database.reader, tom.id)).points).toMatchObject({ balance: 5n, owed: 0n, held: 3n })
  await within((tx) => wallet.release(tx, holdId, cause(freeKinds.release)))
  expect((await wallet.accountsOf(forum.database.reader, tom.id)).points).toMatchObject({ balance: 8n, owed: 0n, held: 0n })
})
