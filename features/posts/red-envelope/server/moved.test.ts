import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { undoBatch, batches } from '#batch/contract.ts'
import { addComment, listComments } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import { askTopic, moveTopic, purgeTopic, removeTopicAsStaff, restoreTopic, tellTopic } from '#content/contract.ts'
import { mergeTopics, splitTopic } from '#content/move-contract.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { askQuestion } from '#question/contract.ts'
import { anAnswer } from '#question/testing/factories.ts'
import { envelope, openEnvelope } from '#red-envelope/contract.ts'
import { distribution, envelopeShares, envelopesOfThreads, givenEnvelopes, receivedEnvelopes } from '#red-envelope/list-contract.ts'
import { endDue } from '#red-envelope/server/end.ts'
import { aGiver, envelopeBeside, envelopeOf, opens, payClaims, stands, withEnvelopes } from '#red-envelope/testing/factories.ts'
import { openWaiting } from '#red-envelope/server/presence.ts'
import { approveReview, reviewQueue, undoReview } from '#review/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic, gives } from '#topic/testing/factories.ts'
import { freezeBooks, thawBooks } from '#wallet/contract.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { wallet } from '#wallet/log-contract.ts'
import { says } from '#writing/testing/factories.ts'

// Envelopes of threads that are moved.
let forum: Forum
let chief: Staffer
let tagId = ''
let mei: Person
let tom: Person

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  await withEnvelopes(forum)
  mei = await forum.member()
  tom = await forum.member()
})
afterEach(async () => {
  await payClaims(forum)
  const breaches = await checkLedger(forum.database, bookChecks, { isFull: true })
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

const reason = 'It fits better there'
const points = async (who: Person) => Number((await who.call(wallet, {})).points.balance)

/** A topic with an envelope of five shares of ten points, of which Mei has opened one. */
async function anEnvelope(): Promise<{ giver: Person; topicId: string; envelopeId: string }> {
  const giver = await aGiver(forum)
  const { body } = await gives(giver, tagId, { envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 5 })
  const envelopeId = await envelopeOf(forum, body.topicId)
  await mei.call(openEnvelope, { envelopeId }, newIdempotencyKey())
  return { giver, topicId: body.topicId, envelopeId }
}

async function waiting(): Promise<{ giver: Person; topicId: string; envelopeId: string; approve: () => Promise<void> }> {
  await withEnvelopes(forum, { reviewTopics: 'everybody' })
  const giver = await aGiver(forum)
  const { body } = await gives(giver, tagId, { envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 5 })
  await withEnvelopes(forum, { reviewTopics: 'nobody' })
  const approve = async () => {
    for (const { id: reviewId, version } of (await chief.call(reviewQueue, {})).rows) await chief.call(approveReview, { reviewId, version })
  }
  return { giver, topicId: body.topicId, envelopeId: await envelopeOf(forum, body.topicId), approve }
}

describe('in a tag without access for its openers', () => {
  test('an envelope keeps the opened shares, is hidden from their members, and is in no list of theirs', async () => {
    const { giver, topicId, envelopeId } = await anEnvelope()
    const key = newIdempotencyKey()
    const opened = await opens(tom, envelopeId, key)
    const closed = await aClosedTag(forum.database)
    await closed.admit(giver.id)
    await chief.call(moveTopic, { topicId, tagId: closed.tagId, reason })
    expect((await opens(tom, envelopeId, key)).body).toEqual(opened.body)
    for (const who of [mei, await forum.member(), forum.visitor()]) {
      expect((await who.tryCall(envelope, { envelopeId })).status).toBe(404)
      expect((await who.tryCall(envelopeShares, { envelopeId })).status).toBe(404)
    }
    expect((await opens(await forum.member(), envelopeId)).status).toBe(404)
    expect((await mei.call(receivedEnvelopes, {})).shares[0]).toMatchObject({ envelopeId, amount: '10', topic: null })
    await payClaims(forum)
    expect((await giver.call(givenEnvelopes, {})).envelopes[0]).toMatchObject({ id: envelopeId, taken: 2, topic: { id: topicId } })
    await closed.admit(tom.id)
    expect((await tom.call(envelope, { envelopeId })).mine).toBe('10')
    expect((await tom.call(receivedEnvelopes, {})).shares[0]).toMatchObject({ envelopeId, topic: { id: topicId } })
  })

  test('a reader without access to a thread cannot tell whether it has an envelope', async () => {
    const closed = await aClosedTag(forum.database)
    const giver = await aGiver(forum)
    await closed.admit(giver.id)
    const { body } = await gives(giver, closed.tagId, { envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 5 })
    const ids = [body.topicId, await aTopic(giver, closed.tagId), '99999999']
    for (const who of [mei, forum.visitor()])
      expect(await Promise.all(ids.map(async (topicId) => (await who.tryCall(envelopesOfThreads, { topicId })).body))).toEqual(
        ids.map(() => ({ envelope: null })),
      )
  })
})

describe('the rest of an envelope is returned once, and the giver is notified', () => {
  test('when staff take the topic away; it is not given again when the topic is back', async () => {
    const { giver, topicId, envelopeId } = await anEnvelope()
    await chief.call(removeTopicAsStaff, { topicId, reason })
    expect(await points(giver)).toBe(990)
    expect((await opens(tom, envelopeId)).status).toBe(404)
    await chief.call(restoreTopic, { topicId, reason }, newIdempotencyKey())
    expect((await opens(tom, envelopeId)).status).toBe(409)
    expect([await points(giver), await stands(forum, envelopeId)]).toEqual([990, { state: 'returned', reason: 'postGone', returned: '40' }])
    expect((await noticesOf(giver)).filter(({ says: { kind } }) => kind === 'envelopeReturned')).toHaveLength(1)
  })

  test.each(['at once', 'after the thaw'])('when its asker withdraws a question that others have answered: %s', async (when) => {
    const giver = await aGiver(forum)
    const draft = { tagId, title: 'How long does it steep?', body: says('I want to know.') }
    const wish = { envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 5 } as const
    const { questionId } = await giver.call(askQuestion, { ...draft, ...wish }, newIdempotencyKey())
    await anAnswer(tom, questionId)
    if (when === 'after the thaw') await chief.call(freezeBooks, { reason })
    await giver.call(removeTopic, { topicId: questionId })
    if (when === 'after the thaw') await chief.call(thawBooks, { reason })
    await endDue(forum.database)
    const envelopeId = await envelopeOf(forum, questionId)
    expect([await points(giver), (await stands(forum, envelopeId)).state, (await opens(tom, envelopeId)).status]).toEqual([
      1_000,
      'returned',
      409,
    ])
  })

  test('when staff let a topic wait again that they had approved; approved once more it has none', async () => {
    const { giver, envelopeId, approve } = await waiting()
    await approve()
    expect(await points(giver)).toBe(950)
    const { review_id: reviewId } = await decided()
    await chief.call(undoReview, { reviewId }, newIdempotencyKey())
    expect([await points(giver), (await opens(tom, envelopeId)).status]).toEqual([1_000, 404])
    await approve()
    expect([await points(giver), (await opens(tom, envelopeId)).status]).toEqual([1_000, 409])
  })

  test('after the thaw, if it was removed while the books were frozen; if it is back by then, its envelope is open as before', async () => {
    const [away, back] = [await anEnvelope(), await anEnvelope()]
    await payClaims(forum)
    await chief.call(freezeBooks, { reason })
    for (const { topicId } of [away, back]) await chief.call(removeTopicAsStaff, { topicId, reason })
    await chief.call(restoreTopic, { topicId: back.topicId, reason }, newIdempotencyKey())
    await endDue(forum.database)
    await chief.call(thawBooks, { reason })
    expect((await opens(tom, away.envelopeId)).status).toBe(404)
    await endDue(forum.database)
    expect(await stands(forum, away.envelopeId)).toMatchObject({ state: 'returned', reason: 'postGone' })
    expect([await points(away.giver), (await opens(tom, back.envelopeId)).status]).toEqual([990, 200])
  })
})

async function decided(): Promise<{ review_id: string }> {
  const { app } = forum.database
  return app
    .selectFrom('review')
    .select('id as review_id')
    .where('state', '=', 'approved')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
}

test('a topic that is approved while the books are frozen has its envelope after the thaw', async () => {
  const { giver, envelopeId, topicId, approve } = await waiting()
  await chief.call(freezeBooks, { reason })
  await approve()
  expect([await points(giver), (await forum.visitor().call(envelopesOfThreads, { topicId })).envelope]).toEqual([1_000, null])
  await chief.call(thawBooks, { reason })
  await openWaiting(forum.database)
  expect([await points(giver), (await opens(tom, envelopeId)).status]).toEqual([950, 200])
})

test('an envelope stays open in a topic that is moved, becomes a question or a topic again, or loses comments to another', async () => {
  const { giver, topicId, envelopeId } = await anEnvelope()
  const commentId = await aComment(mei, topicId)
  await chief.call(askTopic, { topicId, reason })
  await chief.call(tellTopic, { topicId, reason })
  await chief.call(moveTopic, { topicId, tagId: await aTag(forum.database), reason })
  const split = await chief.call(splitTopic, { topicId, commentIds: [commentId], title: 'Cups', tagId, reason })
  expect((await forum.visitor().call(envelopesOfThreads, { topicId: split.topicId })).envelope).toBeNull()
  expect((await opens(tom, envelopeId)).status).toBe(200)
  await payClaims(forum)
  expect((await giver.call(distribution, { envelopeId })).shares.map(({ member }) => member?.id)).toEqual([mei.id, tom.id])
})

describe('an envelope goes along', () => {
  const idsIn = async (topicId: string) => {
    const { envelope: opening } = await forum.visitor().call(envelopesOfThreads, { topicId })
    const { comments } = await forum.visitor().call(listComments, { topicId })
    return { opening: opening?.id ?? null, comments: comments.flatMap(({ envelopeId }) => envelopeId ?? []) }
  }
  const undo = async () => {
    const [{ id: batchId } = { id: '' }] = (await chief.call(batches, {})).rows
    await chief.call(undoBatch, { batchId }, newIdempotencyKey())
  }

  test('with a topic that becomes a comment of another, and back when they are parted; both stay open, and nothing is returned', async () => {
    const [one, other] = [await anEnvelope(), await anEnvelope()]
    await chief.call(mergeTopics, { topicIds: [one.topicId], to: other.topicId, reason })
    expect(await idsIn(other.topicId)).toEqual({ opening: other.envelopeId, comments: [one.envelopeId] })
    expect([await points(one.giver), await points(other.giver)]).toEqual([950, 950])
    for (const { envelopeId } of [one, other]) expect((await opens(tom, envelopeId)).status).toBe(200)
    await undo()
    expect([await idsIn(one.topicId), await idsIn(other.topicId)]).toEqual([
      { opening: one.envelopeId, comments: [] },
      { opening: other.envelopeId, comments: [] },
    ])
    expect((await opens(await forum.member(), one.envelopeId)).status).toBe(200)
    await chief.call(removeTopicAsStaff, { topicId: one.topicId, reason })
    await payClaims(forum)
    expect([await points(one.giver), await stands(forum, one.envelopeId)]).toEqual([
      970,
      { state: 'returned', reason: 'postGone', returned: '20' },
    ])
  })

  test('with a comment that opens a topic of its own, and back', async () => {
    const { topicId } = await anEnvelope()
    const giver = await aGiver(forum)
    const wish = { envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 5 } as const
    const { commentId } = await giver.call(addComment, { topicId, body: says('Tea for all.'), ...wish }, newIdempotencyKey())
    const { id: envelopeId } = await envelopeBeside(forum, 'comment_id', commentId)
    const split = await chief.call(splitTopic, { topicId, commentIds: [commentId], title: 'Cups', tagId, reason })
    expect(await idsIn(split.topicId)).toEqual({ opening: envelopeId, comments: [] })
    expect([await points(giver), (await opens(mei, envelopeId)).status]).toEqual([950, 200])
    await undo()
    expect((await idsIn(topicId)).comments).toEqual([envelopeId])
    expect([await points(giver), (await opens(tom, envelopeId)).status]).toEqual([950, 200])
    await endDue(forum.database)
    expect(await stands(forum, envelopeId)).toMatchObject({ state: 'open' })
  })
})

test('an envelope whose topic is erased before its approval is over, and nothing was taken', async () => {
  const { giver, envelopeId, topicId } = await waiting()
  await chief.call(removeTopicAsStaff, { topicId, reason })
  await endDue(forum.database)
  expect(await stands(forum, envelopeId)).toMatchObject({ state: 'waiting' })
  await chief.call(purgeTopic, { topicId, reason })
  await endDue(forum.database)
  expect([await points(giver), await stands(forum, envelopeId)]).toEqual([1_000, { state: 'dropped', reason: 'postGone', returned: '0' }])
})
