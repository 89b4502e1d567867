import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { dashboard } from '#statistic/contract.ts'
import * as contract from '#wallet/contract.ts'
import { continueRound, checkLedger } from '#wallet/server/check-ledger.ts'
import type { Check } from '#wallet/server/breaches.ts'
import { overdueChecks } from '#wallet/server/books-state.ts'
import { endow, freeKinds } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'

let forum: Forum
let owner: pg.Client
let mei: Person
let tom: Person

beforeAll(async () => {
  forum = await aForum()
  owner = new pg.Client({ connectionString: forum.ownerUrl })
  await owner.connect()
})
beforeEach(async () => {
  mei = await forum.member()
  tom = await forum.member()
  await endow(forum.database, mei.id, 100)
  await endow(forum.database, tom.id, 100)
})
afterAll(() => owner.end())

let paid = 0

function pay(tx: Parameters<typeof wallet.pay>[0], from = mei, to = tom): Promise<wallet.Posted> {
  const cause = { kind: freeKinds.payment, source: `piece:${++paid}`, by: { kind: 'member', id: from.id } } as const
  return wallet.pay(tx, { ...cause, from: from.id, to: to.id, currency: 'points', amount: contract.toMinor(1) })
}

const payNow = (from = mei, to = tom) => transact(forum.database, (tx) => pay(tx, from, to))
const asOwner = (text: string) => owner.query(`set session_replication_role = replica; ${text}; set session_replication_role = origin`)
const upto = async () => (await forum.database.app.selectFrom('ledger.summed').select('upto').executeTakeFirst())?.upto ?? '0'

/** Repeats the check until it has summed up this transaction: it waits for open transactions of the same PostgreSQL. */
async function checkUntil(id: string): Promise<void> {
  while ((await upto()) !== id) expect(await checkLedger(forum.database, bookChecks, { isFull: false })).toEqual([])
}

/** Counts the checked pieces, and fails at the nth. */
function spying(over: Check['over'], failsAt = Infinity): { checks: Check[]; pieces: () => number } {
  let count = 0
  const spy: Check = {
    name: 'a spy',
    over,
    breaches: () => (++count === failsAt ? sql`select 1 / 0 as what` : sql`select 'x' as what where false`),
  }
  return { checks: [...bookChecks, spy], pieces: () => count }
}

test('the check of new transactions reads each once, and the monthly sums follow', async () => {
  await payNow()
  await checkLedger(forum.database, bookChecks, { isFull: false })
  const { id } = await payNow()
  const first = spying('ledger.transaction')
  expect(await checkLedger(forum.database, first.checks, { isFull: false })).toEqual([])
  expect(first.pieces()).toBe(1)
  await checkUntil(id)
  const again = spying('ledger.transaction')
  await checkLedger(forum.database, again.checks, { isFull: false })
  expect(again.pieces()).toBe(0)
  const { rows } = await sql<{ balance: string; moved: string; entries: string; fromSite: string }>`
    select account.balance, sum(incoming - outgoing) as moved, sum(entries) as entries, sum(from_site) as "fromSite"
    from ledger.month_sum join ledger.account on account.id = account_id
    where name = 'member' and owner_id = ${mei.id} and currency = 'points' group by account.id`.execute(forum.database.app)
  expect(rows).toEqual([{ balance: '98', moved: '98', entries: '3', fromSite: '100' }])
})

test('a transaction that is committed after a later one was looked at is looked at too', async () => {
  const { id: before } = await payNow()
  await checkUntil(before)
  const lin = await forum.member()
  const kai = await forum.member()
  await endow(forum.database, lin.id, 5)
  let late = ''
  let last = ''
  await transact(forum.database, async (tx) => {
    late = (await pay(tx, lin, kai)).id
    last = (await payNow()).id
    expect(BigInt(last)).toBeGreaterThan(BigInt(late))
    expect(await checkLedger(forum.database, bookChecks, { isFull: false })).toEqual([])
    // Transactions before the open one may be summed up; the open one and later ones are not.
    expect(BigInt(await upto())).toBeGreaterThanOrEqual(BigInt(before))
    expect(BigInt(await upto())).toBeLessThan(BigInt(late))
  })
  await asOwner(`update ledger.transaction set reason = 'Other' where id = ${late}`)
  const breaches = await checkLedger(forum.database, bookChecks, { isFull: false })
  await asOwner(`update ledger.transaction set reason = null where id = ${late}`)
  expect(breaches.map(({ what }) => what)).toEqual([`transaction ${late}`])
  await sql`select ledger.thaw('Done', 1)`.execute(forum.database.app)
  await checkUntil(last)
})

test('a round that dies half-way is resumed after its last piece, in the next minute', async () => {
  const dying = spying('ledger.hold', 1)
  await transact(forum.database, (tx) =>
    wallet.hold(tx, {
      kind: freeKinds.hold,
      source: 'held',
      by: { kind: 'forum' },
      from: mei.id,
      currency: 'points',
      amount: contract.toMinor(1),
    }),
  )
  await expect(checkLedger(forum.database, dying.checks, { isFull: true })).rejects.toThrow('division by zero')
  const open = forum.database.app
    .selectFrom('books_check')
    .select(['at_table', 'at_id'])
    .where('is_full', '=', true)
    .where('ended_at', 'is', null)
  expect(await open.execute()).toEqual([{ at_table: 'ledger.hold', at_id: '0' }])
  const [transactions, holds] = [spying('ledger.transaction'), spying('ledger.hold')]
  await continueRound(forum.database, [...transactions.checks, ...holds.checks], {})
  expect([transactions.pieces(), holds.pieces()]).toEqual([0, 1])
  expect(await open.execute()).toEqual([])
  // The next round begins half a day later.
  const later = spying('ledger.transaction')
  await continueRound(forum.database, later.checks, {})
  expect(later.pieces()).toBe(0)
  await owner.query("update books_check set began_at = began_at - interval '13 hours', ended_at = ended_at - interval '13 hours'")
  await continueRound(forum.database, later.checks, {})
  expect(later.pieces()).toBe(1)
})

test('a round does its pieces within its time, and the others later', async () => {
  await owner.query("update books_check set began_at = began_at - interval '13 hours' where is_full")
  const spy = spying('ledger.transaction')
  await continueRound(forum.database, spy.checks, { longestMs: 0 })
  expect(spy.pieces()).toBe(0)
  await continueRound(forum.database, spy.checks, {})
  expect(spy.pieces()).toBe(1)
})

test('a full round goes over all of the books after a thaw', async () => {
  const chief = await aStaffer(forum)
  await chief.call(contract.freezeBooks, { reason: 'A look' })
  await chief.call(contract.thawBooks, { reason: 'All is well' })
  const spy = spying('ledger.transaction')
  await continueRound(forum.database, spy.checks, {})
  expect(spy.pieces()).toBe(1)
})

test('another time zone of the site starts the monthly sums over', async () => {
  const { id } = await payNow()
  await checkUntil(id)
  await sql`select ledger.sum_months(0, 'Europe/Lisbon')`.execute(forum.database.app)
  expect(await upto()).toBe('0')
  expect(await checkLedger(forum.database, bookChecks, { isFull: true })).toEqual([])
  await checkUntil(id)
  expect(await checkLedger(forum.database, bookChecks, { isFull: true })).toEqual([])
})

test('accounts checked before it are not checked again', async () => {
  const { id } = await payNow()
  await checkUntil(id)
  await checkLedger(forum.database, bookChecks, { isFull: false })
  for (const timeZone of ['Europe/Lisbon', 'Asia/Shanghai'] as const) {
    await transact(forum.database, (tx) => applySettings(tx, { timeZone }))
    forum.database.invalidations.announce(new Set(['setting', 'everything']))
    await checkLedger(forum.database, bookChecks, { isFull: false, longestMs: 0 })
    const [transactions, accounts] = [spying('ledger.transaction'), spying('ledger.account')]
    await checkLedger(forum.database, [...transactions.checks, ...accounts.checks], { isFull: false })
    expect([transactions.pieces(), accounts.pieces()]).toEqual([1, 0])
    await checkUntil(id)
  }
})

test('checks that do not end raise an alarm', async () => {
  const chief = await aStaffer(forum)
  const health = async () => (await (await forum.app.inject('/health')).json()).books
  await checkLedger(forum.database, bookChecks, { isFull: true })
  await checkLedger(forum.database, bookChecks, { isFull: false })
  expect(await overdueChecks(forum.database.app)).toEqual([])
  expect(await health()).toBe('checked')
  await owner.query("update books_check set began_at = began_at - interval '3 days', ended_at = ended_at - interval '3 days'")
  await payNow()
  await checkLedger(forum.database, bookChecks, { isFull: false, longestMs: 0 })
  expect((await overdueChecks(forum.database.app)).map(({ of }) => of).toSorted()).toEqual(['full', 'new'])
  expect(await health()).toBe('late')
  expect((await chief.call(contract.books, {})).late.map(({ of }) => of).toSorted()).toEqual(['full', 'new'])
  expect((await chief.call(dashboard, { days: 7 })).failed.map(({ kind }) => kind)).toContain('booksCheck')
  await checkLedger(forum.database, bookChecks, { isFull: false })
  await checkLedger(forum.database, bookChecks, { isFull: true })
  expect(await overdueChecks(forum.database.app)).toEqual([])
})
