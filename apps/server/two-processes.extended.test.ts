import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookChecks, features } from '#apps/server/features.ts'
import type { Endpoint, RawInput } from '#base/contract.ts'
import type { Block } from '#base/rich-text/document.ts'
import { openDatabase } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { startForums, type Answer, type Forums } from '#base/testing/forums.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { raiseBounty } from '#bounty/contract.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import * as hidden from '#hidden-part/contract.ts'
import { refundUnlock } from '#hidden-part/refund-contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import { askQuestion } from '#question/contract.ts'
import { openEnvelope } from '#red-envelope/contract.ts'
import { envelopeOf } from '#red-envelope/testing/factories.ts'
import { payAll } from '#red-envelope/server/pay.ts'
import { changeSettings } from '#setting/staff-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as topic from '#topic/contract.ts'
import { aTopic, gives } from '#topic/testing/factories.ts'
import * as desk from '#wallet/adjust-contract.ts'
import { approveRequest } from '#wallet/request-contract.ts'
import * as wallet from '#wallet/contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'
import { endow } from '#wallet/testing/factories.ts'
import { documentWith, says } from '#writing/testing/factories.ts'

// Two servers on one database, without invalidations from each other.
let forum: Forum
let chief: Staffer
let mei: Person
let tagId: string
const servers: Forums[] = []
const folder = mkdtempSync(join(tmpdir(), 'teahouse-two-'))
let keys = 0
const aKey = () => `a-key-for-two-processes-${++keys}`

beforeAll(async () => {
  forum = await aForum()
  await forum.database.app.transaction().execute((tx) => applySettings(tx, { allowCash: true }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
  chief = await aStaffer(forum)
  mei = await forum.member()
  tagId = await aTag(forum.database)
  const start = () => startForums({ addresses: [addressesOf(forum.ownerUrl)], folder })
  servers.push(...(await Promise.all([start(), start()])))
})
afterAll(async () => {
  for (const server of servers) await server.kill()
  rmSync(folder, { recursive: true, force: true })
})

async function hiding(...parts: Block[]): Promise<string[]> {
  const topicId = await aTopic(mei, tagId, { body: documentWith(...parts) })
  return partIds((await forum.visitor().call(topic.thread, { topicId })).segments)
}

function at<E extends Endpoint>(server: 0 | 1, who: Visitor, endpoint: E, input: RawInput<E>, key = aKey()): Promise<Answer> {
  return (servers[server] as Forums).send(0, who, endpoint, input, key)
}

async function pointsOf(who: Person): Promise<number> {
  const { rows } = await sql<{ balance: string }>`
    select balance from ledger.account where name = 'member' and owner_id = ${who.id} and currency = 'points'`.execute(forum.database.app)
  return Number(rows[0]?.balance ?? 0)
}

test('one key at both at once is one purchase, with the same answer from both', async () => {
  for (let round = 0; round < 20; round++) {
    mei = await forum.member()
    const [tom, [partId = '']] = [await forum.member(), await hiding(hides('points', '30', 'treasure'))]
    await endow(forum.database, tom.id, 100)
    const buys = (server: 0 | 1, key: string) => at(server, tom, hidden.buyPart, { partId, price: '30' }, key)
    const same = aKey()
    const answers = await Promise.all([buys(0, same), buys(1, same)])
    expect(answers.map(({ status }) => status)).toSatisfy(
      (all: number[]) => all.includes(200) && all.every((one) => [200, 409].includes(one)),
    )
    const [one, other] = [await buys(0, same), await buys(1, same)]
    expect([one, one.status, await pointsOf(tom)]).toEqual([other, 200, 70])
  }
})

test('two keys at both at once are one purchase, one refund, and one adjustment that was agreed to', async () => {
  const second = await aStaffer(forum)
  for (let round = 0; round < 10; round++) {
    mei = await forum.member()
    const [tom, [partId = '']] = [await forum.member(), await hiding(hides('points', '30', 'treasure'))]
    await endow(forum.database, tom.id, 100)
    const both = <E extends Endpoint>(who: readonly [Visitor, Visitor], endpoint: E, input: RawInput<E>) =>
      Promise.all([at(0, who[0], endpoint, input), at(1, who[1], endpoint, input)])
    const bought = await both([tom, tom], hidden.buyPart, { partId, price: '30' })
    expect(bought.map(({ body }) => JSON.parse(body).isNew).sort()).toEqual([false, true])
    expect(await pointsOf(tom)).toBe(70)
    const { id: unlockId } = await forum.database.app
      .selectFrom('hidden.unlock')
      .select('id')
      .where('member_id', '=', tom.id)
      .executeTakeFirstOrThrow()
    const refunded = await both([chief, second], refundUnlock, { unlockId, reason: 'It was empty' })
    expect(refunded.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await pointsOf(tom)).toBe(100)
    await at(0, chief, desk.adjustPoints, { memberId: tom.id, way: 'add', amount: '100000', reason: 'A large one' })
    const { id: requestId } = await forum.database.app
      .selectFrom('money_request')
      .select('id')
      .where('member_id', '=', tom.id)
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow()
    const third = await aStaffer(forum)
    const agreed = await both([second, third], approveRequest, { requestId })
    expect(agreed.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await pointsOf(tom)).toBe(100_100)
  }
})

test('a balance cannot be spent at two servers twice', async () => {
  for (let round = 0; round < 5; round++) {
    mei = await forum.member()
    const tom = await forum.member()
    await endow(forum.database, tom.id, 30)
    const parts = await hiding(...Array.from({ length: 8 }, (_, n) => hides('points', '10', `part ${n}`)))
    const answers = await Promise.all(parts.map((partId, n) => at(n % 2 === 0 ? 0 : 1, tom, hidden.buyPart, { partId, price: '10' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422, 422, 422, 422, 422])
    expect(await pointsOf(tom)).toBe(0)
  }
})

test('an envelope opened by all at both gives each member one share, and no share to two', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => forum.member()))
  const other = openDatabase(addressesOf(forum.ownerUrl), { features, onLost: () => undefined })
  for (let round = 0; round < 4; round++) {
    const giver = await forum.member()
    await endow(forum.database, giver.id, 100)
    const { body } = await gives(giver, tagId, { envelopeKind: 'random', envelopePoints: '100', envelopeQuantity: 5 })
    const envelopeId = await envelopeOf(forum, body.topicId)
    const opens = (server: 0 | 1, who: Person) => at(server, who, openEnvelope, { envelopeId })
    const answers = await Promise.all(people.flatMap((who) => [opens(0, who), opens(1, who)]))
    await Promise.all([forum.database, other].map(payAll))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 10 }, () => 200),
      ...Array.from({ length: 6 }, () => 409),
    ])
    const { rows } = await sql<{ claimed: number; members: number; sum: string }>`
      select count(*)::int as claimed, count(distinct member_id)::int as members, sum(amount) as sum from red_envelope_share
      where envelope_id = ${envelopeId} and transaction_id is not null`.execute(forum.database.app)
    expect(rows).toEqual([{ claimed: 5, members: 5, sum: '100' }])
    expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
  }
  await other.close()
})

test('a function switched off at one is off at the other for money, at once', async () => {
  mei = await forum.member()
  const tom = await forum.member()
  const [first = '', second = ''] = await hiding(hides('balance', '100', 'gold'), hides('balance', '100', 'silver'))
  await endow(forum.database, tom.id, 1_000, 'cny')
  const question = { tagId, title: 'What is it worth?', body: says('Gold.'), bountyCash: '1.00' }
  const { questionId } = await tom.call(askQuestion, question, { 'idempotency-key': aKey() })
  const adds = { memberId: tom.id, way: 'add', amount: '1', reason: 'A present' } as const
  expect((await at(1, tom, hidden.buyPart, { partId: first, price: '100' })).status).toBe(200)
  expect((await at(1, chief, desk.adjustBalance, adds)).status).toBe(200)
  await changeAt0({ allowCash: false })
  const bought = await at(1, tom, hidden.buyPart, { partId: second, price: '100' })
  const raised = await at(1, tom, raiseBounty, { questionId, bountyCash: '2.00' })
  const adjusted = await at(1, chief, desk.adjustBalance, adds)
  await changeAt0({ allowCash: true })
  expect([bought.status, bought.body, adjusted.status]).toEqual([422, expect.stringContaining('balance'), 404])
  expect([raised.status, raised.body]).toEqual([422, expect.stringContaining('bountyCash')])
  expect((await at(1, tom, hidden.buyPart, { partId: second, price: '100' })).status).toBe(200)
})

test('the limit of staff acting alone is the current one, at both', async () => {
  const tom = await forum.member()
  const adds = { memberId: tom.id, way: 'add', amount: '50', reason: 'A present' } as const
  expect(JSON.parse((await at(1, chief, desk.adjustPoints, adds)).body)).toEqual({ isWaiting: false })
  await changeAt0({ approvalThresholdPoints: 60 })
  expect(JSON.parse((await at(1, chief, desk.adjustPoints, adds)).body)).toEqual({ isWaiting: true })
})

async function changeAt0(values: RawInput<typeof changeSettings>): Promise<void> {
  expect(await at(0, chief, changeSettings, values)).toMatchObject({ status: 200 })
}

test('books that are frozen at one are frozen at the other, at once', async () => {
  mei = await forum.member()
  const [tom, [partId = '']] = [await forum.member(), await hiding(hides('points', '5', 'treasure'))]
  await endow(forum.database, tom.id, 10)
  expect((await at(0, chief, wallet.freezeBooks, { reason: 'A look' })).status).toBe(200)
  const frozen = await at(1, tom, hidden.buyPart, { partId, price: '5' })
  expect((await at(0, chief, wallet.thawBooks, { reason: 'All is well' })).status).toBe(200)
  expect([frozen.status, await pointsOf(tom)]).toEqual([422, 10])
  expect((await at(1, tom, hidden.buyPart, { partId, price: '5' })).status).toBe(200)
})
