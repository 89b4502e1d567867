import { afterEach, beforeAll, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { ageLogin } from '#base/testing/session.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { undoBatch } from '#batch/contract.ts'
import { BountyOver, changeBounty, NotOpen } from '#bounty/contract.ts'
import { endDue } from '#bounty/server/due.ts'
import { letEnd, standingOf } from '#bounty/testing/factories.ts'
import { removeRemark } from '#comment/contract.ts'
import { adoptAsStaff, purgeTopic, removeTopicAsStaff, restoreTopic, tellTopic, askTopic, unadoptAsStaff } from '#content/contract.ts'
import { mergeTopics } from '#content/move-contract.ts'
import { addLike } from '#like/contract.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import { banMember, cancelMember, liftBan, memberView } from '#member/contract.ts'
import { systemNotifyList } from '#notification/contract.ts'
import { adoptAnswer, askQuestion, myQuestion, restoreQuestion, question as questionCall } from '#question/contract.ts'
import { tallies } from '#post/server/tally.ts'
import { anAnswer } from '#question/testing/factories.ts'
import { approveReview, reviewQueue } from '#review/contract.ts'
import { ProveAgain, prove } from '#second-factor/contract.ts'
import { Banned } from '#role/contract.ts'
import type { SettingName, Settings } from '#setting/contract.ts'
import { OwnCase } from '#staff/contract.ts'
import { me } from '#staff/right-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { BooksFrozen, freezeBooks, thawBooks } from '#wallet/contract.ts'
import { wallet } from '#wallet/log-contract.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { endow } from '#wallet/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId = ''

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  // Other tests cover the points that posts earn.
  await change({ questionPoints: 0, answerPoints: 0, topicPoints: 0, commentPoints: 0, adoptedPoints: 0 })
})
afterEach(async () => {
  const breaches = await checkLedger(forum.database, bookChecks, { isFull: true })
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

const reason = 'As it was agreed'
const change = async (values: Partial<Pick<Settings, SettingName>>) => {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

async function anAsker(points = 100): Promise<Person> {
  const asker = await forum.member()
  await endow(forum.database, asker.id, points)
  return asker
}

async function pointsOf(person: Person): Promise<number> {
  const { balance, owed } = (await person.call(wallet, {})).points
  return Number(balance) - Number(owed)
}

async function askWithBounty(asker: Person, bountyPoints = '50', title = 'What is it?'): Promise<string> {
  return (await asker.call(askQuestion, { tagId, title, body: says('I want to know.'), bountyPoints }, newIdempotencyKey())).questionId
}

async function noticesOf(person: Person): Promise<string[]> {
  return (await person.call(systemNotifyList, {})).notices.map(({ says: { kind } }) => kind)
}

/** A question with a bounty and an answer, and a reader of both people's points. */
async function stage() {
  const [asker, tom] = [await anAsker(), await forum.member()]
  const questionId = await askWithBounty(asker)
  const commentId = await anAnswer(tom, questionId)
  const standing = async () => [await standingOf(forum.database, questionId), await pointsOf(asker), await pointsOf(tom)]
  return { asker, tom, questionId, commentId, standing }
}

const open = { state: 'open', held: 50 }
const returned = { state: 'returned', held: 0 }
const paid = { state: 'paid', held: 0 }

test('a question that its asker or staff remove gives its bounty back, and put back it has none', async () => {
  const asker = await anAsker()
  const [own, theirs] = [await askWithBounty(asker), await askWithBounty(asker, '20', 'And that?')]
  expect(await pointsOf(asker)).toBe(30)
  await asker.call(removeTopic, { topicId: own, reason: '' })
  await chief.call(removeTopicAsStaff, { topicId: theirs, reason })
  expect([await standingOf(forum.database, own), await standingOf(forum.database, theirs)]).toEqual([returned, returned])
  expect(await pointsOf(asker)).toBe(100)
  await chief.call(restoreTopic, { topicId: theirs, reason })
  expect([await standingOf(forum.database, theirs), await pointsOf(asker)]).toEqual([returned, 100])
  expect((await asker.call(questionCall, { questionId: theirs })).bounty).toBe(null)
  await chief.call(removeTopicAsStaff, { topicId: theirs, reason })
  await chief.call(purgeTopic, { topicId: theirs, reason })
})

test('a question withdrawn by its asker with answers gives its bounty back', async () => {
  const { asker, questionId, standing } = await stage()
  await asker.call(removeTopic, { topicId: questionId, reason: '' })
  expect(await standing()).toEqual([returned, 100, 0])
  await asker.call(restoreQuestion, { questionId })
  expect(await standing()).toEqual([returned, 100, 0])
})

test('a question that becomes a topic gives its bounty back, and has none when it asks again', async () => {
  const { questionId, standing } = await stage()
  await chief.call(tellTopic, { topicId: questionId, reason })
  expect(await standing()).toEqual([returned, 100, 0])
  await chief.call(askTopic, { topicId: questionId, reason })
  expect(await standing()).toEqual([returned, 100, 0])
})

test('a question that is merged into another gives its bounty back; the other keeps its own, and an undo brings none', async () => {
  const [one, other] = [await stage(), await stage()]
  await chief.call(mergeTopics, { topicIds: [one.questionId], to: other.questionId, reason })
  expect([await one.standing(), await other.standing()]).toEqual([
    [returned, 100, 0],
    [open, 50, 0],
  ])
  const { id: batchId } = await forum.database.app.selectFrom('staff_batch').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
  await chief.call(undoBatch, { batchId })
  expect(await one.standing()).toEqual([returned, 100, 0])
})

test('an answer removed after its payment keeps it, and another accepted later gets nothing', async () => {
  const { asker, tom, questionId, commentId, standing } = await stage()
  await asker.call(adoptAnswer, { questionId, commentId }, newIdempotencyKey())
  await tom.call(removeRemark, { kind: 'comment', id: commentId, reason: '' })
  expect(await standing()).toEqual([paid, 50, 50])
  const lin = await forum.member()
  await asker.call(adoptAnswer, { questionId, commentId: await anAnswer(lin, questionId) }, newIdempotencyKey())
  expect([await standing(), await pointsOf(lin)]).toEqual([[paid, 50, 50], 0])
})

test('the bounty of a banned asker runs on', async () => {
  const { asker, tom, questionId, commentId, standing } = await stage()
  await chief.call(banMember, { memberId: asker.id, from: ['topic'], reason })
  await endDue(forum.database)
  expect(await standing()).toEqual([open, 50, 0])
  expect(await asker.isRefused(adoptAnswer, { questionId, commentId }, Banned, newIdempotencyKey())).toBe(true)
  const { bans } = await chief.call(memberView, { memberId: asker.id })
  await chief.call(liftBan, { banId: bans[0]?.id ?? '' })
  await asker.call(adoptAnswer, { questionId, commentId }, newIdempotencyKey())
  expect(await pointsOf(tom)).toBe(50)
})

test('the bounty of an asker who left is returned, and an answerer who left stays paid', async () => {
  const { asker, tom, questionId, commentId } = await stage()
  const other = await stage()
  await other.asker.call(adoptAnswer, { questionId: other.questionId, commentId: other.commentId }, newIdempotencyKey())
  await chief.call(cancelMember, { memberId: asker.id, reason })
  await chief.call(cancelMember, { memberId: other.tom.id, reason })
  await endDue(forum.database)
  expect([await standingOf(forum.database, questionId), await standingOf(forum.database, other.questionId)]).toEqual([returned, paid])
  expect([await pointsOf(tom), commentId]).toEqual([0, commentId])
})

test('the bounty of a merged asker belongs to the other account, and so does the payment of an answer', async () => {
  const [one, other, into] = [await stage(), await stage(), await forum.member()]
  await other.asker.call(adoptAnswer, { questionId: other.questionId, commentId: other.commentId }, newIdempotencyKey())
  const merge = (old: Person) => ({ memberId: old.id, account: old.account, into: into.account, reason })
  await chief.call(mergeMembers, merge(one.asker))
  await resume(forum.database)
  await chief.call(mergeMembers, merge(other.tom))
  await resume(forum.database)
  expect([await standingOf(forum.database, one.questionId), await pointsOf(into)]).toEqual([open, 100])
  expect((await into.call(questionCall, { questionId: other.questionId })).bounty?.shares).toMatchObject([{ member: { id: into.id } }])
  await letEnd(forum.database, one.questionId)
  await endDue(forum.database)
  expect([await standingOf(forum.database, one.questionId), await pointsOf(into)]).toEqual([returned, 150])
})

test('a bounty without an accepted answer is returned at its end, its asker is notified, and a later acceptance pays nothing', async () => {
  const { asker, questionId, commentId, standing } = await stage()
  await endDue(forum.database)
  expect(await standing()).toEqual([open, 50, 0])
  await letEnd(forum.database, questionId)
  await endDue(forum.database)
  await endDue(forum.database)
  expect([await standing(), await noticesOf(asker)]).toEqual([[returned, 100, 0], ['bountyReturned']])
  await asker.call(adoptAnswer, { questionId, commentId }, newIdempotencyKey())
  expect(await standing()).toEqual([returned, 100, 0])
})

test('a bounty past its deadline is not paid, even before its job ran; the next try accepts the answer without it', async () => {
  const { asker, tom, questionId, commentId, standing } = await stage()
  await letEnd(forum.database, questionId)
  expect((await asker.call(myQuestion, { questionId })).mayRaise).toBe(false)
  expect(await asker.isRefused(adoptAnswer, { questionId, commentId }, BountyOver, newIdempotencyKey())).toBe(true)
  expect([await standing(), await noticesOf(asker)]).toEqual([[returned, 100, 0], ['bountyReturned']])
  await asker.call(adoptAnswer, { questionId, commentId }, newIdempotencyKey())
  expect([await standing(), await pointsOf(tom)]).toEqual([[returned, 100, 0], 0])
  const other = await stage()
  await letEnd(forum.database, other.questionId)
  expect(await chief.isRefused(adoptAsStaff, { commentId: other.commentId, reason }, BountyOver, newIdempotencyKey())).toBe(true)
  expect(await chief.isRefused(changeBounty, { topicId: other.questionId, bountyPoints: '60', reason }, NotOpen, newIdempotencyKey())).toBe(
    true,
  )
  await endDue(forum.database)
  expect(await other.standing()).toEqual([returned, 100, 0])
})

test('an asker who was shown a bounty that is over is told so, and accepts nothing', async () => {
  const { asker, questionId, commentId } = await stage()
  await letEnd(forum.database, questionId)
  await endDue(forum.database)
  expect(await asker.isRefused(adoptAnswer, { questionId, commentId, withBounty: true }, BountyOver, newIdempotencyKey())).toBe(true)
  expect((await asker.call(questionCall, { questionId })).bestId).toBeNull()
})

test('half of a bounty goes to the best liked answer at its end, with two likes at least, if the site allows it', async () => {
  await change({ bountyHalfToBestLiked: true })
  const [liked, one] = [await stage(), await stage()]
  const people = [await forum.member(), await forum.member()]
  for (const who of people) await who.call(addLike, { kind: 'comment', id: liked.commentId })
  await people[0]?.call(addLike, { kind: 'comment', id: one.commentId })
  const own = await anAnswer(liked.asker, liked.questionId)
  for (const who of [...people, liked.tom]) await who.call(addLike, { kind: 'comment', id: own })
  await tallies.write(forum.database)
  for (const { questionId } of [liked, one]) await letEnd(forum.database, questionId)
  await endDue(forum.database)
  expect([await liked.standing(), await one.standing()]).toEqual([
    [paid, 75, 25],
    [returned, 100, 0],
  ])
  expect([await noticesOf(liked.tom), await noticesOf(liked.asker)]).toEqual([['bountyPaid'], ['bountyReturned']])
  expect((await liked.asker.call(questionCall, { questionId: liked.questionId })).bounty?.shares).toMatchObject([{ points: '25' }])
  // Staff find that another answer deserved all of it.
  const lin = await forum.member()
  const commentId = await anAnswer(lin, liked.questionId)
  await chief.call(adoptAsStaff, { commentId, reason }, newIdempotencyKey())
  expect([await liked.standing(), await pointsOf(lin)]).toEqual([[paid, 50, 0], 50])
  await change({ bountyHalfToBestLiked: false })
})

test('a member of staff who asked the question cannot decide about its answers or its bounty', async () => {
  const { asker, tom, questionId, commentId } = await stage()
  const lin = await forum.member()
  const other = await anAnswer(lin, questionId)
  await asker.call(adoptAnswer, { questionId, commentId }, newIdempotencyKey())
  const { memberId } = await chief.call(me, {})
  await transact(forum.database, (tx) => tx.updateTable('topic').set({ author_id: memberId }).where('id', '=', questionId).execute())
  expect(await chief.isRefused(unadoptAsStaff, { commentId, reason }, OwnCase, newIdempotencyKey())).toBe(true)
  expect(await chief.isRefused(adoptAsStaff, { commentId: other, reason }, OwnCase, newIdempotencyKey())).toBe(true)
  expect(await pointsOf(tom)).toBe(50)
  await transact(forum.database, (tx) => tx.updateTable('topic').set({ author_id: asker.id }).where('id', '=', questionId).execute())
})

test('staff accept nothing under a question that its asker withdrew', async () => {
  const { asker, questionId, commentId, standing } = await stage()
  await asker.call(removeTopic, { topicId: questionId })
  expect((await chief.tryCall(adoptAsStaff, { commentId, reason }, newIdempotencyKey())).status).toBe(404)
  expect(await standing()).toEqual([returned, 100, 0])
})

test('an answerer who loses a bounty again is told the reason', async () => {
  const { asker, tom, questionId, commentId } = await stage()
  const lin = await forum.member()
  const other = await anAnswer(lin, questionId)
  await asker.call(adoptAnswer, { questionId, commentId }, newIdempotencyKey())
  await chief.call(adoptAsStaff, { commentId: other, reason }, newIdempotencyKey())
  expect([await noticesOf(tom), await noticesOf(lin)]).toEqual([['bountyTaken', 'bountyPaid'], ['bountyPaid']])
})

test('a bounty of a question in review is taken at approval, if the balance suffices', async () => {
  await change({ reviewQuestions: 'everybody' })
  const [asker, poor] = [await anAsker(), await anAsker()]
  const [first, second] = [await askWithBounty(asker), await askWithBounty(poor, '80')]
  await endow(forum.database, poor.id, -60)
  await change({ reviewQuestions: 'nobody' })
  expect([await standingOf(forum.database, first), await pointsOf(asker)]).toEqual([{ state: 'waiting', held: 0 }, 100])
  for (const { id: reviewId, version } of (await chief.call(reviewQueue, {})).rows) await chief.call(approveReview, { reviewId, version })
  expect([await standingOf(forum.database, first), await pointsOf(asker)]).toEqual([open, 50])
  expect([await standingOf(forum.database, second), await pointsOf(poor)]).toEqual([returned, 40])
  expect([(await noticesOf(asker)).includes('bountyNotTaken'), (await noticesOf(poor)).includes('bountyNotTaken')]).toEqual([false, true])
  expect((await poor.call(questionCall, { questionId: second })).bounty).toBe(null)
})

test('money that is offered for a question that waits is asked for when it is offered, and taken without its asker', async () => {
  await change({ reviewQuestions: 'everybody', allowCash: true })
  const asker = await anAsker()
  await endow(forum.database, asker.id, 1_000, 'cny')
  const question = { tagId, title: 'How hot is it?', body: says('I want to know.'), bountyCash: '5' }
  await ageLogin(forum.database, asker)
  const key = newIdempotencyKey()
  expect((await asker.tryCall(askQuestion, question, key)).status).toBe(ProveAgain.status)
  await asker.call(prove, { password: asker.password })
  const { questionId } = await asker.call(askQuestion, question, key)
  await change({ reviewQuestions: 'nobody' })
  await ageLogin(forum.database, asker)
  for (const { id: reviewId, version } of (await chief.call(reviewQueue, {})).rows) await chief.call(approveReview, { reviewId, version })
  expect(await standingOf(forum.database, questionId)).toEqual({ state: 'open', held: 500 })
  await change({ allowCash: false })
})

test('while the books are frozen a question can be removed, and its bounty goes back after the thaw', async () => {
  const { asker, questionId, commentId, standing } = await stage()
  const other = await stage()
  await chief.call(freezeBooks, { reason })
  expect(await asker.isRefused(adoptAnswer, { questionId, commentId }, BooksFrozen, newIdempotencyKey())).toBe(true)
  await chief.call(removeTopicAsStaff, { topicId: questionId, reason })
  await endDue(forum.database)
  expect(await standing()).toEqual([open, 50, 0])
  await chief.call(thawBooks, { reason })
  await endDue(forum.database)
  expect([await standing(), await other.standing()]).toEqual([
    [returned, 100, 0],
    [open, 50, 0],
  ])
})

test('staff accept an answer in place of the asker, and it is paid', async () => {
  const { questionId, commentId, standing } = await stage()
  await chief.call(adoptAsStaff, { commentId, reason }, newIdempotencyKey())
  expect([await standing(), questionId]).toEqual([[paid, 50, 50], questionId])
})
