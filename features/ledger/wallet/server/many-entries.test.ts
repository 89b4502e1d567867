import pg from 'pg'
import { expect, test } from 'vitest'
import type { RawInput } from '#base/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { afterFile } from '#base/testing/after-file.ts'
import { freshDatabase, type TestDatabase } from '#base/testing/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { tableAccesses } from '#base/testing/plans.ts'
import { withStatementLog, type RecordedStatement } from '#base/testing/statement-log.ts'
import { countLimit } from '#base/list.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import * as desk from '#wallet/adjust-contract.ts'
import * as log from '#wallet/log-contract.ts'

// Enough that a plan which reads all entries of a member or a kind stands out from one that reads a page.
const many = 40_000
/** The first id of members that exist only in the ledger. */
const others = 1_000_000
/** The maximum that lists count to, plus a page. */
const mostRows = countLimit + 200

let statements: RecordedStatement[] = []
const forum = await aForum({ fresh: aRecordedOne })
const [mei, chief] = [await forum.member(), await aStaffer(forum)]
const owner = new pg.Client({ connectionString: forum.ownerUrl })
await owner.connect()
// These entries were never booked, and the ledger must be consistent when its database is closed.
afterFile(async () => {
  await owner.query(
    'set session_replication_role = replica; delete from ledger.entry; delete from ledger.transaction; delete from ledger.account where owner_id is not null',
  )
  await owner.end()
})
await transact(forum.database, (tx) => applySettings(tx, { allowCash: true }))
await fill()

async function aRecordedOne(): Promise<TestDatabase> {
  const recording = withStatementLog(await freshDatabase())
  statements = recording.statements
  return recording
}

/**
 * Three years: an opening for each of a thousand members, then rewards and payments, a tenth of them of one member. Money moved only long
 * ago.
 */
async function fill(): Promise<void> {
  await owner.query(`set session_replication_role = replica;
    insert into ledger.account (name, owner_id, currency, balance) overriding system value
      select 'member', owner, currency, 0 from (select id from member union all select ${others} + generate_series(0, 996)) as its (owner),
        unnest(enum_range(null::ledger.currency)) as currency on conflict do nothing;
    create temporary table made as
      select number as id, now() - interval '3 years' + number * interval '3 years' / ${many} as at,
        case when number <= 1000 then 'opening' when number in (1500, 2500) then 'closing' when number % 10000 = 77 then 'merging'
          when number % 5 = 0 then 'unlock' when number % 17 = 0 then 'rewardTaken' else 'reward' end as kind,
        (case when number between 1001 and 3000 and number % 5 = 0 or number in (1500, 2500) then 'cny' else 'points' end)::ledger.currency as currency,
        -- As on a real site: few entries are of one account, so that their number says which index is the shorter way.
        case when number % 10 = 0 then ${mei.id} else ${others} + number % 997 end as member_id
      from generate_series(1, ${many}) as number;
    insert into ledger.transaction (id, kind, source, actor_kind, at, digest) overriding system value
      select id, kind, 'made:' || id, 'forum', at, '' from made;
    insert into ledger.entry (transaction_id, account_id, kind, currency, amount, balance_after, earned, given)
      select made.id, account.id, kind, made.currency, case when account.name = 'member' then 3 else -3 end, account.balance, 0, 0
      from made join ledger.account on account.currency = made.currency
        and (account.name = 'member' and owner_id = made.member_id or account.name = 'promotion');
    set session_replication_role = origin`)
  await owner.query('vacuum analyze ledger.entry, ledger.transaction, ledger.account')
}

const before = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const day = before(900).slice(0, 10)
const during = { since: before(900), until: before(500) }

test('a member’s pages of points and of balance read no more rows than they show, under any filter', async () => {
  statements.length = 0
  const newest = await mei.call(log.point, {})
  expect(newest.log.rows).toHaveLength(log.perPage)
  expect((await mei.call(log.point, { before: '2000' })).log.rows[0]?.id).toBe('1000')
  expect((await mei.call(log.point, { kind: 'opening' })).log.rows[0]?.id).toBe('1000')
  expect((await mei.call(log.point, { kind: 'bountyHalved' })).log.rows).toEqual([])
  const ofDay = await mei.call(log.point, { day })
  expect(ofDay.log.rows.length).toBeGreaterThan(0)
  expect(ofDay.log.rows.every(({ at }) => Math.abs(Date.parse(at) - Date.parse(day)) < 2 * 86_400_000)).toBe(true)
  expect((await mei.call(log.point, { day, kind: 'closing' })).log.rows).toEqual([])
  expect((await mei.call(log.balance, {})).months.at(-1)).toBe(before(3 * 365 - 28).slice(0, 7))
  expect((await mei.call(log.balance, { kind: 'reward' })).log.rows).toEqual([])
  for (const currency of ['points', 'cny'] as const)
    for (const days of [2_000, 900, 0]) await mei.call(log.statement, { currency, month: before(days).slice(0, 7) })
  expect(await thatReadMuch()).toEqual([])
})

test('the list of all transactions reads no more rows than it shows, under any filter', async () => {
  statements.length = 0
  const found = async (narrowed: RawInput<typeof desk.transactions>) => {
    const { rows, count } = await chief.call(desk.transactions, narrowed)
    return [rows.length, count, rows[0]?.id]
  }
  expect(await found({})).toEqual([30, countLimit, String(many)])
  expect(await found({ order: 'asc' })).toEqual([30, countLimit, '1'])
  expect(await found({ number: '1234' })).toEqual([1, 1, '1234'])
  expect(await found({ number: '1234', kind: 'closing' })).toEqual([0, 0, undefined])
  expect(await found({ kind: 'opening' })).toEqual([30, countLimit, '1000'])
  expect(await found({ kind: 'closing' })).toEqual([2, 2, '2500'])
  expect(await found({ kind: 'bountyHalved' })).toEqual([0, 0, undefined])
  expect(await found({ currency: 'cny' })).toEqual([30, 400, '3000'])
  expect(await found({ currency: 'cny', kind: 'reward' })).toEqual([0, 0, undefined])
  expect(await found({ currency: 'cny', kind: 'closing', ...during })).toEqual([0, 0, undefined])
  expect(await found({ member: mei.id, kind: 'opening' })).toEqual([30, 100, '1000'])
  expect(await found({ member: mei.id, kind: 'bountyHalved', ...during })).toEqual([0, 0, undefined])
  expect(await found({ member: mei.id, currency: 'cny' })).toEqual([30, 200, '3000'])
  for (const member of [undefined, mei.id])
    for (const kind of [undefined, 'reward', 'merging'] as const)
      for (const time of [{}, during, { since: before(1) }, { until: before(1_000) }, { since: before(3_000), until: before(2_000) }])
        for (const currency of [undefined, 'points', 'cny'] as const)
          await chief.call(desk.transactions, { ...time, ...(member && { member }), ...(kind && { kind }), ...(currency && { currency }) })
  for (const kind of [undefined, 'opening', 'bountyHalved'] as const)
    await chief.call(desk.memberAccounts, { memberId: mei.id, ...(kind && { kind }) })
  await chief.call(desk.transaction, { transactionId: '1234' })
  expect(await thatReadMuch()).toEqual([])
})

test('a page further on begins where the one before ended, and leads back to it', async () => {
  for (const narrowed of [{}, { kind: 'opening' }, { currency: 'cny' }, { member: mei.id }, { member: mei.id, ...during }] as const) {
    const first = await chief.call(desk.transactions, narrowed)
    const second = await chief.call(desk.transactions, { ...narrowed, cursor: first.next ?? '' })
    const back = await chief.call(desk.transactions, { ...narrowed, cursor: second.previous ?? '' })
    const ids = [...first.rows, ...second.rows].map(({ id }) => Number(id))
    expect(new Set(ids).size).toBe(60)
    expect(ids).toEqual(ids.toSorted((one, other) => other - one))
    expect(back.rows.map(({ id }) => id)).toEqual(first.rows.map(({ id }) => id))
  }
})

async function thatReadMuch(): Promise<string[]> {
  const much: string[] = []
  for (const [text, values] of new Map(statements.map((one) => [one.text, one.values]))) {
    if (!text.includes('ledger')) continue
    for (const { table, rows, how } of await tableAccesses(owner, text, values))
      if (rows > mostRows) much.push(`${rows} of ${table} by ${how}: ${text}`)
  }
  return much
}
