import { beforeAll, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { addComment, removeRemark } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import { approveReview, reviewQueue } from '#review/contract.ts'
import { adoptAnswer } from '#question/contract.ts'
import { anAnswer, aQuestion } from '#question/testing/factories.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { home } from '#user/contract.ts'
import * as contract from '#wallet/contract.ts'
import { freeKinds } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { settleRewards } from '#wallet/server/reward.ts'
import { rewardsToday } from '#wallet/server/today.ts'
import { says } from '#writing/testing/factories.ts'
import { sql } from 'kysely'

let forum: Forum
let tagId: string
let topicId: string

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
  topicId = await aTopic(await forum.member(), tagId)
})

const rules = (settings: Parameters<typeof applySettings>[1]) => transact(forum.database, (tx) => applySettings(tx, settings))

async function pointsOf(person: Person): Promise<{ balance: number; owed: number; earned: number }> {
  const { points } = await wallet.accountsOf(forum.database.reader, person.id)
  const { level } = await person.call(home, {})
  return { balance: Number(points.balance), owed: Number(points.owed), earned: level.points ?? 0 }
}

async function spend(person: Person, amount: number): Promise<void> {
  const to = await forum.member()
  const cause = { kind: freeKinds.payment, source: `part:1:${person.id}`, by: { kind: 'member', id: person.id } } as const
  await transact(forum.database, (tx) =>
    wallet.pay(tx, { ...cause, from: person.id, to: to.id, currency: 'points', amount: contract.toMinor(amount) }),
  )
}

test('a visible post earns points, and a removed one loses them; both again when it returns', async () => {
  const mei = await forum.member()
  await aTopic(mei, tagId)
  const { commentId } = await mei.call(addComment, { topicId, body: says('Here') })
  expect(await pointsOf(mei)).toEqual({ balance: 15, owed: 0, earned: 15 })
  await mei.call(removeRemark, { kind: 'comment', id: commentId })
  expect(await pointsOf(mei)).toEqual({ balance: 10, owed: 0, earned: 10 })
})

test('a post in review earns nothing until staff approve it', async () => {
  const [mei, chief] = [await forum.member(), await aStaffer(forum)]
  await rules({ reviewComments: 'everybody' })
  await mei.call(addComment, { topicId, body: says('It waits') })
  await rules({ reviewComments: 'nobody' })
  expect(await pointsOf(mei)).toEqual({ balance: 0, owed: 0, earned: 0 })
  const [waiting] = (await chief.call(reviewQueue, { size: 200 })).rows.filter(({ author }) => author.id === mei.id)
  await chief.call(approveReview, { reviewId: waiting?.id ?? '', version: waiting?.version ?? 0 })
  expect(await pointsOf(mei)).toEqual({ balance: 5, owed: 0, earned: 5 })
})

test('points spent before their post is removed are owed, lower the level all the same, and come off the next points earned', async () => {
  const mei = await forum.member()
  const { commentId } = await mei.call(addComment, { topicId, body: says('Soon gone') })
  await spend(mei, 4)
  expect(await pointsOf(mei)).toEqual({ balance: 1, owed: 0, earned: 5 })
  await mei.call(removeRemark, { kind: 'comment', id: commentId })
  expect(await pointsOf(mei)).toEqual({ balance: 0, owed: 4, earned: 0 })
  await aComment(mei, topicId)
  expect(await pointsOf(mei)).toEqual({ balance: 1, owed: 0, earned: 5 })
})

test('points paid from one member to another raise no level', async () => {
  const mei = await forum.member()
  await aTopic(mei, tagId)
  await spend(mei, 10)
  expect(await pointsOf(mei)).toEqual({ balance: 0, owed: 0, earned: 10 })
})

test('a day has limits, by kind and for the whole, and a removed post frees nothing of them', async () => {
  const mei = await forum.member()
  await rules({ commentPointsPerDay: 12, pointsPerDay: 20 })
  const { commentId } = await mei.call(addComment, { topicId, body: says('One') })
  for (const text of ['Two', 'Three', 'Four']) await mei.call(addComment, { topicId, body: says(text) })
  expect((await pointsOf(mei)).balance).toBe(12)
  await mei.call(removeRemark, { kind: 'comment', id: commentId })
  await mei.call(addComment, { topicId, body: says('Five') })
  expect((await pointsOf(mei)).balance).toBe(7)
  await aTopic(mei, tagId)
  expect((await pointsOf(mei)).balance).toBe(15)
  const today = await rewardsToday(forum.database.reader, mei.id)
  expect([today.rules.comment, today.most, today.today]).toEqual([{ points: 5, most: 12, today: 12 }, 20, 20])
  await rules({ commentPointsPerDay: 100, pointsPerDay: 300 })
})

test('ten comments sent at once earn no more than the day allows', async () => {
  const mei = await forum.member()
  await rules({ commentPointsPerDay: 12 })
  await Promise.all(Array.from({ length: 10 }, (_, place) => mei.call(addComment, { topicId, body: says(`At once ${place}`) })))
  expect((await pointsOf(mei)).balance).toBe(12)
  await rules({ commentPointsPerDay: 100 })
})

test('an answer that is adopted earns more, until another is', async () => {
  const [mei, tom, lin] = [await forum.member(), await forum.member(), await forum.member()]
  const questionId = await aQuestion(mei, tagId)
  const answers = [await anAnswer(tom, questionId), await anAnswer(lin, questionId)]
  await mei.call(adoptAnswer, { questionId, commentId: answers[0] }, newIdempotencyKey())
  expect([(await pointsOf(tom)).balance, (await pointsOf(lin)).balance]).toEqual([15, 5])
  await mei.call(adoptAnswer, { questionId, commentId: answers[1] }, newIdempotencyKey())
  expect([(await pointsOf(tom)).balance, (await pointsOf(lin)).balance]).toEqual([5, 15])
  await lin.call(removeRemark, { kind: 'comment', id: answers[1] ?? '' })
  expect([(await pointsOf(tom)).balance, (await pointsOf(lin)).balance]).toEqual([5, 0])
})

test('while the books are frozen members can still write, and earn their points when the books are thawed', async () => {
  const mei = await forum.member()
  const { commentId } = await mei.call(addComment, { topicId, body: says('Before') })
  await sql`select ledger.freeze('A test', null)`.execute(forum.database.app)
  await aTopic(mei, tagId)
  await mei.call(removeRemark, { kind: 'comment', id: commentId })
  expect((await pointsOf(mei)).balance).toBe(5)
  await expect(spend(mei, 1)).rejects.toMatchObject({ kind: contract.BooksFrozen })
  await sql`select ledger.thaw('Done', 1)`.execute(forum.database.app)
  await transact(forum.database, settleRewards)
  expect((await pointsOf(mei)).balance).toBe(10)
})

test('a member merged into another takes points, balance and debts along', async () => {
  const [old, mei, chief] = [await forum.member(), await forum.member(), await aStaffer(forum)]
  await aTopic(old, tagId)
  await aTopic(mei, tagId)
  const gift = { source: `test:${old.id}`, by: { kind: 'forum' }, account: 'adjustment', to: old.id, kind: freeKinds.gift } as const
  await transact(forum.database, (tx) => wallet.credit(tx, { ...gift, currency: 'points', amount: contract.toMinor(7) }))
  await transact(forum.database, (tx) =>
    wallet.credit(tx, { ...gift, source: `cny:${old.id}`, currency: 'cny', amount: contract.toMinor(1234) }),
  )
  await spend(old, 12)
  await chief.call(mergeMembers, { memberId: old.id, account: old.account, into: mei.account, reason: 'one and the same' })
  await resume(forum.database)
  expect(await pointsOf(mei)).toEqual({ balance: 15, owed: 0, earned: 27 })
  expect((await wallet.accountsOf(forum.database.reader, mei.id)).cny.balance).toBe(1234n)
  const nothing = { balance: 0n, owed: 0n, held: 0n, earned: 0n, given: 0n }
  expect(await wallet.accountsOf(forum.database.reader, old.id)).toEqual({
    points: nothing,
    cny: nothing,
  })
})
