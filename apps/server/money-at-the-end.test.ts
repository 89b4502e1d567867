import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { bookChecks } from '#apps/server/book-checks.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { aKey } from '#base/testing/visit.ts'
import { buyPart } from '#hidden-part/contract.ts'
import { gives, hides, partIds } from '#hidden-part/server/example.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import { aStaffer, type Staffer } from '#staff/server/example.ts'
import { aTag } from '#tag/server/example.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/server/example.ts'
import { look } from '#wallet/server/books.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { documentWith } from '#writing/server/example.ts'

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
  const breaches = await look(forum.database, bookChecks, { isFull: true })
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

const reason = 'They asked for it'

const pointsOf = async ({ id }: Person) => Number((await wallet.accountsOf(forum.database.app, id)).points.balance)

/** Somebody who hides something for five points, and somebody who has a hundred. */
async function aSale(): Promise<{ author: Person; buyer: Person; into: Person; buy: () => Promise<unknown> }> {
  const [author, buyer, into] = [await forum.member(), await forum.member(), await forum.member()]
  await gives(forum.database, buyer.id, 100)
  const topicId = await aTopic(author, tagId, { body: documentWith(hides('points', '5', 'treasure')) })
  const [partId = ''] = partIds((await forum.visitor().call(thread, { topicId })).segments)
  return { author, buyer, into, buy: () => buyer.call(buyPart, { partId, price: '5' }, aKey()) }
}

async function merge(author: Person, into: Person): Promise<void> {
  await chief.call(mergeMembers, { memberId: author.id, account: author.account, into: into.account, reason })
  await resume(forum.database)
}

test('a payment that is under way while its author’s account goes on as another is the other’s', async () => {
  const { author, buyer, into, buy } = await aSale()
  const before = (await pointsOf(author)) + (await pointsOf(into))
  await owner.query('begin')
  await owner.query(`select from ledger.account where owner_id = $1 for update`, [buyer.id])
  const buying = buy()
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%ledger.post%'`
  await vi.waitFor(async () => expect((await waiting.execute(forum.database.app)).rows).toHaveLength(1), 10_000)
  await merge(author, into)
  await owner.query('rollback')
  await buying
  expect([await pointsOf(author), await pointsOf(into), await pointsOf(buyer)]).toEqual([0, before + 5, 95])
})

test('whichever of the two comes first, nothing is left on the account that has ended', { timeout: 120_000 }, async () => {
  for (let round = 0; round < 40; round++) {
    const { author, buyer, into, buy } = await aSale()
    const before = (await pointsOf(author)) + (await pointsOf(into))
    await Promise.all([buy(), merge(author, into)])
    expect([await pointsOf(author), await pointsOf(into), await pointsOf(buyer)]).toEqual([0, before + 5, 95])
  }
})
