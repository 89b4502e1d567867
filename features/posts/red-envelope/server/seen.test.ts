import { beforeAll, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { envelope, envelopeForm, openEnvelope } from '#red-envelope/contract.ts'
import { envelopesOfThreads, envelopeShares, givenEnvelopes, receivedEnvelopes } from '#red-envelope/list-contract.ts'
import { envelopeOf, letEnd, payClaims } from '#red-envelope/testing/factories.ts'
import { gives } from '#topic/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { listTopics, thread } from '#topic/contract.ts'
import { endow } from '#wallet/testing/factories.ts'

let forum: Forum
let tagId = ''
let giver: Person

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
  await transact(forum.database, (tx) => applySettings(tx, { topicPoints: 0, envelopesPerDay: 1_000, envelopesPerDayOfNewMembers: 1_000 }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
  giver = await forum.member()
  await endow(forum.database, giver.id, 1_000)
})

async function anEnvelope(shares = 2): Promise<{ topicId: string; envelopeId: string }> {
  const { body } = await gives(giver, tagId, { envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: shares })
  return { topicId: body.topicId, envelopeId: await envelopeOf(forum, body.topicId) }
}

const isMarked = async (topicId: string) =>
  (await forum.visitor().call(listTopics, { tagId })).topics.find(({ id }) => id === topicId)?.hasEnvelope

test('a visitor sees the envelope of a thread without a share of their own, and its openers once it is over', async () => {
  const { topicId, envelopeId } = await anEnvelope()
  const visitor = forum.visitor()
  expect((await visitor.call(thread, { topicId })).parts.redEnvelope).toBe(true)
  const { envelope: seen } = await visitor.call(envelopesOfThreads, { topicId })
  expect(seen).toMatchObject({ id: envelopeId, mine: null, isOwn: false, mayTry: true, amount: null, taken: 0, receiver: null })
  expect((await visitor.tryCall(envelopeShares, { envelopeId })).status).toBe(404)
  expect((await visitor.tryCall(openEnvelope, { envelopeId }, newIdempotencyKey())).status).toBe(401)
  const mei = await forum.member()
  await mei.call(openEnvelope, { envelopeId }, newIdempotencyKey())
  await payClaims(forum)
  await letEnd(forum, envelopeId)
  expect((await visitor.call(envelopeShares, { envelopeId })).shares).toMatchObject([{ amount: '10', member: { id: mei.id } }])
})

test('lists mark a topic while its envelope is open, and not after', async () => {
  const { topicId, envelopeId } = await anEnvelope(1)
  expect(await isMarked(topicId)).toBe(true)
  await (await forum.member()).call(openEnvelope, { envelopeId }, newIdempotencyKey())
  await payClaims(forum)
  await expect.poll(() => isMarked(topicId)).toBe(false)
  const { topicId: second, envelopeId: left } = await anEnvelope()
  expect(await isMarked(second)).toBe(true)
  await letEnd(forum, left)
  await expect.poll(() => isMarked(second)).toBe(false)
})

test('a giver is told that their own is not for them, and the receiver that it is', async () => {
  const { topicId } = await anEnvelope()
  expect((await giver.call(envelopesOfThreads, { topicId })).envelope).toMatchObject({ isOwn: true, mayTry: false, amount: '20' })
  const mei = await forum.member()
  expect((await mei.call(envelopesOfThreads, { topicId })).envelope).toMatchObject({ isOwn: false, mayTry: true, amount: null })
})

test('a targeted one is given by name, visible to the two, and listed with both', async () => {
  const mei = await forum.member()
  const { body } = await gives(giver, tagId, { envelopeKind: 'targeted', envelopePoints: '7', envelopeReceiver: mei.account.toUpperCase() })
  const envelopeId = await envelopeOf(forum, body.topicId)
  expect(await forum.visitor().call(envelope, { envelopeId })).toMatchObject({ kind: 'targeted', mayTry: false, receiver: { id: mei.id } })
  await mei.call(openEnvelope, { envelopeId }, newIdempotencyKey())
  const { shares, received } = await mei.call(receivedEnvelopes, {})
  expect([shares, received]).toMatchObject([[{ envelopeId, amount: '7', giver: { id: giver.id } }], [{ currency: 'points', amount: '7' }]])
  await payClaims(forum)
  const { envelopes } = await giver.call(givenEnvelopes, {})
  expect(envelopes[0]).toMatchObject({ id: envelopeId, taken: 1, takenAmount: '7', receiver: { id: mei.id } })
})

test('while red envelopes are closed, the form offers neither points nor money', async () => {
  const allow = async (isSo: boolean) => {
    await transact(forum.database, (tx) => applySettings(tx, { allowRedEnvelopes: isSo }))
    forum.database.invalidations.announce(new Set(['setting']))
  }
  await allow(false)
  expect(await giver.call(envelopeForm, {})).toMatchObject({ points: null, cash: null })
  await allow(true)
})
