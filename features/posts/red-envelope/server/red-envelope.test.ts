import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { transact } from '#base/server/database/database.ts'
import { rounds } from '#base/testing/extent.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { envelope, openEnvelope } from '#red-envelope/contract.ts'
import { envelopeShares } from '#red-envelope/list-contract.ts'
import { endDue } from '#red-envelope/server/end.ts'
import { envelopeOf, letEnd, payClaims } from '#red-envelope/testing/factories.ts'
import { gives } from '#topic/testing/factories.ts'
import type { Settings } from '#setting/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { endow } from '#wallet/testing/factories.ts'
import { wallet } from '#wallet/log-contract.ts'

let forum: Forum
let tagId = ''
let readers: Person[] = []

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
  await change({ allowCash: true, topicPoints: 0, envelopesPerDay: 1_000, envelopesPerDayOfNewMembers: 1_000 })
  readers = await Promise.all(Array.from({ length: 12 }, () => forum.member()))
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

async function aGiver(points = 1_000): Promise<Person> {
  const giver = await forum.member()
  await endow(forum.database, giver.id, points)
  await endow(forum.database, giver.id, 100_000, 'cny')
  return giver
}

const points = async (who: Person) => Number((await who.call(wallet, {})).points.balance)

/** A topic by a member with points, with an open envelope. */
async function anEnvelope(input: Parameters<typeof gives>[2], who?: Person): Promise<{ giver: Person; id: string; topicId: string }> {
  const giver = who ?? (await aGiver())
  const { status, body } = await gives(giver, tagId, input)
  expect(status, JSON.stringify(body)).toBe(200)
  return { giver, id: await envelopeOf(forum, body.topicId), topicId: body.topicId }
}

const opens = (who: Person, envelopeId: string) => who.tryCall(openEnvelope, { envelopeId }, newIdempotencyKey())

test('a random envelope is opened once by each, to the last share, and pays all of it', async () => {
  const { giver, id } = await anEnvelope({ envelopeKind: 'random', envelopePoints: '100', envelopeQuantity: 5 })
  expect(await points(giver)).toBe(900)
  const before = await Promise.all(readers.map(points))
  const answers = await Promise.all(readers.flatMap((who) => [opens(who, id), opens(who, id)]))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(14)
  await payClaims(forum)
  const got = (await Promise.all(readers.map(points))).map((now, place) => now - (before[place] ?? 0))
  expect(got.filter((one) => one > 0)).toHaveLength(5)
  expect(got.reduce((sum, one) => sum + one, 0)).toBe(100)
  expect(await giver.call(envelope, { envelopeId: id })).toMatchObject({ state: 'taken', taken: 5, amount: '100' })
})

test('a fixed envelope takes so many times its share, in money', async () => {
  const { id } = await anEnvelope({ envelopeKind: 'fixed', envelopeCash: '1.25', envelopeQuantity: 3 })
  const [one] = readers
  if (!one) return
  expect((await opens(one, id)).body).toMatchObject({ currency: 'cny', amount: '1.25', isNew: true })
  expect((await opens(one, id)).body).toMatchObject({ amount: '1.25', isNew: false })
})

describe('a member cannot open', () => {
  test('their own', async () => {
    const { giver, id } = await anEnvelope({ envelopeKind: 'random', envelopePoints: '10', envelopeQuantity: 2 })
    expect((await opens(giver, id)).status).toBe(403)
  })

  test('a targeted envelope of another member, or one with unmet conditions', async () => {
    const [mei, bo] = readers
    if (!mei || !bo) return
    const { id } = await anEnvelope({ envelopeKind: 'targeted', envelopePoints: '10', envelopeReceiver: mei.account })
    expect((await opens(bo, id)).status).toBe(403)
    expect((await opens(mei, id)).body).toMatchObject({ amount: '10' })
    const { id: second } = await anEnvelope({ envelopeKind: 'random', envelopePoints: '10', envelopeQuantity: 2, envelopeCommented: true })
    expect((await opens(bo, second)).status).toBe(422)
  })

  test('an envelope whose topic was removed, and its rest is returned', async () => {
    const { giver, id, topicId } = await anEnvelope({ envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 5 })
    const [mei, bo] = readers
    if (!mei || !bo) return
    await opens(mei, id)
    await giver.call(removeTopic, { topicId })
    expect(await points(giver)).toBe(990)
    expect((await opens(bo, id)).status).toBe(404)
  })
})

test('the rest after its time is returned, once, even with openings at once', async () => {
  for (let round = 0; round < rounds; round++) {
    const { giver, id } = await anEnvelope({ envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 6 })
    const claims = readers.slice(0, 4).map((who) => opens(who, id))
    await Promise.all([letEnd(forum, id), letEnd(forum, id), endDue(forum.database), payClaims(forum), ...claims])
    const opened = (await Promise.all(claims)).filter(({ status }) => status === 200).length
    await letEnd(forum, id)
    await payClaims(forum)
    expect(await points(giver)).toBe(1_000 - 10 * opened)
    await checkLedger(forum.database, bookChecks, { isFull: false })
  }
})

test('the amounts of unopened shares are in no answer', async () => {
  const { giver, id } = await anEnvelope({ envelopeKind: 'random', envelopePoints: '777', envelopeQuantity: 3 })
  const [mei] = readers
  if (!mei) return
  const { response } = await mei.tryCall(envelope, { envelopeId: id })
  expect(response.json()).toMatchObject({ amount: null, mine: null, taken: 0 })
  const shares = await forum.database.app.selectFrom('red_envelope_share').select('amount').where('envelope_id', '=', id).execute()
  // An id may be the same number as a share.
  const answer = JSON.stringify(await giver.call(envelope, { envelopeId: id }), (key, value) => (/id$/i.test(key) ? '' : value))
  for (const { amount } of shares) expect(answer).not.toContain(`"${amount}"`)
})

test('the amount of the last share cannot be calculated from the opened ones', async () => {
  const { id } = await anEnvelope({ envelopeKind: 'random', envelopePoints: '777', envelopeQuantity: 3 })
  const [mei, bo, last] = readers
  if (!mei || !bo || !last) throw new Error('Three read')
  for (const reader of [mei, bo]) await reader.call(openEnvelope, { envelopeId: id }, newIdempotencyKey())
  await payClaims(forum)
  expect((await mei.call(envelopeShares, { envelopeId: id })).shares).toHaveLength(2)
  expect(await mei.call(envelope, { envelopeId: id })).toMatchObject({ taken: 2, amount: null })
  await last.call(openEnvelope, { envelopeId: id }, newIdempotencyKey())
  await payClaims(forum)
  expect(await mei.call(envelope, { envelopeId: id })).toMatchObject({ state: 'taken', amount: '777' })
})

test.each([
  [{ envelopeKind: 'random', envelopePoints: '2', envelopeQuantity: 3 }, 'envelopeQuantity'],
  [{ envelopeKind: 'random', envelopePoints: '20000', envelopeQuantity: 3 }, 'envelopePoints'],
  [{ envelopeKind: 'random', envelopePoints: '1500', envelopeQuantity: 3 }, 'envelopePoints'],
  [{ envelopeKind: 'random', envelopeQuantity: 3 }, 'envelopePoints'],
  [{ envelopeKind: 'random', envelopePoints: '5', envelopeCash: '1.00' }, 'envelopePoints'],
  [{ envelopeKind: 'random', envelopePoints: '5', envelopeQuantity: 0 }, 'envelopeQuantity'],
  [{ envelopeKind: 'targeted', envelopePoints: '5' }, 'envelopeReceiver'],
  [{ envelopeKind: 'fixed', envelopePoints: '1', envelopeQuantity: 1_000_000_000 }, 'envelopeQuantity'],
] as const)('a topic with %j is refused at the field %s, and takes nothing', async (input, field) => {
  const giver = await aGiver()
  const { status, response } = await gives(giver, tagId, input)
  expect([status, Object.keys(response.json().error)]).toEqual([422, [field]])
  expect(await points(giver)).toBe(1_000)
})
