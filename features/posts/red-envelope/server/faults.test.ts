import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { bookChecks, routes } from '#apps/server/features.ts'
import type { Member } from '#base/server/http/route.ts'
import { queriesFor } from '#base/testing/crawl.ts'
import { isFullRun } from '#base/testing/extent.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { eventListener } from '#base/testing/listen.ts'
import { runConcurrently, runRounds } from '#base/testing/races.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { until } from '#base/testing/waits.ts'
import { envelope, envelopeNews, openEnvelope } from '#red-envelope/contract.ts'
import { claim } from '#red-envelope/server/claim.ts'
import { endDue, endLocked } from '#red-envelope/server/end.ts'
import { aDirectOne, aGiver, envelopeOf, letEnd, opens, payClaims, stands, withEnvelopes } from '#red-envelope/testing/factories.ts'
import { lock } from '#red-envelope/server/pay.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { gives } from '#topic/testing/factories.ts'
import { BooksFrozen, freezeBooks, thawBooks } from '#wallet/contract.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { wallet } from '#wallet/log-contract.ts'

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
  vi.useRealTimers()
  await payClaims(forum)
  const breaches = await checkLedger(forum.database, bookChecks, { isFull: true })
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

const points = async (who: Person) => Number((await who.call(wallet, {})).points.balance)

async function anEnvelope(input: Parameters<typeof gives>[2]): Promise<{ giver: Person; topicId: string; envelopeId: string }> {
  const giver = await aGiver(forum, 100_000)
  const { body } = await gives(giver, tagId, input)
  return { giver, topicId: body.topicId, envelopeId: await envelopeOf(forum, body.topicId) }
}
const random = { envelopeKind: 'random', envelopePoints: '100', envelopeQuantity: 5 } as const

test.each([5, -5])('on a server with a clock %i hours wrong, an envelope begins and ends by the clock of the database', async (hours) => {
  const [tom, late] = [await forum.member(), await forum.member()]
  await withEnvelopes(forum, { envelopeHours: 1 })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 })
  const { giver, envelopeId } = await anEnvelope(random)
  const { rows } = await leftOf(envelopeId)
  expect(rows).toEqual([{ minutes: 59 }])
  await endDue(forum.database)
  const { status, body } = await opens(tom, envelopeId)
  expect(status).toBe(200)
  await letEnd(forum, envelopeId)
  expect([(await opens(late, envelopeId)).status, await points(giver)]).toEqual([409, 100_000 - Number(body.amount)])
  await withEnvelopes(forum, { envelopeHours: 24 })
})

function leftOf(envelopeId: string) {
  return sql<{ minutes: number }>`select floor(extract(epoch from ends_at - clock_timestamp()) / 60)::int as minutes
    from red_envelope where id = ${envelopeId}`.execute(forum.database.app)
}

test('an opening repeated after a lost answer, with the same key or another, has the same share, once', async () => {
  const { envelopeId } = await anEnvelope(random)
  const [tom, key] = [await forum.member(), newIdempotencyKey()]
  const answers = await Promise.all([opens(tom, envelopeId, key), opens(tom, envelopeId, key), opens(tom, envelopeId)])
  const { body } = await opens(tom, envelopeId, key)
  for (const one of answers) expect(one).toMatchObject({ status: 200, body: { amount: body.amount } })
  // The same key of another member is a different key.
  const eve = await forum.member()
  expect((await opens(eve, envelopeId, key)).body.isNew).toBe(true)
  expect((await eve.call(envelope, { envelopeId })).taken).toBe(2)
  await payClaims(forum)
  expect(await points(tom)).toBe(Number(body.amount))
})

test('frozen books refuse an opening, and claim nothing; after the thaw the next one is a share', async () => {
  const { giver, envelopeId } = await anEnvelope(random)
  const [tom, mei, key] = [await forum.member(), await forum.member(), newIdempotencyKey()]
  const mine = (await opens(mei, envelopeId)).body.amount
  expect((await tom.call(envelope, { envelopeId })).mayTry).toBe(true)
  await chief.call(freezeBooks, { reason: 'A look' })
  expect(await tom.isRefused(openEnvelope, { envelopeId }, BooksFrozen, key)).toBe(true)
  // Earlier shares are still shown, and paid later.
  expect((await opens(mei, envelopeId)).body).toMatchObject({ amount: mine, isNew: false })
  await Promise.all([payClaims(forum), letEnd(forum, envelopeId)])
  expect([await points(tom), (await tom.call(envelope, { envelopeId })).taken, (await stands(forum, envelopeId)).state]).toEqual([
    0,
    1,
    'open',
  ])
  await chief.call(thawBooks, { reason: 'All is well' })
  await sql`update red_envelope set ends_at = clock_timestamp() + interval '1 hour' where id = ${envelopeId}`.execute(forum.database.app)
  // The refusal is stored under the key, and repeated for it.
  expect(await tom.isRefused(openEnvelope, { envelopeId }, BooksFrozen, key)).toBe(true)
  const { body } = await opens(tom, envelopeId)
  expect(body.isNew).toBe(true)
  await letEnd(forum, envelopeId)
  expect([await points(mei), await points(tom)]).toEqual([Number(mine), Number(body.amount)])
  expect(await points(giver)).toBe(100_000 - Number(mine) - Number(body.amount))
})

test('an opening of the last share and its return at once end with the first of them', async () => {
  const [giver, tom] = [await aGiver(forum, 100_000), await forum.member()]
  const member: Member = { id: tom.id, sessionId: '', audience: '', may: () => true, where: () => ({ except: [] }) }
  let opened = 0
  const many = isFullRun ? 500 : 40
  await runRounds(async () => {
    const id = await aDirectOne(forum.database, giver.id, tom.account)
    const [isOpened] = await runConcurrently(forum.database, [
      (tx) => claim(tx, member, id),
      async (tx) => {
        const its = await lock(tx, id, 'waits')
        if (its) await endLocked(tx, its, 'stopped')
      },
    ])
    if (isOpened) opened++
    const { state } = await stands(forum, id)
    expect(isOpened ? ['open', 'taken'] : ['returned']).toContain(state)
  }, many)
  await payClaims(forum)
  expect([await points(tom), await points(giver)]).toEqual([5 * opened, 100_000 - 5 * opened])
})

test('the last share, released by a rollback, goes to the next opening', async () => {
  const { envelopeId } = await anEnvelope({ envelopeKind: 'fixed', envelopePoints: '10', envelopeQuantity: 1 })
  const [tom, mei] = [await forum.member(), await forum.member()]
  const rolledBack = new Error('Rolled back')
  let waits: ReturnType<typeof opens> | undefined
  const first = forum.database.app.transaction().execute(async (tx) => {
    await sql`select from claim_red_envelope(${envelopeId}, ${tom.id})`.execute(tx)
    waits = opens(mei, envelopeId)
    await until(async () => {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like '%claim_red_envelope%'`.execute(forum.database.app)
      return rows.length === 1
    })
    throw rolledBack
  })
  await expect(first).rejects.toThrow(rolledBack)
  expect((await waits)?.body).toMatchObject({ amount: '10', isNew: true })
  expect((await opens(tom, envelopeId)).status).toBe(409)
})

/** An envelope of which one share is opened. The others have four digits, which no id, count or time of an answer has by chance. */
async function withLargeShares(member: Person) {
  for (;;) {
    const envelope = await anEnvelope({ envelopeKind: 'random', envelopePoints: '9973', envelopeQuantity: 4 })
    await opens(member, envelope.envelopeId)
    await payClaims(forum)
    const secret = (await unopened(envelope.envelopeId)).filter((amount) => /^\d{4}$/.test(amount))
    if (secret.length > 1) return { ...envelope, secret }
  }
}

describe('the amount of an unopened share', () => {
  test('is in no answer: to a visitor, member, opener, giver, or staff', async () => {
    const [tom, other] = [await forum.member(), await forum.member()]
    const { giver, topicId, envelopeId, secret } = await withLargeShares(tom)
    const known = {
      envelopeId: [envelopeId],
      topicId: [topicId],
      giver: [giver.id],
      userId: [giver.id],
      memberId: [giver.id],
      tagId: [tagId],
    }
    const relevantPaths = /envelope|^\/thread|^\/(topic|user)\/|point|balance|^\/admin\/(member|books|transaction|wallet|topic)/i
    const reads = routes.map(({ endpoint }) => endpoint).filter(({ method, path }) => method === 'GET' && relevantPaths.test(path))
    expect(reads.length).toBeGreaterThan(30)
    const answered = new Set<string>()
    for (const endpoint of reads)
      for (const query of queriesFor(endpoint, known).slice(0, 8))
        for (const who of endpoint.path.startsWith('/admin/') ? [chief] : [forum.visitor(), other, tom, giver]) {
          const url = `/api${endpoint.path}?${query}`
          const { statusCode, body } = await forum.app.inject({ url, remoteAddress: who.ip, headers: who.headers('GET') })
          if (statusCode === 200) answered.add(endpoint.path)
          expect([url, secret.filter((amount) => new RegExp(`\\b${amount}\\b`).test(body))]).toEqual([url, []])
        }
    expect([...answered].filter((path) => /envelope/i.test(path)).toSorted()).toEqual(
      reads
        .map(({ path }) => path)
        .filter((path) => /envelope/i.test(path))
        .toSorted(),
    )
  })

  test('is in no event of the stream, which has the number of opened ones', async () => {
    const { envelopeId } = await anEnvelope({ envelopeKind: 'random', envelopePoints: '9973', envelopeQuantity: 4 })
    const address = await forum.app.listen({ port: 0, host: '127.0.0.1' })
    const listener = await eventListener((how) => fetch(`${address}/api${envelopeNews.path}?envelopeId=${envelopeId}`, how), {
      'last-event-id': '0',
    })
    await opens(await forum.member(), envelopeId)
    await payClaims(forum)
    await expect.poll(() => listener.events().at(-1)?.id).toBe('open-1')
    listener.close()
    for (const { data } of listener.events()) expect(JSON.parse(data)).toEqual({ taken: expect.any(Number), state: 'open' })
  })
})

async function unopened(envelopeId: string): Promise<string[]> {
  const rows = await forum.database.app
    .selectFrom('red_envelope_share')
    .select('amount')
    .where('envelope_id', '=', envelopeId)
    .where('member_id', 'is', null)
    .execute()
  return rows.map(({ amount }) => amount)
}
