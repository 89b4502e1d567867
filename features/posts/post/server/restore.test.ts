import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { undoBatch } from '#batch/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { addComment, listComments, removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { doAtOnce, removeRemarkAsStaff, removeTopicAsStaff } from '#content/contract.ts'
import { wrongCounts } from '#content/testing/factories.ts'
import * as hidden from '#hidden-part/contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import { refundDue } from '#hidden-part/server/refund-due.ts'
import { banMember } from '#member/contract.ts'
import { deletedList, restorePost } from '#post/contract.ts'
import { adoptAnswer, askQuestion, question } from '#question/contract.ts'
import { anAnswer, aQuestion } from '#question/testing/factories.ts'
import { withEnvelopes } from '#red-envelope/testing/factories.ts'
import { aReport } from '#report/testing/factories.ts'
import { caseList, caseView, decideCase } from '#report/staff-contract.ts'
import { removeSensitiveList } from '#sensitive-word/contract.ts'
import { aList } from '#sensitive-word/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { removeTopic, thread } from '#topic/contract.ts'
import { aTopic, gives } from '#topic/testing/factories.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { endow } from '#wallet/testing/factories.ts'
import { documentWith, says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId: string
let ann: Person
let tom: Person

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  await withEnvelopes(forum, { hiddenPartsRemoved: 'refund', reportCaptchaAfter: 100 })
})

beforeEach(async () => {
  ;[ann, tom] = [await forum.member(), await forum.member()]
})

afterEach(async () => {
  const wrong = [...(await wrongCounts(forum.database.app)), ...(await checkLedger(forum.database, bookChecks, { isFull: true }))]
  if (wrong.length > 0) throw new Error(JSON.stringify(wrong))
})

const listed = async (who = ann) => (await who.call(deletedList, {})).posts.map(({ kind, id }) => `${kind} ${id}`)
const restores = async (kind: 'topic' | 'comment' | 'reply', id: string, who = ann) => (await who.tryCall(restorePost, { kind, id })).status

async function age(table: 'topic' | 'comment', id: string, hours: number): Promise<void> {
  await sql`update ${sql.table(table)} set deleted_at = deleted_at - make_interval(hours => ${hours}) where id = ${id}`.execute(
    forum.database.app,
  )
}

test('a topic, a comment and a reply deleted by their author are listed, and restored in place', async () => {
  const topicId = await aTopic(ann, tagId)
  const commentId = await aComment(ann, topicId, { body: says('The first floor.') })
  const replyId = await aReply(ann, commentId)
  await ann.call(removeRemark, { kind: 'reply', id: replyId })
  await ann.call(removeRemark, { kind: 'comment', id: commentId })
  expect(await listed()).toEqual([`comment ${commentId}`, `reply ${replyId}`])
  expect(await listed(tom)).toEqual([])
  expect(await restores('comment', commentId)).toBe(200)
  expect(await restores('reply', replyId)).toBe(200)
  const { comments } = await forum.visitor().call(listComments, { topicId })
  expect(comments).toMatchObject([{ id: commentId, floor: 1, isDeleted: false, replies: [{ id: replyId }] }])

  await ann.call(removeTopic, { topicId })
  expect(await listed()).toEqual([`topic ${topicId}`])
  expect(await restores('topic', topicId)).toBe(200)
  expect((await forum.visitor().call(thread, { topicId })).commentCount).toBe(2)
  expect(await listed()).toEqual([])
  expect(await restores('topic', topicId)).toBe(404)
})

test('a post of another author, removed by staff or deleted a day ago is not restored', async () => {
  const topicId = await aTopic(tom, tagId)
  const ids = [await aComment(ann, topicId), await aComment(ann, topicId), await aComment(ann, topicId)] as const
  await ann.call(removeRemark, { kind: 'comment', id: ids[0] })
  expect(await restores('comment', ids[0], tom)).toBe(404)
  await age('comment', ids[0], 24)
  expect(await restores('comment', ids[0])).toBe(422)
  await chief.call(removeRemarkAsStaff, { kind: 'comment', id: ids[1], reason: 'Spam' })
  expect(await restores('comment', ids[1])).toBe(404)
  await ann.call(removeRemark, { kind: 'comment', id: ids[2] })
  await chief.call(removeTopicAsStaff, { topicId, reason: 'Spam' })
  expect(await listed()).toEqual([])
  expect(await restores('comment', ids[2])).toBe(404)
})

test('a post removed by staff after its author deleted it is not restored, and its author may appeal', async () => {
  const topicId = await aTopic(ann, tagId)
  const commentId = await aComment(ann, topicId)
  await ann.call(removeRemark, { kind: 'comment', id: commentId })
  await chief.call(removeRemarkAsStaff, { kind: 'comment', id: commentId, reason: 'Spam' })
  expect(await listed()).toEqual([])
  expect(await restores('comment', commentId)).toBe(404)
  await ann.call(removeTopic, { topicId })
  await chief.call(removeTopicAsStaff, { topicId, reason: 'Spam' })
  expect(await restores('topic', topicId)).toBe(404)
  const { rows } = await sql`select why from removal where author_id = ${ann.id}`.execute(forum.database.app)
  expect(rows).toEqual([{ why: 'Spam' }, { why: 'Spam' }])
})

test('a removal undone by staff can be restored by its author again', async () => {
  const commentId = await aComment(ann, await aTopic(tom, tagId))
  await ann.call(removeRemark, { kind: 'comment', id: commentId })
  const { batch } = await chief.call(doAtOnce, { action: 'comment.remove', ids: [commentId], reason: 'Spam' })
  expect(await restores('comment', commentId)).toBe(404)
  await chief.call(undoBatch, { batchId: batch.id })
  expect(await restores('comment', commentId)).toBe(200)
})

test('a post repeated elsewhere is not restored, and a restored post cannot be repeated', async () => {
  await transact(forum.database, (tx) => applySettings(tx, { duplicateWindowHours: 24 }))
  const topicId = await aTopic(tom, tagId)
  const say = () => ann.tryCall(addComment, { topicId, body: says('My kettles are on sale at the fair today.') })
  const commentId = (await say()).body.commentId
  await ann.call(removeRemark, { kind: 'comment', id: commentId })
  expect(await restores('comment', commentId)).toBe(200)
  expect((await say()).status).toBe(422)
  await ann.call(removeRemark, { kind: 'comment', id: commentId })
  expect((await say()).status).toBe(200)
  expect(await restores('comment', commentId)).toBe(422)
  await transact(forum.database, (tx) => applySettings(tx, { duplicateWindowHours: 0 }))
})

test('a comment is not restored while the site takes no comments', async () => {
  const commentId = await aComment(ann, await aTopic(tom, tagId))
  await ann.call(removeRemark, { kind: 'comment', id: commentId })
  await transact(forum.database, (tx) => applySettings(tx, { allowComments: false }))
  const closed = await restores('comment', commentId)
  await transact(forum.database, (tx) => applySettings(tx, { allowComments: true }))
  expect([closed, await restores('comment', commentId)]).toEqual([422, 200])
})

test('a banned author restores nothing', async () => {
  const topicId = await aTopic(tom, tagId)
  const commentId = await aComment(ann, topicId)
  await ann.call(removeRemark, { kind: 'comment', id: commentId })
  await chief.call(banMember, { memberId: ann.id, from: ['comment'], reason: 'Spam' })
  const banned = await ann.tryCall(restorePost, { kind: 'comment', id: commentId })
  expect(banned.status).toBe(422)
})

test('a deleted post with an upheld report is not restored', async () => {
  const topicId = await aTopic(tom, tagId)
  const [upheld, open] = [await aComment(ann, topicId), await aComment(ann, topicId)]
  for (const commentId of [upheld, open]) {
    await aReport(tom, commentId)
    await ann.call(removeRemark, { kind: 'comment', id: commentId })
  }
  const { rows } = await chief.call(caseList, { state: 'all', size: 200 })
  const { id: caseId, version } = await chief.call(caseView, { caseId: rows.find(({ thing }) => thing.id === upheld)?.id ?? '' })
  await chief.call(decideCase, { caseId, version, outcome: 'succeeded', removes: false, why: '', result: 'Thank you.' })
  expect(await restores('comment', upheld)).toBe(409)
  expect(await restores('comment', open)).toBe(200)
})

test('words that were forbidden since are not restored with a post, nor a hidden part of it; those that only staff read are', async () => {
  const body = documentWith(hides('password', 'sesame', 'Oolong of Alishan'))
  const hiding = await aTopic(ann, tagId, { body })
  const titled = await aTopic(ann, tagId, { title: 'Gunpowder by the pound' })
  const commentId = await aComment(ann, hiding, { body: says('Some gunpowder is left.') })
  const read = await aComment(ann, hiding, { body: says('Matcha is left.') })
  for (const id of [commentId, read]) await ann.call(removeRemark, { kind: 'comment', id })
  for (const topicId of [hiding, titled]) await ann.call(removeTopic, { topicId })
  await aList(chief, 'refuse', 'gunpowder')
  const masked = await aList(chief, 'replace', 'alishan')
  await aList(chief, 'review', 'matcha')
  expect((await ann.tryCall(restorePost, { kind: 'topic', id: titled })).error['title']).toContain('unpowder')
  expect((await ann.tryCall(restorePost, { kind: 'topic', id: hiding })).error['text']).toContain('alishan')
  await chief.call(removeSensitiveList, { listId: masked })
  expect(await restores('topic', hiding)).toBe(200)
  expect([await restores('comment', commentId), await restores('comment', read)]).toEqual([422, 200])
})

test('an accepted answer that is restored solves its question again', async () => {
  const questionId = await aQuestion(tom, tagId)
  const commentId = await anAnswer(ann, questionId)
  await tom.call(adoptAnswer, { questionId, commentId }, newIdempotencyKey())
  await ann.call(removeRemark, { kind: 'comment', id: commentId })
  expect(await restores('comment', commentId)).toBe(200)
  expect((await forum.visitor().call(question, { questionId })).bestId).toBe(commentId)
})

test('a question whose bounty was returned at the deletion is refused, and one whose bounty had ended before is not', async () => {
  await endow(forum.database, ann.id, 100)
  const asks = async (bountyPoints?: string) => {
    const draft = { tagId, tagIds: [], title: 'What is it?', body: says('It grows.'), ...(bountyPoints && { bountyPoints, bountyDays: 7 }) }
    return (await ann.call(askQuestion, draft, newIdempotencyKey())).questionId
  }
  const withBounty = await asks('50')
  await ann.call(removeTopic, { topicId: withBounty })
  const refused = await ann.tryCall(restorePost, { kind: 'topic', id: withBounty })
  expect([refused.status, JSON.stringify(refused.response.json())]).toEqual([409, expect.stringContaining('bounty')])
  const without = await asks()
  await ann.call(removeTopic, { topicId: without })
  expect(await restores('topic', without)).toBe(200)
})

test('a bounty due to be returned is refused too while the books are frozen', async () => {
  await endow(forum.database, ann.id, 100)
  const draft = { tagId, tagIds: [], title: 'What is it?', body: says('It glows.'), bountyPoints: '50', bountyDays: 7 }
  const { questionId } = await ann.call(askQuestion, draft, newIdempotencyKey())
  await sql`select ledger.freeze('a test', 1)`.execute(forum.database.app)
  await ann.call(removeTopic, { topicId: questionId })
  expect(await restores('topic', questionId)).toBe(409)
  await sql`select ledger.thaw('a test', 1)`.execute(forum.database.app)
})

test('a topic with which a red envelope went back is refused, and so is one with an envelope under it', async () => {
  await endow(forum.database, ann.id, 100)
  await endow(forum.database, tom.id, 100)
  const { body } = await gives(ann, tagId, { envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 3 })
  await ann.call(removeTopic, { topicId: body.topicId })
  expect(await restores('topic', body.topicId)).toBe(409)
})

test('a topic with refunded buyers is refused, and until the refund it is restored and stays sold', async () => {
  await endow(forum.database, tom.id, 60)
  const sold = async () => {
    const topicId = await aTopic(ann, tagId, { body: documentWith(hides('points', '30', 'treasure')) })
    const [partId = ''] = partIds((await forum.visitor().call(thread, { topicId })).segments)
    await tom.call(hidden.buyPart, { partId, price: '30' }, newIdempotencyKey())
    await ann.call(removeTopic, { topicId })
    return topicId
  }
  const early = await sold()
  expect(await restores('topic', early)).toBe(200)
  const late = await sold()
  await refundDue(forum.database)
  expect(await restores('topic', late)).toBe(409)
  const { parts } = await tom.call(hidden.myHidden, { topicId: early })
  expect(parts).toMatchObject([{ why: 'unlocked' }])
})
