import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { until } from '#base/testing/waits.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { endDue } from '#bounty/server/due.ts'
import { standingOf } from '#bounty/testing/factories.ts'
import { buyPart } from '#hidden-part/contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import { cancelMember, disableMember, restoreMember } from '#member/contract.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import { askQuestion } from '#question/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { memberAccounts, reverseTransaction } from '#wallet/adjust-contract.ts'
import { BooksFrozen, freezeBooks, thawBooks } from '#wallet/contract.ts'
import { point } from '#wallet/log-contract.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { closeEnded } from '#wallet/server/closing.ts'
import { endow } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { documentWith, says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId = ''
let owner: pg.Client

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  owner = new pg.Client({ connectionString: forum.ownerUrl })
  await owner.connect()
})
afterAll(() => owner.end())
afterEach(async () => {
  const breaches = await checkLedger(forum.database, bookChecks, { isFull: true })
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

const nothing = { balance: 0n, held: 0n, owed: 0n }
const reason = 'They asked for it'

const pointsOf = async ({ id }: Person) => Number((await wallet.accountsOf(forum.database.app, id)).points.balance)

/** A member who hides a part for five points, and one who has a hundred. */
async function aSale(): Promise<{ author: Person; buyer: Person; into: Person; buy: () => Promise<unknown> }> {
  const [author, buyer, into] = [await forum.member(), await forum.member(), await forum.member()]
  await endow(forum.database, buyer.id, 100)
  const topicId = await aTopic(author, tagId, { body: documentWith(hides('points', '5', 'treasure')) })
  const [partId = ''] = partIds((await forum.visitor().call(thread, { topicId })).segments)
  return { author, buyer, into, buy: () => buyer.call(buyPart, { partId, price: '5' }, newIdempotencyKey()) }
}

async function merge(author: Person, into: Person): Promise<void> {
  await chief.call(mergeMembers, { memberId: author.id, account: author.account, into: into.account, reason })
  await resume(forum.database)
}

test('a payment under way during the merge of its author’s account goes to the other', async () => {
  const { author, buyer, into, buy } = await aSale()
  const before = (await pointsOf(author)) + (await pointsOf(into))
  await owner.query('begin')
  await owner.query(`select from ledger.account where owner_id = $1 for update`, [buyer.id])
  const buying = buy()
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%ledger.post%'`
  await until(async () => (await waiting.execute(forum.database.app)).rows.length === 1)
  await merge(author, into)
  await owner.query('rollback')
  await buying
  expect([await pointsOf(author), await pointsOf(into), await pointsOf(buyer)]).toEqual([0, before + 5, 95])
})

test('both orders leave nothing on the closed account', async () => {
  for (let round = 0; round < 40; round++) {
    const { author, buyer, into, buy } = await aSale()
    const before = (await pointsOf(author)) + (await pointsOf(into))
    await Promise.all([buy(), merge(author, into)])
    expect([await pointsOf(author), await pointsOf(into), await pointsOf(buyer)]).toEqual([0, before + 5, 95])
  }
})

test('the rest of a cancelled account goes to the forum once nothing of it is held, and comes back with its owner', async () => {
  const { author: mei, buyer: tom, buy } = await aSale()
  await endow(forum.database, mei.id, 300, 'cny')
  await endow(forum.database, mei.id, 60)
  const draft = { tagId, title: 'How long does it steep?', body: says('I want to know.'), bountyPoints: '50' }
  const { questionId } = await mei.call(askQuestion, draft, newIdempotencyKey())
  const points = await pointsOf(mei)
  await chief.call(cancelMember, { memberId: mei.id, reason })
  await closeEnded(forum.database)
  expect([await pointsOf(mei), (await standingOf(forum.database, questionId)).held]).toEqual([points, 50])
  await endDue(forum.database)
  for (let time = 0; time < 2; time++) await closeEnded(forum.database)
  expect(await wallet.accountsOf(forum.database.app, mei.id)).toMatchObject({ points: nothing, cny: nothing })
  const { log } = await chief.call(memberAccounts, { memberId: mei.id })
  expect(log.rows[0]).toMatchObject({ kind: 'closing', amount: String(-points - 50), reason })
  expect((await chief.tryCall(reverseTransaction, { transactionId: log.rows[0]?.id ?? '', reason }, newIdempotencyKey())).status).toBe(422)

  // The topic is still there to be bought.
  await buy()
  expect([await pointsOf(mei), await pointsOf(tom)]).toEqual([5, 95])
  await closeEnded(forum.database)
  expect(await pointsOf(mei)).toBe(0)
  await chief.call(restoreMember, { memberId: mei.id }, newIdempotencyKey())
  await closeEnded(forum.database)
  const back = await wallet.accountsOf(forum.database.app, mei.id)
  expect([Number(back.points.balance), Number(back.cny.balance)]).toEqual([points + 55, 300])
})

test('the rest of a disabled account stays there; that of an account merged into another goes to the other', async () => {
  const [mei, lin, into] = [await forum.member(), await forum.member(), await forum.member()]
  for (const { id } of [mei, lin]) await endow(forum.database, id, 60)
  await chief.call(disableMember, { memberId: mei.id, reason })
  await chief.call(cancelMember, { memberId: lin.id, reason })
  await closeEnded(forum.database)
  expect([await pointsOf(mei), await pointsOf(lin)]).toEqual([60, 0])
  await merge(lin, into)
  expect([await pointsOf(lin), await pointsOf(into)]).toEqual([0, 60])
  expect((await into.call(point, {})).level.points).toBe(60)
})

test('while the books are frozen no account is restored, and nothing is booked', async () => {
  const mei = await forum.member()
  await endow(forum.database, mei.id, 60)
  await chief.call(cancelMember, { memberId: mei.id, reason })
  await closeEnded(forum.database)
  await chief.call(freezeBooks, { reason })
  expect(await chief.isRefused(restoreMember, { memberId: mei.id }, BooksFrozen, newIdempotencyKey())).toBe(true)
  await closeEnded(forum.database)
  await chief.call(thawBooks, { reason })
  await chief.call(restoreMember, { memberId: mei.id }, newIdempotencyKey())
  expect(await pointsOf(mei)).toBe(60)
})
