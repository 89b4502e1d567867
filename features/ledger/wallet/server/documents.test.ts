import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact, type Db } from '#base/server/database/database.ts'
import { freshDatabase, type TestDatabase } from '#base/testing/database.ts'
import * as contract from '#wallet/contract.ts'
import { aMemberRow, endow, freeKinds, noteRequest } from '#wallet/testing/factories.ts'
import { post, type Line } from '#wallet/server/post.ts'
import * as wallet from '#wallet/server/wallet.ts'

// A faulty program could attempt these; the database refuses each transaction that no row allows.
let store: TestDatabase
let mei: string
let tom: string
beforeAll(async () => {
  store = await freshDatabase()
  mei = await aMemberRow(store.database)
  tom = await aMemberRow(store.database)
  await endow(store.database, mei, 100)
})
afterAll(() => store.close())

let sources = 0
const unfounded = { code: 'TL009' }
const within = <T>(act: (tx: Db) => Promise<T>) => transact(store.database, act)
const points = (amount: number) => ({ currency: 'points', amount: contract.toMinor(amount) }) as const
const by = { by: { kind: 'forum' } } as const
const lines = (...all: [name: Line['name'], amount: number, owner?: string][]): Line[] =>
  all.map(([name, amount, owner]) => ({ name, currency: 'points', amount: BigInt(amount), owes: true, ...(owner && { owner }) }))
const posted = (kind: string, its: Line[], source = `document:${++sources}`) =>
  within((tx) => post(tx, { kind: kind as contract.EntryKind, source, ...by, lines: its }))

test('a payment that opened no part, a reward without a post and a merging without members are not committed', async () => {
  await expect(posted('unlock', lines(['member', -5, mei], ['member', 5, tom]))).rejects.toMatchObject(unfounded)
  await expect(posted('unlock', lines(['member', -5, mei], ['member', 5, tom]), `part:h_1:${mei}:0`)).rejects.toMatchObject(unfounded)
  await expect(posted('reward', lines(['member', 5, mei], ['promotion', -5]), 'topic:1:1')).rejects.toMatchObject(unfounded)
  await expect(posted('rewardTaken', lines(['member', -5, mei], ['promotion', 5]), 'topic:1:1')).rejects.toMatchObject(unfounded)
  await expect(posted('merging', lines(['member', -5, mei], ['member', 5, tom]), 'merging:1:points')).rejects.toMatchObject(unfounded)
  await expect(posted('closing', lines(['member', -5, mei], ['platform', 5]))).rejects.toMatchObject(unfounded)
  await expect(posted('opening', lines(['member', 5, mei], ['promotion', -5]), `member:${tom}:points`)).rejects.toMatchObject(unfounded)
  expect((await wallet.accountsOf(store.database.reader, mei)).points.balance).toBe(100n)
})

test('opening balances end with the first staff account, except for rewards', async () => {
  const [lin, ann] = [await aMemberRow(store.database), await aMemberRow(store.database)]
  const gift = {
    kind: 'opening' as contract.EntryKind,
    source: `member:${lin}:cny`,
    ...by,
    lines: [
      { name: 'member', owner: lin, currency: 'cny', amount: 99_999n },
      { name: 'adjustment', currency: 'cny', amount: -99_999n },
    ] as const,
  }
  await expect(within((tx) => post(tx, gift))).rejects.toMatchObject(unfounded)
  await expect(posted('opening', lines(['member', 5, lin], ['promotion', -5]), `member:${lin}:points`)).rejects.toMatchObject(unfounded)
  const reward = { post_kind: 'topic', member_id: ann, rule: 'topic', points: '5', is_due: true, is_given: true } as const
  await store.database.app
    .insertInto('reward')
    .values({ ...reward, post_id: '900' })
    .execute()
  await expect(posted('opening', lines(['member', 6, ann], ['promotion', -6]), `member:${ann}:points`)).rejects.toMatchObject(unfounded)
  await posted('opening', lines(['member', 5, ann], ['promotion', -5]), `member:${ann}:points`)
})

test('a merging gives no more than the other account had, and a reward can only be taken from its receiver', async () => {
  const [lin, ann] = [await aMemberRow(store.database), await aMemberRow(store.database)]
  const { app } = store.database
  const { id: staff_id } = await app.selectFrom('staff').select('id').executeTakeFirstOrThrow()
  const row = { from_id: lin, into_id: ann, staff_id }
  const merging = await app.insertInto('member_merge').values(row).returning('id').executeTakeFirstOrThrow()
  const entries = lines(['member', 5, ann], ['adjustment', -5])
  for (const part of ['points:earned', 'points:balance'])
    await expect(posted('merging', entries, `merging:${merging.id}:${part}`)).rejects.toMatchObject(unfounded)
  const reward = { post_kind: 'topic', member_id: mei, rule: 'topic', points: '5', is_due: true, is_given: true } as const
  await app
    .insertInto('reward')
    .values({ ...reward, post_id: '901' })
    .execute()
  const swapped = within(async (tx) => {
    await post(tx, { kind: 'rewardTaken', source: 'topic:901:0', ...by, lines: lines(['member', -5, mei], ['promotion', 5]) })
    await post(tx, { kind: 'reward', source: 'topic:901:0', ...by, lines: lines(['member', 5_000, tom], ['promotion', -5_000]) })
  })
  await expect(swapped).rejects.toMatchObject(unfounded)
  await app.deleteFrom('reward').where('post_id', '=', '901').execute()
})

test('a hold needs its bounty, and a payment needs a row naming its receiver', async () => {
  const hold = within((tx) => wallet.hold(tx, { kind: 'bounty', source: 'topic:1:points:1', ...by, ...points(5), from: mei }))
  await expect(hold).rejects.toMatchObject(unfounded)
  const holdId = await within((tx) => wallet.hold(tx, { kind: freeKinds.hold, source: 'held', ...by, ...points(5), from: mei }))
  const pays = [{ to: tom, amount: contract.toMinor(5) }]
  const paid = within((tx) => wallet.release(tx, holdId, { kind: 'bountyPaid', source: 'topic:1:hold:1', ...by, pays }))
  await expect(paid).rejects.toMatchObject(unfounded)
  const lines = [
    { name: 'escrow', owner: holdId, currency: 'points', amount: -5n },
    { name: 'member', owner: tom, currency: 'points', amount: 5n },
  ] as const
  const resolves = { hold: holdId, state: 'returned' } as const
  const stolen = within((tx) => post(tx, { kind: 'bountyReturned', source: 'topic:1:hold:2', ...by, lines, resolves }))
  await expect(stolen).rejects.toMatchObject(unfounded)
  await within((tx) => wallet.release(tx, holdId, { kind: 'bountyReturned', source: 'topic:1:hold:3', ...by }))
})

test('an adjustment is of the member, the currency and the amount that staff asked for, done, and in the audit log', async () => {
  const both = (amount: number, to = tom) => lines(['member', amount, to], ['adjustment', -amount])
  await expect(posted('adjustment', both(7))).rejects.toMatchObject(unfounded)
  const adjust = (amount: number, to: string, isDone: boolean, isNoted = true) =>
    within(async (tx) => {
      const { id } = await post(tx, { kind: 'adjustment', source: `document:${++sources}`, ...by, lines: both(7) })
      const { rows } = await sql<{ id: string }>`
        insert into money_request (kind, member_id, points, cents, input, reason, asked_by, state, decided_at, transaction_id)
        select 'adjustment', ${to}, ${amount}, 0, '{}', 'A gift', min(id), ${isDone ? 'done' : 'waiting'}, ${isDone ? new Date() : null}, ${isDone ? id : null}
        from staff returning id`.execute(tx)
      if (isNoted) await noteRequest(tx, rows[0]?.id ?? '')
    })
  await expect(adjust(8, tom, true)).rejects.toMatchObject(unfounded)
  await expect(adjust(7, mei, true)).rejects.toMatchObject(unfounded)
  await expect(adjust(7, tom, false)).rejects.toMatchObject(unfounded)
  await expect(adjust(7, tom, true, false)).rejects.toMatchObject(unfounded)
  await adjust(7, tom, true)
})

test('a reversal is the opposite of its transaction, for each account in it', async () => {
  const { id } = await within((tx) =>
    wallet.pay(tx, { kind: freeKinds.payment, source: 'bought', ...by, ...points(20), from: mei, to: tom, share: 10 }),
  )
  const reversed = (...all: Parameters<typeof lines>) =>
    within((tx) => post(tx, { kind: 'reversal', source: `transaction:${id}`, reverses: id, ...by, lines: lines(...all) }))
  await expect(reversed(['member', 20, mei], ['member', -20, tom])).rejects.toMatchObject(unfounded)
  await expect(reversed(['member', 18, mei], ['member', -18, tom])).rejects.toMatchObject(unfounded)
  await expect(reversed(['member', -18, tom], ['platform', -2], ['member', 20, await aMemberRow(store.database)])).rejects.toMatchObject(
    unfounded,
  )
  await expect(posted('reversal', lines(['member', 5, mei], ['platform', -5]))).rejects.toMatchObject(unfounded)
  await reversed(['member', 20, mei], ['member', -18, tom], ['platform', -2])
})

test('an undeclared kind, and an account that its kind may not move, are refused at once', async () => {
  await expect(posted('present', lines(['member', 5, mei], ['platform', -5]))).rejects.toMatchObject({ code: 'TL005' })
  await expect(posted('unlock', lines(['member', 5, mei], ['platform', -5]))).rejects.toMatchObject({ code: 'TL005' })
  await expect(posted('unlock', lines(['member', -500, tom], ['member', 500, mei]))).rejects.toMatchObject({ code: 'TL005' })
})

test('a document goes from its transaction to the accounts of it, and no plan has another way', async () => {
  const { rows } = await within(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    await sql`set local enable_nestloop = off`.execute(tx)
    return sql<{ 'QUERY PLAN': string }>`explain select from ledger.side where transaction_id = 1 and name = 'member'`.execute(tx)
  })
  const indexes = rows.flatMap((row) => /(?:using|Bitmap Index Scan on) (\w+)/.exec(row['QUERY PLAN'])?.[1] ?? [])
  expect(indexes).toEqual(['entry_pkey', 'account_pkey'])
})
