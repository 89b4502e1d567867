import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { block } from '#follow/contract.ts'
import { leave } from '#leaving/contract.ts'
import { eraseDue } from '#leaving/server/erase.ts'
import { banMember, cancelMember, disableMember } from '#member/contract.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { envelope, openEnvelope } from '#red-envelope/contract.ts'
import { distribution, envelopeShares, givenEnvelopes, receivedEnvelopes } from '#red-envelope/list-contract.ts'
import { endDue } from '#red-envelope/server/end.ts'
import { aDirectOne, aGiver, envelopeOf, letEnd, opens, payClaims, stands, withEnvelopes } from '#red-envelope/testing/factories.ts'
import { approveReview, reviewQueue } from '#review/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { gives } from '#topic/testing/factories.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { closeEnded } from '#wallet/server/closing.ts'
import { wallet } from '#wallet/log-contract.ts'

// Envelopes whose giver, openers or receiver left or were merged.
let forum: Forum
let chief: Staffer
let tagId = ''

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  await withEnvelopes(forum)
})
afterEach(async () => {
  await payClaims(forum)
  const breaches = await checkLedger(forum.database, bookChecks, { isFull: true })
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

const reason = 'They asked for it'
const points = async (who: Person) => Number((await who.call(wallet, {})).points.balance)

/** An envelope of five shares of ten points, of which a member has opened one. */
async function anEnvelope(): Promise<{ giver: Person; opener: Person; envelopeId: string }> {
  const [giver, opener] = [await aGiver(forum), await forum.member()]
  const { body } = await gives(giver, tagId, { envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 5 })
  const envelopeId = await envelopeOf(forum, body.topicId)
  await opener.call(openEnvelope, { envelopeId }, newIdempotencyKey())
  return { giver, opener, envelopeId }
}

async function merge(old: Person, into: Person): Promise<void> {
  await chief.call(mergeMembers, { memberId: old.id, account: old.account, into: into.account, reason })
  await resume(forum.database)
}

/** The balance of a member, even after they left. */
async function onAccount({ id }: Person): Promise<number> {
  const { rows } = await sql<{ balance: string }>`
    select balance from ledger.account where name = 'member' and owner_id = ${id} and currency = 'points'`.execute(forum.database.app)
  return Number(rows[0]?.balance ?? 0)
}

async function eraseNow(who: Person): Promise<void> {
  await who.call(leave, { way: 'erase', givesUp: true })
  await sql`update account_deletion set erase_at = now() where member_id = ${who.id}`.execute(forum.database.app)
  await eraseDue(forum.database)
}

describe('the rest of an envelope is returned to a giver', () => {
  test.each([
    ['who is kept from spending', (id: string) => chief.call(banMember, { memberId: id, from: ['money'], reason })],
    ['whose account was ended', (id: string) => chief.call(cancelMember, { memberId: id, reason })],
  ] as const)('%s, and opened shares are paid', async (_, ends) => {
    const { giver, opener, envelopeId } = await anEnvelope()
    await ends(giver.id)
    await endDue(forum.database)
    expect([await points(opener), await onAccount(giver)]).toEqual([10, 990])
    expect(await stands(forum, envelopeId)).toEqual({ state: 'returned', reason: 'giverGone', returned: '40' })
    expect((await opens(await forum.member(), envelopeId)).status).toBe(409)
  })

  test('whose account is erased, and from there to the forum', async () => {
    const { giver, opener, envelopeId } = await anEnvelope()
    await eraseNow(giver)
    // The account stays open until the envelope ends.
    await closeEnded(forum.database)
    await endDue(forum.database)
    await closeEnded(forum.database)
    expect([await points(opener), await onAccount(giver), (await stands(forum, envelopeId)).returned]).toEqual([10, 0, '40'])
    expect((await forum.visitor().call(envelope, { envelopeId })).giver?.name).toBe(`~${giver.id}`)
  })

  test.each([
    ['is away for a while', (who: Person) => who.call(leave, { way: 'away' })],
    ['is kept out for now', (who: Person) => chief.call(disableMember, { memberId: who.id, reason })],
  ] as const)('only when it is over, if the giver %s', async (_, goes) => {
    const { giver, envelopeId } = await anEnvelope()
    await goes(giver)
    await endDue(forum.database)
    expect((await opens(await forum.member(), envelopeId)).status).toBe(200)
    await letEnd(forum, envelopeId)
    expect([await onAccount(giver), (await stands(forum, envelopeId)).reason]).toEqual([980, 'expired'])
  })
})

test('a share is paid even if its opener left before, and follows the rest of their account', async () => {
  const { opener, envelopeId } = await anEnvelope()
  await eraseNow(opener)
  await payClaims(forum)
  expect(await onAccount(opener)).toBe(10)
  await closeEnded(forum.database)
  expect(await onAccount(opener)).toBe(0)
  expect((await (await forum.member()).tryCall(envelopeShares, { envelopeId })).status).toBe(404)
})

describe('a merged account', () => {
  test('cannot open envelopes of either account, sees them as its own and gets the rest', async () => {
    const [{ giver, opener, envelopeId }, into] = [await anEnvelope(), await forum.member()]
    await merge(giver, into)
    expect((await opens(into, envelopeId)).status).toBe(403)
    expect(await into.call(envelope, { envelopeId })).toMatchObject({ isOwn: true, mayTry: false, amount: '50', giver: { id: into.id } })
    await letEnd(forum, envelopeId)
    expect([await points(into), await points(opener)]).toEqual([990, 10])
    expect((await into.call(givenEnvelopes, {})).envelopes).toMatchObject([{ id: envelopeId, returned: '40' }])
    expect((await into.call(distribution, { envelopeId })).shares).toMatchObject([{ member: { id: opener.id } }])
    expect((await noticesOf(into)).filter(({ says: { kind } }) => kind === 'envelopeReturned')).toHaveLength(1)
  })

  test('has one share, whichever of the two opened it', async () => {
    const [{ opener, envelopeId }, into] = [await anEnvelope(), await forum.member()]
    await merge(opener, into)
    expect((await opens(into, envelopeId)).body).toMatchObject({ amount: '10', isNew: false })
    expect(await into.call(envelope, { envelopeId })).toMatchObject({ mine: '10', taken: 1 })
    expect((await into.call(receivedEnvelopes, {})).shares).toMatchObject([{ envelopeId, amount: '10' }])
    expect((await into.call(envelopeShares, { envelopeId })).shares).toMatchObject([{ member: { id: into.id } }])
    await payClaims(forum)
    expect(await points(into)).toBe(10)
  })

  test('opens a targeted envelope of either account', async () => {
    const [giver, receiver, into] = [await aGiver(forum), await forum.member(), await forum.member()]
    const envelopeId = await aDirectOne(forum.database, giver.id, receiver.account)
    await merge(receiver, into)
    expect(await into.call(envelope, { envelopeId })).toMatchObject({ mayTry: true, receiver: { id: into.id } })
    expect((await opens(into, envelopeId)).body).toMatchObject({ amount: '5', isNew: true })
    const own = await aDirectOne(forum.database, giver.id, into.account)
    await merge(into, giver)
    expect((await opens(giver, own)).status).toBe(403)
  })

  test('pays for an envelope of either account when its topic is approved', async () => {
    await withEnvelopes(forum, { reviewTopics: 'everybody' })
    const [giver, into] = [await aGiver(forum), await forum.member()]
    const { body } = await gives(giver, tagId, { envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 5 })
    await withEnvelopes(forum, { reviewTopics: 'nobody' })
    await merge(giver, into)
    for (const { id: reviewId, version } of (await chief.call(reviewQueue, {})).rows) await chief.call(approveReview, { reviewId, version })
    expect(await points(into)).toBe(950)
    expect((await opens(await forum.member(), await envelopeOf(forum, body.topicId))).status).toBe(200)
  })

  test('ends its envelopes when it is disabled or banned from money', async () => {
    const [{ giver, envelopeId }, into] = [await anEnvelope(), await forum.member()]
    await merge(giver, into)
    await chief.call(banMember, { memberId: into.id, from: ['money'], reason })
    await endDue(forum.database)
    expect([await onAccount(into), (await stands(forum, envelopeId)).reason]).toEqual([990, 'giverGone'])
  })
})

describe('a targeted envelope', () => {
  test('is opened by no other member, and is returned when it is over', async () => {
    const [giver, receiver, other] = [await aGiver(forum), await forum.member(), await forum.member()]
    const envelopeId = await aDirectOne(forum.database, giver.id, receiver.account)
    expect([(await opens(other, envelopeId)).status, (await other.tryCall(envelope, { envelopeId })).status]).toEqual([404, 404])
    await letEnd(forum, envelopeId)
    expect([await points(giver), (await opens(receiver, envelopeId)).status]).toEqual([1_000, 409])
  })

  test.each([
    ['is blocked by the giver', (giver: Person, id: string) => giver.call(block, { userId: id, way: 'blocked' })],
    ['is kept out', (_: Person, id: string) => chief.call(disableMember, { memberId: id, reason })],
    ['is kept from what costs money', (_: Person, id: string) => chief.call(banMember, { memberId: id, from: ['money'], reason })],
  ] as const)('whose receiver %s by then is not opened, and is returned', async (_, ends) => {
    const [giver, receiver] = [await aGiver(forum), await forum.member()]
    const envelopeId = await aDirectOne(forum.database, giver.id, receiver.account)
    await ends(giver, receiver.id)
    expect((await opens(receiver, envelopeId)).status).not.toBe(200)
    await letEnd(forum, envelopeId)
    expect(await points(giver)).toBe(1_000)
  })
})
