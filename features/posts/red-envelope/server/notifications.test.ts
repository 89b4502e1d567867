import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { block } from '#follow/contract.ts'
import { noticesOf } from '#notification/testing/factories.ts'
import { openEnvelope } from '#red-envelope/contract.ts'
import { envelopeShares, receivedEnvelopes } from '#red-envelope/list-contract.ts'
import { envelopeOf, letEnd, payClaims } from '#red-envelope/testing/factories.ts'
import { notifyEnding } from '#red-envelope/server/notifications.ts'
import { aTag } from '#tag/testing/factories.ts'
import { gives } from '#topic/testing/factories.ts'
import { endow } from '#wallet/testing/factories.ts'

let forum: Forum
let tagId = ''
let giver: Person

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
  await transact(forum.database, (tx) => applySettings(tx, { topicPoints: 0, envelopesPerDay: 1_000, envelopesPerDayOfNewMembers: 1_000 }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
})

afterEach(async () => {
  await sql`update red_envelope set told_of_end_at = coalesce(told_of_end_at, clock_timestamp())`.execute(forum.database.app)
})

async function anEnvelope(input: Parameters<typeof gives>[2]): Promise<string> {
  giver = await forum.member()
  await endow(forum.database, giver.id, 1_000)
  const { body } = await gives(giver, tagId, input)
  return envelopeOf(forum, body.topicId)
}

const opens = (who: Person, envelopeId: string) => who.call(openEnvelope, { envelopeId }, newIdempotencyKey())

async function envelopeNotices(who: Person) {
  return (await noticesOf(who)).flatMap(({ says }) => ('envelopeId' in says ? says : []))
}

/** Moves the deadline so that this many minutes of the day are left. */
async function leave(envelopeId: string, minutes: number): Promise<void> {
  await sql`update red_envelope set opened_at = clock_timestamp() - make_interval(mins => ${1_440 - minutes}),
    ends_at = clock_timestamp() + make_interval(mins => ${minutes}) where id = ${envelopeId}`.execute(forum.database.app)
}

const job = () => transact(forum.database, notifyEnding)

test('the giver of a random envelope is told the luckiest opener, once all shares are taken', async () => {
  const envelopeId = await anEnvelope({ envelopeKind: 'random', envelopePoints: '100', envelopeQuantity: 2 })
  const [mei, bo] = [await forum.member(), await forum.member()]
  const first = await opens(mei, envelopeId)
  await payClaims(forum)
  expect(await envelopeNotices(giver)).toEqual([])
  const second = await opens(bo, envelopeId)
  await Promise.all([payClaims(forum), payClaims(forum)])
  await payClaims(forum)
  const [best, amount] = Number(first.amount) >= Number(second.amount) ? [mei, first.amount] : [bo, second.amount]
  expect(await envelopeNotices(giver)).toEqual([
    { kind: 'envelopeGoneAtRandom', envelopeId, name: best.account, currency: 'points', amount },
  ])
})

test('equal shares have no luckiest opener, and the giver of a targeted one is told that it was opened', async () => {
  const mei = await forum.member()
  const equal = await anEnvelope({ envelopeKind: 'fixed', envelopePoints: '5', envelopeQuantity: 1 })
  await opens(mei, equal)
  await payClaims(forum)
  expect(await envelopeNotices(giver)).toEqual([{ kind: 'envelopeGone', envelopeId: equal }])
  const targeted = await anEnvelope({ envelopeKind: 'targeted', envelopePoints: '5', envelopeReceiver: mei.account })
  await opens(mei, targeted)
  await payClaims(forum)
  expect(await envelopeNotices(giver)).toEqual([{ kind: 'envelopeOpened', envelopeId: targeted, name: mei.account }])
  for (const envelopeId of [equal, targeted])
    expect((await mei.call(envelopeShares, { envelopeId })).shares).toMatchObject([{ isBest: false }])
  expect((await mei.call(receivedEnvelopes, {})).shares).toMatchObject([{ isBest: false }, { isBest: false }])
})

test('a reminder of the end is sent when a tenth of the time is left, once, from any server', async () => {
  const envelopeId = await anEnvelope({ envelopeKind: 'fixed', envelopePoints: '5', envelopeQuantity: 3 })
  await opens(await forum.member(), envelopeId)
  await leave(envelopeId, 150)
  await job()
  expect(await envelopeNotices(giver)).toEqual([])
  await leave(envelopeId, 140)
  await Promise.all([job(), job(), job()])
  await job()
  expect(await envelopeNotices(giver)).toMatchObject([{ kind: 'envelopeEnding', envelopeId, left: 2, quantity: 3 }])
})

test('a reminder of a long one is sent a day before', async () => {
  const envelopeId = await anEnvelope({ envelopeKind: 'fixed', envelopePoints: '5', envelopeQuantity: 3 })
  await sql`update red_envelope set opened_at = clock_timestamp() - interval '28 days', ends_at = clock_timestamp() + interval '25 hours'
    where id = ${envelopeId}`.execute(forum.database.app)
  await job()
  expect(await envelopeNotices(giver)).toEqual([])
})

test('the receiver of a targeted one is notified too, unless the giver blocks them by now', async () => {
  const [mei, bo] = [await forum.member(), await forum.member()]
  const envelopeId = await anEnvelope({ envelopeKind: 'targeted', envelopePoints: '5', envelopeReceiver: mei.account })
  const from = giver.account
  await leave(envelopeId, 30)
  await job()
  expect((await envelopeNotices(mei))[0]).toMatchObject({ kind: 'envelopeEndingForYou', envelopeId, name: from })
  const blocked = await anEnvelope({ envelopeKind: 'targeted', envelopePoints: '5', envelopeReceiver: bo.account })
  await giver.call(block, { userId: bo.id, way: 'blocked' })
  await leave(blocked, 30)
  await job()
  expect((await envelopeNotices(bo)).map(({ kind }) => kind)).toEqual(['envelopeGiven'])
  expect((await envelopeNotices(giver)).map(({ kind }) => kind)).toEqual(['envelopeEnding'])
})

test.each(['taken', 'over', 'frozen'] as const)('an envelope that is %s sends no reminder of its end', async (how) => {
  const envelopeId = await anEnvelope({ envelopeKind: 'fixed', envelopePoints: '5', envelopeQuantity: 1 })
  await leave(envelopeId, 30)
  if (how === 'taken') await opens(await forum.member(), envelopeId)
  if (how === 'over') await letEnd(forum, envelopeId)
  if (how === 'frozen') await sql`select ledger.freeze('a test', 1)`.execute(forum.database.app)
  await job()
  if (how === 'frozen') await sql`select ledger.thaw('a test', 1)`.execute(forum.database.app)
  expect((await envelopeNotices(giver)).filter(({ kind }) => kind === 'envelopeEnding')).toEqual([])
})
