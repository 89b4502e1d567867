import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { aComment } from '#comment/testing/factories.ts'
import { addFollow } from '#follow/contract.ts'
import { banMember } from '#member/contract.ts'
import { envelope, giveEnvelope } from '#red-envelope/contract.ts'
import { staffEnvelope } from '#red-envelope/staff-contract.ts'
import { aGiver, envelopeOf, opens, withEnvelopes } from '#red-envelope/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { gives } from '#topic/testing/factories.ts'
import { freezeBooks, thawBooks } from '#wallet/contract.ts'
import { endow } from '#wallet/testing/factories.ts'

// Obstacles to opening or giving an envelope, and their messages.
let forum: Forum
let chief: Staffer
let giver: Person
let tagId = ''

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  await withEnvelopes(forum)
  giver = await aGiver(forum, 10_000)
})

const topics = new Map<string, string>()

async function anEnvelope(conditions: Record<string, unknown> = {}): Promise<string> {
  const { body } = await gives(giver, tagId, { envelopeKind: 'fixed', envelopePoints: '5', envelopeQuantity: 9, ...conditions })
  const envelopeId = await envelopeOf(forum, body.topicId)
  topics.set(envelopeId, body.topicId)
  return envelopeId
}

const obstacleOf = async (who: Person, envelopeId: string) => (await who.call(envelope, { envelopeId })).obstacle

async function highestLevel(): Promise<{ needs: string; name: { zh: string; en: string } }> {
  const { needs_points, name_zh, name_en } = await forum.database.app
    .selectFrom('level')
    .select(['needs_points', 'name_zh', 'name_en'])
    .orderBy('needs_points', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { needs: needs_points, name: { zh: name_zh, en: name_en } }
}

test('a member sees the first condition that they do not meet, is refused by the same, and sees none once they meet it', async () => {
  const commented = await anEnvelope({ envelopeCommented: true })
  const followed = await anEnvelope({ envelopeFollowers: true })
  const old = await anEnvelope({ envelopeDays: 3 })
  const tom = await forum.member()
  for (const [envelopeId, obstacle, says] of [
    [commented, 'comment', 'Comment or answer here to open it.'],
    [followed, 'following', 'Follow the sender to open it.'],
    [old, 'days', 'Only for people who have been members for at least 3 days.'],
  ] as const) {
    expect(await tom.call(envelope, { envelopeId })).toMatchObject({ mayTry: true, obstacle })
    const { status, error } = await opens(tom, envelopeId)
    expect([status, error]).toEqual([422, { redEnvelope: says }])
  }
  expect((await tom.call(envelope, { envelopeId: old })).minDays).toBe(3)
  await aComment(tom, topics.get(commented) ?? '')
  await tom.call(addFollow, { of: 'member', id: giver.id })
  expect([await obstacleOf(tom, commented), await obstacleOf(tom, followed)]).toEqual([null, null])
  expect((await forum.visitor().call(envelope, { envelopeId: commented })).obstacle).toBeNull()
})

test('a level is named in the reader’s language, and by its points once no level begins there', async () => {
  const { needs, name } = await highestLevel()
  const envelopeId = await anEnvelope({ envelopeLevel: needs })
  const [tom, mei] = [await forum.member(), Object.assign(await forum.member(), { language: 'zh' })]
  expect(await tom.call(envelope, { envelopeId })).toMatchObject({ obstacle: 'level', level: name })
  expect((await chief.call(staffEnvelope, { envelopeId })).level).toEqual(name)
  expect((await opens(tom, envelopeId)).error).toEqual({ redEnvelope: expect.stringContaining(name.en) })
  expect((await opens(mei, envelopeId)).error).toEqual({ redEnvelope: expect.stringContaining(name.zh) })
  await forum.database.app
    .updateTable('level')
    .set({ needs_points: String(Number(needs) + 1) })
    .where('needs_points', '=', needs)
    .execute()
  forum.database.invalidations.announce(new Set(['everything']))
  expect(await tom.call(envelope, { envelopeId })).toMatchObject({ obstacle: 'level', level: null })
  const { error } = await opens(tom, envelopeId)
  expect(error).toEqual({ redEnvelope: `Only for members with at least ${Number(needs).toLocaleString('en')} points earned.` })
})

test('a member banned from money is told that they cannot open it, and not that they cannot spend', async () => {
  const envelopeId = await anEnvelope()
  const tom = await forum.member()
  await chief.call(banMember, { memberId: tom.id, from: ['money'], reason: 'These points are not theirs' })
  expect(await obstacleOf(tom, envelopeId)).toBe('banned')
  const { error } = await opens(tom, envelopeId)
  expect(error).toEqual({ role: 'You can no longer open red envelopes. Reason: These points are not theirs' })
})

test('an envelope that may be opened later is not offered as open while the books are frozen', async () => {
  const envelopeId = await anEnvelope()
  const tom = await forum.member()
  await chief.call(freezeBooks, { reason: 'A look' })
  expect(await obstacleOf(tom, envelopeId)).toBe('books')
  await chief.call(thawBooks, { reason: 'All is well' })
  expect(await obstacleOf(tom, envelopeId)).toBeNull()
})

test('a giver who owes is told the debt, and not the missing amount', async () => {
  const [debtor, friend] = [await forum.member(), await forum.member()]
  await endow(forum.database, debtor.id, -50, 'points', true)
  await endow(forum.database, debtor.id, -120, 'cny', true)
  const give = async (amount: object) => {
    const { status, error } = await debtor.tryCall(giveEnvelope, { ...amount, envelopeReceiver: friend.account }, newIdempotencyKey())
    return [status, error]
  }
  expect(await give({ envelopePoints: '5' })).toEqual([
    422,
    { envelopePoints: 'You owe 50 points. You can’t spend points until that’s paid off.' },
  ])
  expect(await give({ envelopeCash: '5' })).toEqual([422, { envelopeCash: 'You owe ¥1.20. You can’t spend money until that’s paid off.' }])
})
