import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { transact } from '#base/server/database/database.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { adoptAnswer } from '#question/contract.ts'
import { anAnswer, aQuestion } from '#question/testing/factories.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { dashboard } from '#statistic/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import * as contract from '#wallet/contract.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { freeKinds } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'

let forum: Forum
let owner: pg.Client
let mei: Person

beforeAll(async () => {
  forum = await aForum()
  owner = new pg.Client({ connectionString: forum.ownerUrl })
  await owner.connect()
  mei = await forum.member()
  const [tagId, asker] = [await aTag(forum.database), await forum.member()]
  await aTopic(mei, tagId)
  const questionId = await aQuestion(asker, tagId)
  await asker.call(adoptAnswer, { questionId, commentId: await anAnswer(mei, questionId) }, newIdempotencyKey())
})
afterAll(() => owner.end())

const runCheck = (isFull = true) => checkLedger(forum.database, bookChecks, { isFull })

/** Runs statements as the database's owner, past the ledger's triggers. */
async function asOwner(...texts: string[]): Promise<void> {
  await owner.query(`set session_replication_role = replica; ${texts.join(';')}; set session_replication_role = origin`)
}

async function pay(): Promise<wallet.Posted> {
  const to = await forum.member()
  const cause = { kind: freeKinds.payment, source: `bounty:1:${to.id}`, by: { kind: 'member', id: mei.id } } as const
  return transact(forum.database, (tx) =>
    wallet.pay(tx, { ...cause, from: mei.id, to: to.id, currency: 'points', amount: contract.toMinor(1) }),
  )
}

test('the books of a forum are right, in the full check and in that of new transactions', async () => {
  expect(await runCheck()).toEqual([])
  expect(await runCheck(false)).toEqual([])
})

const flips: [string, string, string][] = [
  [
    'an entry',
    'update ledger.entry set amount = amount + 1 where amount > 0',
    'update ledger.entry set amount = amount - 1 where amount > 0',
  ],
  [
    'a balance',
    "update ledger.account set balance = balance + 1 where name = 'member'",
    "update ledger.account set balance = balance - 1 where name = 'member'",
  ],
  ['points earned', 'update member set points_earned = points_earned + 1', 'update member set points_earned = points_earned - 1'],
  ['a reward', 'update reward set is_given = false, is_due = false', 'update reward set is_given = true, is_due = true'],
  [
    'who is rewarded for what solved a question',
    'update adoption set author_id = -author_id',
    'update adoption set author_id = -author_id',
  ],
  ['a guard', 'alter table ledger.entry disable trigger immutable', 'alter table ledger.entry enable trigger immutable'],
]

test.each(flips)('%s is found by the next check once it is flipped, and freezes the books', async (_, flip, back) => {
  const chief = await aStaffer(forum)
  await asOwner(flip)
  const breaches = await runCheck()
  await asOwner(back)
  expect(breaches).not.toEqual([])
  await expect(pay()).rejects.toMatchObject({ kind: contract.BooksFrozen })
  const { frozen, looks } = await chief.call(contract.books, {})
  expect(frozen).toMatchObject({ byStaff: null })
  expect(looks.find(({ isFull }) => isFull)?.breaches).toEqual(breaches)
  expect((await chief.call(dashboard, { days: 7 })).failed.map(({ kind }) => kind)).toContain('books')
  await chief.call(contract.thawBooks, { reason: 'It is as it was' })
  expect((await pay()).isNew).toBe(true)
  expect(await runCheck()).toEqual([])
})

test('a transaction changed a moment ago is found by the check of new ones', async () => {
  await runCheck()
  const { id } = await pay()
  const flip = (by: number) => `update ledger.entry set amount = amount + ${by} where transaction_id = ${id} and amount > 0`
  await asOwner(flip(1))
  const breaches = await runCheck(false)
  await asOwner(flip(-1))
  expect(breaches.map(({ what }) => what)).toContain(`transaction ${id}`)
  await sql`select ledger.thaw('Done', 1)`.execute(forum.database.app)
})

test('staff freeze the books and thaw them, each once, and the log says so', async () => {
  const chief = await aStaffer(forum)
  expect(await chief.isRefused(contract.thawBooks, { reason: 'Why not' }, contract.BooksNotFrozen)).toBe(true)
  await chief.call(contract.freezeBooks, { reason: 'To look at something' })
  expect(await chief.isRefused(contract.freezeBooks, { reason: 'Again' }, contract.BooksFrozenAlready)).toBe(true)
  expect((await chief.call(contract.books, {})).frozen).toMatchObject({ byStaff: chief.account, reason: 'To look at something' })
  await expect(pay()).rejects.toMatchObject({ kind: contract.BooksFrozen })
  await chief.call(contract.thawBooks, { reason: 'Looked' })
  const actions = await forum.database.app.selectFrom('audit_log').select('action').where('action', 'like', 'books.%').execute()
  expect(actions.map(({ action }) => action).slice(-2)).toEqual(['books.freeze', 'books.thaw'])
  const helper = await aStaffer(forum, ['member.view'])
  expect((await helper.tryCall(contract.books, {})).status).toBe(403)
  expect((await helper.tryCall(contract.freezeBooks, { reason: 'No' })).status).toBe(403)
})
