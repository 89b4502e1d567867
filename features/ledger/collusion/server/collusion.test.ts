import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { login } from '#account/contract.ts'
import { auditLog } from '#audit/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { dismissHint, HintChanged, hints, type HintView } from '#collusion/contract.ts'
import { find } from '#collusion/server/collusion.ts'
import { manyComments } from '#comment/testing/factories.ts'
import { buyPart } from '#hidden-part/contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import { addLike } from '#like/contract.ts'
import { adoptAnswer, askQuestion } from '#question/contract.ts'
import { anAnswer } from '#question/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { reverseTransaction, transactions } from '#wallet/adjust-contract.ts'
import { toMinor } from '#wallet/contract.ts'
import { endow, freeKinds } from '#wallet/testing/factories.ts'
import { pay } from '#wallet/server/wallet.ts'
import { documentWith, paragraph, says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId: string
let [amy, bo, cai] = [] as unknown as [Person, Person, Person]

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  await transact(forum.database, (tx) =>
    applySettings(tx, { hiddenSharePoints: 0, likedPoints: 1, likedPointsPerDay: 0, likedPointsPerDayFromOneMember: 0 }),
  )
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
})
beforeEach(async () => {
  ;[amy, bo, cai] = [await rich(), await rich(), await rich()]
})

async function rich(): Promise<Person> {
  const person = await forum.member()
  await endow(forum.database, person.id, 1_000)
  return person
}

/** A post with something to buy. */
async function onSale(seller: Person): Promise<string> {
  const body = documentWith(paragraph({ type: 'text', text: 'Inside.' }), hides('points', '10', 'The secret'))
  const topicId = await aTopic(seller, tagId, { body })
  return partIds((await forum.visitor().call(thread, { topicId })).segments)[0] ?? ''
}

const buys = (buyer: Person, partId: string) => buyer.call(buyPart, { partId, price: '10' }, newIdempotencyKey())

async function buysOf(buyer: Person, seller: Person, times = 1): Promise<void> {
  for (let count = 0; count < times; count++) await buys(buyer, await onSale(seller))
}

/** Each liker likes so many comments of an author. */
async function liked(author: Person, likers: readonly (readonly [Person, number])[]): Promise<void> {
  const topicId = await aTopic(await forum.member(), tagId)
  const comments = await manyComments(forum.database, author.id, topicId, Math.max(...likers.map(([, times]) => times)))
  for (const [liker, times] of likers) for (const id of comments.slice(0, times)) await liker.call(addLike, { kind: 'comment', id })
}

async function logsInWhere(person: Person, other: Person): Promise<void> {
  const here = Object.assign(forum.visitor(), { ip: other.ip })
  await here.call(login, { account: person.account, password: person.password })
}

async function hintsAbout(...people: Person[]): Promise<HintView[]> {
  await find(forum.database, 0)
  const all = await Promise.all(people.map(({ id }) => chief.call(hints, { member: id })))
  return [...new Map(all.flatMap(({ rows }) => rows).map((row) => [row.id, row])).values()]
}

const ids = (...people: Person[]) => people.map(({ id }) => id).toSorted((one, other) => Number(one) - Number(other))
const membersOf = (hint: HintView | undefined) => hint?.members.map(({ id }) => id)
const dismiss = ({ id: hintId, updatedAt }: HintView) => chief.call(dismissHint, { hintId, updatedAt, reason: 'A couple' })

test('two accounts of one address that buy from each other are a hint, with sums, period and transactions', async () => {
  await logsInWhere(bo, amy)
  await buysOf(amy, bo, 2)
  await buysOf(bo, amy)
  const [hint, ...others] = await hintsAbout(amy)
  expect(others).toEqual([])
  expect(membersOf(hint)).toEqual(ids(amy, bo))
  expect(hint?.patterns).toEqual([{ measure: 'points', shape: 'ring' }])
  expect(hint?.shared.map(({ kind }) => kind)).toEqual(['address', 'registered'])
  const flow = hint?.flows.find(({ from }) => from === amy.id)
  expect(flow).toMatchObject({ to: bo.id, amount: '20', times: 2, ofGiven: 100, ofReceived: 100 })
  expect(flow?.transactionIds).toHaveLength(2)
  const { rows } = await chief.call(transactions, { number: flow?.transactionIds[0] })
  expect(rows[0]?.members.map(({ id }) => id).toSorted()).toEqual([amy.id, bo.id].toSorted())
  expect(JSON.stringify(hint)).not.toContain(amy.ip)
})

test('a shop with many honest buyers is none, though it buys of one of them, and they are of one network', async () => {
  const shop = amy
  const buyers = await Promise.all(Array.from({ length: 8 }, rich))
  const parts = [await onSale(shop), await onSale(shop), await onSale(shop)]
  for (const buyer of buyers) {
    await logsInWhere(buyer, shop)
    for (const partId of parts) await buys(buyer, partId)
  }
  await buysOf(shop, buyers[0] ?? bo, 3)
  expect(await hintsAbout(shop, ...buyers)).toEqual([])
})

test('purchases from a single seller, however many, are no hint', async () => {
  await buysOf(amy, bo, 4)
  expect(await hintsAbout(amy, bo)).toEqual([])
})

test('one-way payments at a shared address are a hint; so are bounties', async () => {
  await logsInWhere(bo, amy)
  for (let count = 0; count < 3; count++) {
    const draft = { tagId, title: `Question ${count}`, body: says('Which tea?'), bountyPoints: '20' }
    const { questionId } = await amy.call(askQuestion, draft, newIdempotencyKey())
    await amy.call(adoptAnswer, { questionId, commentId: await anAnswer(bo, questionId) }, newIdempotencyKey())
  }
  const [hint] = await hintsAbout(bo)
  expect(membersOf(hint)).toEqual(ids(amy, bo))
  expect(hint?.patterns).toEqual([{ measure: 'points', shape: 'oneWay' }])
  expect(hint?.flows).toMatchObject([{ from: amy.id, to: bo.id, times: 3 }])
})

test('points that go round three accounts are one hint, and no pair of them is another', async () => {
  for (const [buyer, seller] of [[amy, bo] as const, [bo, cai] as const, [cai, amy] as const]) await buysOf(buyer, seller, 3)
  const found = await hintsAbout(amy, bo, cai)
  expect(found.map((hint) => membersOf(hint))).toEqual([ids(amy, bo, cai)])
  expect(found[0]?.flows).toHaveLength(3)
})

test('accounts that like each other far more than others are a hint; friends, and readers of a popular author, are none', async () => {
  const [dan, eve, author] = [await forum.member(), await forum.member(), await forum.member()]
  const friends = [dan, 8] as const
  const others = [eve, 8] as const
  await liked(amy, [[cai, 10], friends, others])
  await liked(bo, [[amy, 10], friends, others])
  await liked(cai, [[bo, 10]])
  await liked(dan, [[eve, 10]])
  await liked(eve, [[dan, 10]])
  await liked(author, [[amy, 2], [bo, 2], [cai, 2], friends, others])
  await sql`update post_like set at = at - post_id % 3 * interval '1 day'`.execute(forum.database.app)
  const found = await hintsAbout(amy, bo, cai, dan, eve, author)
  expect(found.map((hint) => [membersOf(hint), hint.patterns])).toEqual([[ids(amy, bo, cai), [{ measure: 'likes', shape: 'ring' }]]])
})

test('payments that were reversed are none', async () => {
  await logsInWhere(bo, amy)
  await buysOf(amy, bo)
  await buysOf(bo, amy)
  const { rows } = await chief.call(transactions, { member: amy.id, kind: 'unlock' })
  for (const { id: transactionId } of rows)
    await chief.call(reverseTransaction, { transactionId, reason: 'By mistake' }, newIdempotencyKey())
  expect(await hintsAbout(amy, bo)).toEqual([])
})

test('a dismissed hint stays hidden until as much happens again, and says then that it is back', async () => {
  await logsInWhere(bo, amy)
  await buysOf(amy, bo)
  await buysOf(bo, amy)
  const [hint] = await hintsAbout(amy)
  if (!hint) throw new Error('There is no hint')
  await dismiss(hint)
  await buysOf(amy, bo)
  expect(await hintsAbout(amy)).toEqual([])
  const { rows } = await chief.call(hints, { member: amy.id, state: 'dismissed' })
  expect(rows[0]?.dismissed).toMatchObject({ by: chief.account, reason: 'A couple', returnedAt: null })
  await buysOf(bo, amy, 2)
  const [back] = await hintsAbout(amy)
  expect(back?.dismissed?.returnedAt).toBe(back?.updatedAt)
  const log = await chief.call(auditLog, {})
  expect(log.rows.find(({ about }) => about === `collusion ${hint.id}`)).toMatchObject({ action: 'collusion.dismiss', reason: 'A couple' })
})

test('a new shared fact brings a dismissed hint back, too', async () => {
  await logsInWhere(bo, amy)
  await buysOf(amy, bo)
  await buysOf(bo, amy)
  const [hint] = await hintsAbout(amy)
  await dismiss(hint as HintView)
  const hash = Buffer.from('one and the same browser')
  for (const { id: member_id } of [amy, bo]) await forum.database.app.insertInto('known_browser').values({ member_id, hash }).execute()
  expect(await hintsAbout(amy)).toEqual([])
  await buysOf(amy, bo)
  expect((await hintsAbout(amy))[0]?.shared.map(({ kind }) => kind)).toContain('browser')
})

test('staff cannot dismiss a hint that has changed, twice, or about themselves', async () => {
  await logsInWhere(bo, amy)
  await buysOf(amy, bo)
  await buysOf(bo, amy)
  const [hint] = await hintsAbout(amy)
  const { id: hintId, updatedAt } = hint as HintView
  await buysOf(amy, bo)
  await find(forum.database, 0)
  expect(await chief.isRefused(dismissHint, { hintId, updatedAt, reason: 'Old news' }, HintChanged)).toBe(true)
  const [now] = await hintsAbout(amy)
  await dismiss(now as HintView)
  expect(await chief.isRefused(dismissHint, { hintId, updatedAt: now?.updatedAt ?? '', reason: 'Again' }, HintChanged)).toBe(true)
})

test('reading hints takes the right to see the ledger, dismissing them the right to adjust accounts', async () => {
  const [reader, editor] = [await aStaffer(forum, ['wallet.view']), await aStaffer(forum, ['content.view', 'member.view'])]
  const dismissing = { hintId: '1', updatedAt: new Date().toISOString(), reason: 'Mine' }
  expect((await reader.tryCall(hints, {})).status).toBe(200)
  expect((await reader.tryCall(dismissHint, dismissing)).status).toBe(403)
  for (const who of [amy, forum.visitor(), editor])
    for (const status of [(await who.tryCall(hints, {})).status, (await who.tryCall(dismissHint, dismissing)).status])
      expect([401, 403]).toContain(status)
})

test('each payment is counted once, in any number of batches and jobs', async () => {
  const [from, to, many] = [await rich(), await rich(), 520]
  await transact(forum.database, async (tx) => {
    for (let count = 0; count < many; count++) {
      const cause = { kind: freeKinds.payment, source: `counted:${count}`, by: { kind: 'member', id: from.id } } as const
      await pay(tx, { ...cause, from: from.id, to: to.id, currency: 'points', amount: toMinor(1) })
    }
  })
  await Promise.all([find(forum.database, 0), find(forum.database, 0), find(forum.database, 0)])
  const { rows } = await sql<{ amount: number; times: number }>`
    select sum(amount)::int as amount, sum(times)::int as times from collusion_flow where from_id = ${from.id} and to_id = ${to.id}`.execute(
    forum.database.app,
  )
  expect(rows).toEqual([{ amount: many, times: many }])
})
