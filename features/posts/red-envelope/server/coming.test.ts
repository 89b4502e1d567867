import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { openEnvelope } from '#red-envelope/contract.ts'
import { envelopeOf, letEnd, payClaims } from '#red-envelope/testing/factories.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { gives } from '#topic/testing/factories.ts'
import { balance, point, wallet } from '#wallet/log-contract.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { endow } from '#wallet/testing/factories.ts'

let forum: Forum
let tagId = ''

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
  const settings = { allowCash: true, topicPoints: 0, envelopesPerDay: 1_000, envelopesPerDayOfNewMembers: 1_000 }
  await transact(forum.database, (tx) => applySettings(tx, settings))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
})

afterEach(async () => {
  await payClaims(forum)
  const breaches = await checkLedger(forum.database, bookChecks, { isFull: true })
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

async function anEnvelope(input: Parameters<typeof gives>[2]): Promise<{ giver: Person; envelopeId: string }> {
  const giver = await forum.member()
  await endow(forum.database, giver.id, 100)
  await endow(forum.database, giver.id, 1_000, 'cny')
  const { body } = await gives(giver, tagId, input)
  return { giver, envelopeId: await envelopeOf(forum, body.topicId) }
}

const inPoints = () => anEnvelope({ envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 3 })
const opens = (who: Person, envelopeId: string) => who.call(openEnvelope, { envelopeId }, newIdempotencyKey())

test('an opened share shows at once beside the balance, even with frozen books, and cannot be spent before it is paid', async () => {
  const { envelopeId } = await inPoints()
  const mei = await forum.member()
  await opens(mei, envelopeId)
  await sql`select ledger.freeze('a test', 1)`.execute(forum.database.app)
  await payClaims(forum)
  expect(await mei.call(wallet, {})).toMatchObject({ points: { balance: '0', coming: '10' }, cny: { balance: '0.00', coming: '0.00' } })
  expect(await mei.call(point, {})).toMatchObject({ account: { balance: '0' }, inEnvelopes: { held: '0', coming: '10' } })
  await sql`select ledger.thaw('a test', 1)`.execute(forum.database.app)
  const { status, response } = await gives(mei, tagId, { envelopeKind: 'fixed', envelopePoints: '5', envelopeQuantity: 1 })
  expect([status, Object.keys(response.json().error)]).toEqual([422, ['envelopePoints']])
  await payClaims(forum)
  expect(await mei.call(wallet, {})).toMatchObject({ points: { balance: '10', coming: '0' } })
})

test('an opened share of money shows on the balance', async () => {
  const { envelopeId } = await anEnvelope({ envelopeKind: 'fixed', envelopeCash: '0.88', envelopeQuantity: 2 })
  const mei = await forum.member()
  await opens(mei, envelopeId)
  expect(await mei.call(balance, {})).toMatchObject({ account: { balance: '0.00' }, inEnvelopes: { held: '0.00', coming: '0.88' } })
  expect(await mei.call(point, {})).toMatchObject({ inEnvelopes: { coming: '0' } })
})

test('a giver sees the amount left in their envelope, and not as a bounty', async () => {
  const { giver, envelopeId } = await inPoints()
  const heldAmount = async () => {
    const { held: bounties, inEnvelopes } = await giver.call(point, {})
    expect(bounties).toEqual({ amount: '0', for: [] })
    return inEnvelopes.held
  }
  expect(await heldAmount()).toBe('30')
  await opens(await forum.member(), envelopeId)
  await payClaims(forum)
  expect(await heldAmount()).toBe('20')
  await letEnd(forum, envelopeId)
  expect(await heldAmount()).toBe('0')
})

test('a pending share of a merged account comes to the other account', async () => {
  const { envelopeId } = await inPoints()
  const [mei, bo] = [await forum.member(), await forum.member()]
  await opens(mei, envelopeId)
  const chief = await aStaffer(forum)
  await chief.call(mergeMembers, { memberId: mei.id, account: mei.account, into: bo.account, reason: 'One person' })
  expect(await bo.call(wallet, {})).toMatchObject({ points: { coming: '10' } })
  await payClaims(forum)
  expect(await bo.call(wallet, {})).toMatchObject({ points: { balance: '10', coming: '0' } })
})
