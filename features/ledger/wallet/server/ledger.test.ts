import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact, type Db } from '#base/server/database/database.ts'
import { freshDatabase, type TestDatabase } from '#base/testing/database.ts'
import * as contract from '#wallet/contract.ts'
import { aMemberRow, freeKinds } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'

let store: TestDatabase
let owner: pg.Client

beforeAll(async () => {
  store = await freshDatabase()
  owner = new pg.Client({ connectionString: store.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await store.close()
})

let sources = 0
const within = <T>(action: (tx: Db) => Promise<T>) => transact(store.database, action)
const cause = (kind: contract.EntryKind) => ({ kind, source: `test:${++sources}`, by: { kind: 'forum' } }) as const
const points = (amount: number | bigint) => ({ currency: 'points', amount: contract.toMinor(amount) }) as const
const aMember = () => aMemberRow(store.database)
const give = (to: string, amount: number | bigint) =>
  within((tx) => wallet.credit(tx, { ...cause(freeKinds.gift), ...points(amount), to, account: 'adjustment' }))
const pay = (from: string, to: string, amount: number) =>
  within((tx) => wallet.pay(tx, { ...cause(freeKinds.payment), ...points(amount), from, to }))
const balanceOf = async (id: string) => (await wallet.accountsOf(store.database.reader, id)).points.balance

/** The database's error for its owner, in a transaction that is rolled back. */
async function refusalOf(...texts: string[]): Promise<string> {
  await owner.query('begin')
  try {
    for (const text of texts) await owner.query(text)
    await owner.query('commit')
    return 'nothing'
  } catch (error) {
    return error instanceof pg.DatabaseError ? (error.code ?? '') : String(error)
  } finally {
    await owner.query('rollback')
  }
}

const aTransaction =
  "insert into ledger.transaction (kind, source, actor_kind, at, digest) values ('testPayment', 'raw', 'forum', now(), '')"
type Raw = [account: number | string, amount: number, currency?: string]
const someEntries = (...all: Raw[]) =>
  `insert into ledger.entry (transaction_id, account_id, kind, currency, amount, earned, given)
   select transaction.id, its.account, kind, its.currency::ledger.currency, its.amount, 0, 0 from ledger.transaction, (values ${all
     .map(([account, amount, currency = 'points']) => `(${account}::bigint, ${amount}, '${currency}')`)
     .join(', ')}) as its (account, amount, currency) where source = 'raw'`
const ofSite = (name: string, currency = 'points') => `(select id from ledger.account where name = '${name}' and currency = '${currency}')`

test('the database refuses unbalanced entries, changes of the past and wrong accounts', async () => {
  const [platform, membership] = [ofSite('platform'), ofSite('clearing')]
  const kind = "update ledger.kind set legs = '{platform+,clearing-}' where name = 'testPayment'"
  const refused = (...all: Raw[]) => refusalOf(kind, aTransaction, someEntries(...all))
  expect(await refused([platform, 5], [membership, -4])).toBe('TL006')
  expect(await refused([platform, 5])).toBe('TL006')
  expect(await refused([platform, 5, 'cny'], [membership, -5, 'cny'])).toBe('TL005')
  expect(await refused([999_999, 5], [membership, -5])).toBe('TL005')
  expect(await refused([platform, -5], [membership, 5])).toBe('TL005')
  expect(await refused([platform, 5], [platform, -5])).toBe('23505')
  expect(await refused([platform, 0], [membership, 0])).toBe('TL005')
  const whole = someEntries([platform, 5], [membership, -5])
  const more = someEntries([ofSite('platform', 'cny'), 5, 'cny'], [ofSite('clearing', 'cny'), -5, 'cny'])
  expect(await refusalOf(kind, aTransaction, whole, more)).toBe('TL006')
  expect(await refusalOf(aTransaction, aTransaction)).toBe('23505')
  const meiWith5 = await aMember()
  await give(meiWith5, 5)
  const changes = [
    'update ledger.entry set amount = 1',
    'delete from ledger.entry',
    'truncate ledger.entry',
    "update ledger.transaction set kind = 'x'",
    'delete from ledger.transaction',
    'truncate ledger.transaction cascade',
    'delete from ledger.account',
    "update ledger.account set currency = 'cny'",
  ]
  for (const change of changes) expect([change, await refusalOf(change)]).toEqual([change, 'TL007'])
  expect(await refusalOf("update ledger.account set given = balance + 1 where name = 'member'")).toBe('23514')
  const hold = await within((tx) => wallet.hold(tx, { ...cause(freeKinds.hold), ...points(1), from: meiWith5 }))
  expect(await refusalOf(`update ledger.account set balance = -1 where name = 'escrow' and owner_id = ${hold}`)).toBe('23514')
})

test('the posting function refuses entries that do not belong to the kind', async () => {
  const mei = await aMember()
  const answerTo = (action: object) =>
    refusalOf(`select ledger.post('${JSON.stringify([{ kind: 'testPayment', source: 'odd', actor_kind: 'forum', ...action }])}')`)
  const entry = (name: string, amount: number, more = {}) => ({ name, currency: 'points', amount, ...more })
  expect(await answerTo({ lines: [entry('promotion', -5), entry('platform', 5)] })).toBe('TL005')
  expect(await answerTo({ earns: true, lines: [entry('promotion', -5), entry('platform', 5)] })).toBe('TL005')
  expect(await answerTo({ lines: [entry('owed', -5, { owner: mei }), entry('platform', 5)] })).toBe('22P02')
  expect(await answerTo({ lines: [entry('escrow', -5, { owner: 999_999 }), entry('platform', 5)] })).toBe('TL005')
  expect(await answerTo({ lines: [entry('member', 5, { owner: 999_999 }), entry('platform', -5)] })).toBe('TL005')
  expect(await answerTo({ lines: [entry('platform', 5)] })).toBe('TL005')
  expect(await answerTo({ lines: [entry('platform', 5), entry('member', -4, { owner: mei, owes: true })] })).toBe('TL005')
  expect(await answerTo({ lines: [entry('platform', 5), entry('clearing', -5)] })).toBe('TL005')
})

test('an account holds no more than its bound, and a refused entry moves nothing', async () => {
  const mei = await aMember()
  await give(mei, 999_999_999_999_998n)
  await give(mei, 1)
  await expect(give(mei, 1)).rejects.toMatchObject({ kind: contract.TooMuchHeld })
  expect(await balanceOf(mei)).toBe(999_999_999_999_999n)
})

test('two members paying each other at once never deadlock', async () => {
  const [mei, tom] = [await aMember(), await aMember()]
  await give(mei, 500)
  await give(tom, 500)
  const before = await deadlocks()
  await Promise.all(Array.from({ length: 100 }, (_, place) => (place % 2 ? pay(mei, tom, 3) : pay(tom, mei, 3))))
  expect([await balanceOf(mei), await balanceOf(tom)]).toEqual([500n, 500n])
  expect(await deadlocks()).toBe(before)
})

test('many payments to one member at once are counted exactly, and a payer with too little is refused', async () => {
  const [author, poor] = [await aMember(), await aMember()]
  const readers = await Promise.all(Array.from({ length: 50 }, aMember))
  await Promise.all([...readers.map((id) => give(id, 10)), give(poor, 100)])
  const paid = readers.flatMap((id) => Array.from({ length: 2 }, () => pay(id, author, 5)))
  const tries = Array.from({ length: 20 }, () =>
    pay(poor, author, 10).then(
      () => 1,
      () => 0,
    ),
  )
  await Promise.all(paid)
  expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(10)
  expect(await balanceOf(author)).toBe(600n)
})

test('transfers between three accounts, in any order, never deadlock for good', async () => {
  const people = [await aMember(), await aMember(), await aMember()]
  for (const id of people) await give(id, 300)
  const round = (place: number) => {
    const [one = '', other = '', third = ''] = [0, 1, 2].map((step) => people[(place + step) % 3])
    return within(async (tx) => {
      await wallet.pay(tx, { ...cause(freeKinds.payment), ...points(2), from: one, to: other })
      await wallet.pay(tx, { ...cause(freeKinds.payment), ...points(1), from: other, to: third })
    })
  }
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, (_, place) => round(place)))
  const balances = await Promise.all(people.map(balanceOf))
  expect(balances.reduce((sum, one) => sum + one, 0n)).toBe(900n)
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
})

async function deadlocks(): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    'select deadlocks::int as count from pg_stat_database where datname = current_database()',
  )
  return rows[0]?.count ?? 0
}
