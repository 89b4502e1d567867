import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { batches, undoBatch } from '#batch/contract.ts'
import { addComment, listComments, removeRemark } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import { removeRemarkAsStaff, restoreRemark, restoreTopic } from '#content/contract.ts'
import { mergeTopics, moveComments } from '#content/move-contract.ts'
import { block } from '#follow/contract.ts'
import { clean } from '#member-cleanup/contract.ts'
import * as messages from '#message/contract.ts'
import { talking } from '#message/testing/factories.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { askQuestion } from '#question/contract.ts'
import { envelope, openEnvelope } from '#red-envelope/contract.ts'
import { envelopesOfThreads, givenEnvelopes, receivedEnvelopes } from '#red-envelope/list-contract.ts'
import { envelopeBeside, letEnd, payClaims } from '#red-envelope/testing/factories.ts'
import { staffEnvelope, staffEnvelopes } from '#red-envelope/staff-contract.ts'
import { approveReview, reviewQueue } from '#review/contract.ts'
import type { Settings } from '#setting/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { listTopics, removeTopic, thread } from '#topic/contract.ts'
import { aTopic, gives } from '#topic/testing/factories.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { endow } from '#wallet/testing/factories.ts'
import { wallet } from '#wallet/log-contract.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId = ''
let topicId = ''
let [asker, giver, mei] = [] as unknown as [Person, Person, Person]

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  await change({ topicPoints: 0, commentPoints: 0, envelopesPerDay: 1_000, envelopesPerDayOfNewMembers: 1_000 })
})
beforeEach(async () => {
  ;[asker, giver, mei] = [await forum.member(), await forum.member(), await forum.member()]
  await endow(forum.database, giver.id, 1_000)
  topicId = await aTopic(asker, tagId)
})
afterEach(async () => {
  await payClaims(forum)
  const breaches = await checkLedger(forum.database, bookChecks, { isFull: true })
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

async function change(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

const points = async (who: Person) => Number((await who.call(wallet, {})).points.balance)
const opens = (who: Person, envelopeId: string) => who.tryCall(openEnvelope, { envelopeId }, newIdempotencyKey())
const fixed = { envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 3 } as const

/** Posts a comment with a red envelope and returns the response. */
function comments(wish: Record<string, unknown> = fixed, under = topicId) {
  return giver.tryCall(addComment, { topicId: under, body: says('Tea for all who read this.'), ...wish }, newIdempotencyKey())
}

async function commented(wish?: Record<string, unknown>): Promise<{ commentId: string; id: string }> {
  const { status, body } = await comments(wish)
  expect(status, JSON.stringify(body)).toBe(200)
  return { commentId: body.commentId, id: (await envelopeBeside(forum, 'comment_id', body.commentId)).id }
}

const stands = async (commentId: string) => {
  const { state, end_reason: why, topic_id: lies } = await envelopeBeside(forum, 'comment_id', commentId)
  return { state, why, lies }
}

describe('with a comment', () => {
  test('an envelope is shown under it, and not as the thread’s; readers of the thread open it, and the lists link to it', async () => {
    const { commentId, id } = await commented()
    const visitor = forum.visitor()
    expect((await visitor.call(listComments, { topicId })).comments).toMatchObject([{ id: commentId, envelopeId: id }])
    expect((await visitor.call(thread, { topicId })).parts.redEnvelope).toBeUndefined()
    expect((await visitor.call(envelopesOfThreads, { topicId })).envelope).toBeNull()
    expect((await visitor.call(listTopics, { tagId })).topics.find((one) => one.id === topicId)?.hasEnvelope).toBe(true)
    expect(await visitor.call(envelope, { envelopeId: id })).toMatchObject({ state: 'open', taken: 0, mayTry: true })
    expect((await visitor.tryCall(openEnvelope, { envelopeId: id }, newIdempotencyKey())).status).toBe(401)
    expect((await opens(giver, id)).status).toBe(403)
    expect((await opens(mei, id)).body).toMatchObject({ amount: '10', isNew: true })
    await payClaims(forum)
    const place = { topic: { id: topicId, commentId, isQuestion: false }, message: null }
    expect((await giver.call(givenEnvelopes, {})).envelopes).toMatchObject([{ taken: 1, ...place }])
    expect((await mei.call(receivedEnvelopes, {})).shares).toMatchObject([{ envelopeId: id, ...place }])
    expect((await chief.call(staffEnvelopes, { topic: topicId })).rows).toMatchObject([
      { id, topic: { id: topicId, commentId }, isInMessage: false },
    ])
    expect(await points(giver)).toBe(970)
  })

  test('several envelopes, with the opening and other comments of one thread, are all there', async () => {
    const { body } = await gives(giver, tagId, fixed)
    const others = [await comments(fixed, body.topicId), await comments(fixed, body.topicId)]
    expect(others.map(({ status }) => status)).toEqual([200, 200])
    const envelopeIds = (await mei.call(listComments, { topicId: body.topicId })).comments.map(({ envelopeId }) => envelopeId)
    expect(new Set(envelopeIds).size).toBe(2)
    const { envelope: ofThread } = await mei.call(envelopesOfThreads, { topicId: body.topicId })
    expect(envelopeIds).not.toContain(ofThread?.id)
  })

  test('one with an answer is for one member, who alone opens it and is notified', async () => {
    const { body } = await asker.tryCall(
      askQuestion,
      { title: 'Which kettle is quiet?', tagId, body: says('It should not whistle at night.') },
      newIdempotencyKey(),
    )
    const answer = await comments({ envelopeKind: 'targeted', envelopePoints: '7', envelopeReceiver: mei.account }, body.questionId)
    const { id } = await envelopeBeside(forum, 'comment_id', answer.body.commentId)
    expect((await noticesOf(mei)).some(({ says: { kind } }) => kind === 'envelopeGiven')).toBe(true)
    expect((await opens(asker, id)).status).toBe(403)
    expect((await opens(mei, id)).body).toMatchObject({ amount: '7' })
    await payClaims(forum)
    const { shares } = await mei.call(receivedEnvelopes, {})
    expect(shares[0]?.topic).toMatchObject({ id: body.questionId, isQuestion: true, commentId: answer.body.commentId })
  })

  test('an envelope for commenters is opened only by members who commented in its thread', async () => {
    const { id } = await commented({ ...fixed, envelopeCommented: true })
    await aComment(mei, await aTopic(asker, tagId))
    expect((await opens(mei, id)).status).toBe(422)
    await aComment(mei, topicId)
    expect((await opens(mei, id)).status).toBe(200)
  })

  test('a member blocked by the giver cannot open or be given one', async () => {
    const { id } = await commented()
    await giver.call(block, { userId: mei.id, way: 'blocked' })
    expect((await opens(mei, id)).status).toBe(403)
    const { status, response } = await comments({ envelopeKind: 'targeted', envelopePoints: '7', envelopeReceiver: mei.account })
    expect([status, Object.keys(response.json().error)]).toEqual([422, ['envelopeReceiver']])
  })

  test.each(['money', 'comment'] as const)('a member banned from %s gives none, nor does a visitor', async (from) => {
    await sql`insert into member_ban (member_id, function, reason, given_by) select ${giver.id}, ${from}, 'Spam', min(id) from staff`.execute(
      forum.database.app,
    )
    forum.database.invalidations.announce(new Set(['everything']))
    expect((await comments()).status).toBe(422)
    expect((await forum.visitor().tryCall(addComment, { topicId, body: says('Tea'), ...fixed }, newIdempotencyKey())).status).toBe(401)
    expect(await points(giver)).toBe(1_000)
  })

  test.each([
    [{ ...fixed, envelopePoints: '900' }, 'envelopePoints'],
    [{ ...fixed, envelopeQuantity: undefined, envelopeKind: 'random', envelopePoints: undefined }, 'envelopePoints'],
    [{ envelopeKind: 'targeted', envelopePoints: '5' }, 'envelopeReceiver'],
  ])('with %j nothing is written and nothing taken, and the field %s says why', async (wish, field) => {
    const { status, response } = await comments(wish)
    expect([status, Object.keys(response.json().error)]).toEqual([422, [field]])
    expect((await mei.call(listComments, { topicId })).comments).toEqual([])
    expect(await points(giver)).toBe(1_000)
  })

  test('sent again with its key there is one, and without a key none', async () => {
    const [input, key] = [{ topicId, body: says('Tea for all.'), ...fixed }, newIdempotencyKey()]
    const [one, other] = await Promise.all([giver.call(addComment, input, key), giver.call(addComment, input, key)])
    expect(one).toEqual(other)
    expect((await giver.tryCall(addComment, input)).status).toBe(400)
    expect(await points(giver)).toBe(970)
  })
})

describe('it is taken from the giver', () => {
  test('when the comment that waited is on the page, and not while it waits', async () => {
    await change({ reviewComments: 'everybody' })
    const { commentId, id } = await commented()
    await change({ reviewComments: 'nobody' })
    expect(await points(giver)).toBe(1_000)
    expect((await mei.tryCall(envelope, { envelopeId: id })).status).toBe(404)
    expect((await opens(mei, id)).status).toBe(404)
    const waiting = (await chief.call(reviewQueue, { size: 200 })).rows.find(({ postId }) => postId === commentId)
    await chief.call(approveReview, { reviewId: waiting?.id ?? '', version: waiting?.version ?? 0 })
    expect(await points(giver)).toBe(970)
    expect((await mei.call(listComments, { topicId })).comments).toMatchObject([{ id: commentId, envelopeId: id }])
    expect((await opens(mei, id)).status).toBe(200)
  })

  test('without enough left by then, the comment appears without it and the giver is notified', async () => {
    await change({ reviewComments: 'everybody' })
    const { commentId } = await commented()
    await change({ reviewComments: 'nobody' })
    await gives(giver, tagId, { envelopeKind: 'random', envelopePoints: '980', envelopeQuantity: 1 })
    const waiting = (await chief.call(reviewQueue, { size: 200 })).rows.find(({ postId }) => postId === commentId)
    await chief.call(approveReview, { reviewId: waiting?.id ?? '', version: waiting?.version ?? 0 })
    expect((await mei.call(listComments, { topicId })).comments).toMatchObject([{ id: commentId, envelopeId: null }])
    const posts = (await noticesOf(giver)).flatMap(({ says: its }) => (its.kind === 'envelopeNotTaken' ? its.post : []))
    expect(posts).toMatchObject([{ kind: 'comment', id: commentId, topicId }])
  })
})

describe('the rest is returned', () => {
  const restores = (commentId: string) => chief.call(restoreRemark, { kind: 'comment', id: commentId, reason: 'a mistake' })

  test.each([
    ['its author removes the comment', (commentId: string) => giver.call(removeRemark, { kind: 'comment', id: commentId }), restores],
    ['staff remove it', (id: string) => chief.call(removeRemarkAsStaff, { kind: 'comment', id, reason: 'It advertises.' }), restores],
    ['its thread is removed', () => asker.call(removeTopic, { topicId }), () => chief.call(restoreTopic, { topicId, reason: 'a mistake' })],
  ])('when %s, and does not open again when that is back', async (_, goes, comesBack) => {
    const { commentId, id } = await commented()
    await opens(mei, id)
    await goes(commentId)
    expect(await points(giver)).toBe(990)
    expect(await stands(commentId)).toMatchObject({ state: 'returned', why: 'postGone' })
    expect((await opens(asker, id)).status).toBe(404)
    expect((await asker.tryCall(envelope, { envelopeId: id })).status).toBe(404)
    await comesBack(commentId)
    expect((await opens(asker, id)).status).toBe(409)
    expect((await asker.call(envelope, { envelopeId: id })).state).toBe('returned')
    expect(await points(giver)).toBe(990)
  })

  test('when its time is over', async () => {
    const { commentId, id } = await commented()
    await letEnd(forum, id)
    expect(await stands(commentId)).toMatchObject({ state: 'returned', why: 'expired' })
    expect(await points(giver)).toBe(1_000)
  })
})

describe('of a comment that is moved', () => {
  test('to another thread, or with its own into another, it belongs to that thread, open as before', async () => {
    const { commentId, id } = await commented({ ...fixed, envelopeCommented: true })
    const to = await aTopic(asker, tagId)
    await chief.call(moveComments, { topicId, commentIds: [commentId], to, reason: 'it belongs there' })
    expect(await stands(commentId)).toMatchObject({ state: 'open', lies: to })
    const last = await aTopic(asker, tagId)
    await chief.call(mergeTopics, { topicIds: [to], to: last, reason: 'both ask the same' })
    expect(await stands(commentId)).toMatchObject({ state: 'open', lies: last })
    await aComment(mei, topicId)
    expect((await opens(mei, id)).status).toBe(422)
    await aComment(mei, last)
    expect((await opens(mei, id)).status).toBe(200)
  })

  test('back into a thread that was removed meanwhile, it is hidden with it, and its rest is returned', async () => {
    const { commentId, id } = await commented()
    const to = await aTopic(asker, tagId)
    await chief.call(moveComments, { topicId, commentIds: [commentId], to, reason: 'it belongs there' })
    await asker.call(removeTopic, { topicId })
    const [{ id: batchId } = { id: '' }] = (await chief.call(batches, {})).rows
    await chief.call(undoBatch, { batchId })
    expect(await stands(commentId)).toEqual({ state: 'returned', why: 'postGone', lies: topicId })
    expect((await opens(mei, id)).status).toBe(404)
    expect(await points(giver)).toBe(1_000)
  })
})

describe('in a private message', () => {
  const wish = { envelopeKind: 'targeted', envelopePoints: '8' } as const
  const writes = (to: Person, more: Record<string, unknown> = wish) =>
    giver.tryCall(messages.send, { userId: to.id, body: says('For the tea of yesterday'), key: randomUUID(), ...more }, newIdempotencyKey())

  async function written(): Promise<{ messageId: string; id: string }> {
    await talking(mei, giver)
    const { status, body } = await writes(mei)
    expect(status, JSON.stringify(body)).toBe(200)
    return { messageId: body.message.id, id: body.message.envelopeId ?? '' }
  }

  test('an envelope is for the other member, who opens it; no other member sees it', async () => {
    const { messageId, id } = await written()
    expect(await points(giver)).toBe(992)
    const { messages: read } = await mei.call(messages.conversation, { userId: giver.id })
    expect(read.at(-1)).toMatchObject({ id: messageId, envelopeId: id })
    expect(await giver.call(envelope, { envelopeId: id })).toMatchObject({ isOwn: true, mayTry: false, receiver: { id: mei.id } })
    for (const who of [asker, forum.visitor()]) expect((await who.tryCall(envelope, { envelopeId: id })).status).toBe(404)
    expect((await opens(asker, id)).status).toBe(404)
    expect((await opens(giver, id)).status).toBe(403)
    expect((await opens(mei, id)).body).toMatchObject({ amount: '8' })
    await payClaims(forum)
    expect((await mei.call(receivedEnvelopes, {})).shares).toMatchObject([{ topic: null, message: { id: messageId, with: giver.id } }])
    expect((await giver.call(givenEnvelopes, {})).envelopes).toMatchObject([{ topic: null, message: { id: messageId, with: mei.id } }])
    expect(await chief.call(staffEnvelope, { envelopeId: id })).toMatchObject({ isInMessage: true, topic: null, greeting: '' })
    expect(JSON.stringify(await chief.call(staffEnvelopes, {}))).not.toContain('tea of yesterday')
  })

  test('only the message has its notification', async () => {
    await written()
    expect((await noticesOf(mei)).filter(({ says: { kind } }) => kind === 'envelopeGiven')).toEqual([])
  })

  test('a message sent again by its key has the same envelope, and only one is taken', async () => {
    await talking(mei, giver)
    const input = { userId: mei.id, body: says('Once'), key: randomUUID(), ...wish }
    const [one, other] = [
      await giver.call(messages.send, input, newIdempotencyKey()),
      await giver.call(messages.send, input, newIdempotencyKey()),
    ]
    expect(one).toEqual(other)
    expect(await points(giver)).toBe(992)
  })

  test.each([
    [{ ...wish, envelopePoints: '5000' }, 'envelopePoints'],
    [{ envelopeKind: 'targeted' }, 'envelopePoints'],
    [{ ...wish, envelopeKind: 'random' }, 'envelopeKind'],
  ])('with %j nothing is sent, and the field %s says why', async (more, field) => {
    await talking(mei, giver)
    const { status, response } = await writes(mei, more)
    expect([status, Object.keys(response.json().error)]).toEqual([422, [field]])
    expect(await points(giver)).toBe(1_000)
  })

  test('no envelope goes to a member who cannot be written to', async () => {
    await talking(mei, giver)
    await mei.call(block, { userId: giver.id, way: 'blocked' })
    expect((await writes(mei)).status).toBe(422)
    expect((await writes(giver)).status).toBe(422)
    expect(await points(giver)).toBe(1_000)
  })

  test('it is returned when the receiver deletes the message unopened, and stays when the giver does', async () => {
    const { messageId, id } = await written()
    await giver.call(messages.remove, { userId: mei.id, messageId })
    expect((await giver.call(envelope, { envelopeId: id })).state).toBe('open')
    await mei.call(messages.remove, { userId: giver.id, messageId })
    expect(await giver.call(envelope, { envelopeId: id })).toMatchObject({ state: 'returned' })
    expect(await points(giver)).toBe(1_000)
    expect((await opens(mei, id)).status).toBe(409)
  })

  test('it is returned when staff clean up after the giver', async () => {
    const { messageId } = await written()
    await chief.call(clean, { memberId: giver.id, reason: 'Spam', andThen: 'nothing' })
    await expect.poll(async () => (await envelopeBeside(forum, 'message_id', messageId)).state).toBe('returned')
  })
})
