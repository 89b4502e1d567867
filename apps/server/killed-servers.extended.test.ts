import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '#account/testing/factories.ts'
import { openApp } from '#apps/server/app.ts'
import { bookChecks } from '#apps/server/features.ts'
import type { Endpoint, RawInput } from '#base/contract.ts'
import { readConfig } from '#base/server/config.ts'
import { StillRunning } from '#base/server/http/idempotency.ts'
import type { Database } from '#base/server/database/database.ts'
import { filledDatabase, type TestDatabase, testKey } from '#base/testing/database.ts'
import { startForums, type Forums } from '#base/testing/forums.ts'
import { Person } from '#base/testing/forum.ts'
import { applySettings, lenientSettings } from '#base/testing/lenient-settings.ts'
import { Visitor } from '#base/testing/visitor.ts'
import { viaProxy, startProxy, type DatabaseProxy } from '#base/testing/database-proxy.ts'
import { addComment } from '#comment/contract.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import * as hidden from '#hidden-part/contract.ts'
import { buyMembership } from '#membership/contract.ts'
import { aCard, buys } from '#membership/testing/factories.ts'
import { refundUnlock } from '#hidden-part/refund-contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import { giveEnvelope, openEnvelope } from '#red-envelope/contract.ts'
import { envelopeOf } from '#red-envelope/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aRole, aTag } from '#tag/testing/factories.ts'
import { publishTopic, thread } from '#topic/contract.ts'
import { aTopic, gives } from '#topic/testing/factories.ts'
import * as desk from '#wallet/adjust-contract.ts'
import { approveRequest } from '#wallet/request-contract.ts'
import { endow } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { documentWith, says } from '#writing/testing/factories.ts'

// Each action has an identical database of its own, and a connection that is held after each packet in turn: all servers are killed while
// the action is just so far, and another process repeats the request.
const rounds = 30

/** The rows prepared for each round. */
type Round = { who: Person; bought: { unlockId: string; transactionId: string }; reversible: string; requestId: string }

let chief: Staffer
let topicId: string
let tagId: string
let envelopeId: string
let parts: string[] = []
let specificationId: string
let mei: Person
const preparedRounds: Round[] = []
const folder = mkdtempSync(join(tmpdir(), 'teahouse-killed-'))

async function fill(database: Database): Promise<void> {
  const config = { ...readConfig({ TEAHOUSE_KEY: testKey, TEAHOUSE_DATA: folder }), development: false }
  await database.app
    .transaction()
    .execute((tx) =>
      applySettings(tx, { ...lenientSettings, allowCash: true, hiddenSharePoints: 10, hiddenShareCash: 10, approvalThresholdPoints: 100 }),
    )
  const app = await openApp({ config, database, log: pino({ level: 'silent' }), gatherSeconds: 3_600 })
  const met = async <Who extends Visitor>(who: Who) => who.fetchToken().then(() => who)
  const member = async (account: string) => {
    const person = await met(Object.assign(new Person(app), { account }))
    return Object.assign(person, await aMember(database, person))
  }
  const forum = { app, database } as Parameters<typeof aStaffer>[0]
  chief = await aStaffer(forum)
  const second = await aStaffer(forum)
  mei = await member('mei')
  specificationId = (await aCard(database, await aRole(database, ['invite']), [{ cents: 30, points: 5, stock: 1_000 }])).ids[0] ?? ''
  // Gifts to her count from here.
  await endow(database, mei.id, 10)
  await endow(database, mei.id, 100, 'cny')
  await buys(mei, specificationId, { cash: '0.30', points: '5' })
  const body = documentWith(
    hides('points', '30', 'one'),
    hides('balance', '500', 'two'),
    hides('points', '7', 'three'),
    hides('points', '8', 'four'),
  )
  tagId = await aTag(database)
  topicId = await aTopic(mei, tagId, { body })
  await endow(database, mei.id, 1_000)
  const { body: topic } = await gives(mei, tagId, { envelopeKind: 'random', envelopePoints: '1000', envelopeQuantity: 100 })
  envelopeId = await envelopeOf(forum, topic.topicId)
  parts = partIds((await new Visitor(app).call(thread, { topicId })).segments)
  for (let round = 0; round < rounds; round++) {
    const who = await member(`guest_${round}`)
    const key = (what: string) => ({ 'idempotency-key': `a-key-before-${what}-${round}` })
    await endow(database, who.id, 1_000)
    await endow(database, who.id, 1_000, 'cny')
    await who.call(hidden.buyPart, { partId: parts[2] ?? '', price: '7' }, key('three'))
    await who.call(hidden.buyPart, { partId: parts[3] ?? '', price: '8' }, key('four'))
    await second.call(desk.adjustPoints, { memberId: who.id, way: 'add', amount: '500', reason: 'A large one' }, key('ask'))
    const { rows } = await sql<{ unlockId: string; transactionId: string }>`
      select id as "unlockId", transaction_id as "transactionId" from hidden.unlock where member_id = ${who.id} order by id`.execute(
      database.app,
    )
    const { id: requestId } = await database.app
      .selectFrom('money_request')
      .select('id')
      .where('member_id', '=', who.id)
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow()
    const [bought, other] = rows
    if (bought && other) preparedRounds.push({ who, bought, reversible: other.transactionId, requestId })
  }
  // All rounds take longer on a busy machine than a proof of identity lasts.
  await sql`update staff_session set proved_at = now() + interval '1 day'`.execute(database.app)
  await app.close()
}

type Count =
  | 'envelopes'
  | 'shares'
  | 'claims'
  | 'transactions'
  | 'unlocks'
  | 'orders'
  | 'holdings'
  | 'sold'
  | 'requests'
  | 'comments'
  | 'rewards'
  | 'actions'
  | 'notices'
type Send = <E extends Endpoint>(who: Visitor, endpoint: E, input: RawInput<E>) => ReturnType<Forums['send']>

/** The request of each action, and the rows it leaves. */
const actions: Record<string, { does: (send: Send, round: Round) => ReturnType<Send>; leaves: Partial<Record<Count, number>> }> = {
  'a reward for a comment': {
    does: (send, { who }) => send(who, addComment, { topicId, body: says(`Thank you, says ${who.account}`) }),
    leaves: { transactions: 1, comments: 1, rewards: 1 },
  },
  'unlocking with points': {
    does: (send, { who }) => send(who, hidden.buyPart, { partId: parts[0] ?? '', price: '30' }),
    leaves: { transactions: 1, unlocks: 1 },
  },
  'buying with balance': {
    does: (send, { who }) => send(who, hidden.buyPart, { partId: parts[1] ?? '', price: '500' }),
    leaves: { transactions: 1, unlocks: 1 },
  },
  'buying a membership card': {
    does: (send, { who }) => send(who, buyMembership, { specificationId, cash: '0.30', points: '5' }),
    leaves: { transactions: 1, orders: 1, holdings: 1, sold: 1 },
  },
  'giving a membership card': {
    does: (send, { who }) =>
      send(who, buyMembership, { specificationId, cash: '0.30', points: '5', receiver: mei.account, note: 'Cheers' }),
    leaves: { transactions: 1, orders: 1, sold: 1, notices: 1 },
  },
  'giving a red envelope': {
    does: (send, { who }) => {
      const title = `For all of you from ${who.account}`
      const envelope = { envelopeKind: 'random', envelopePoints: '90', envelopeQuantity: 3 } as const
      return send(who, publishTopic, { tagId, title, body: says('Tea for all of you.'), ...envelope })
    },
    leaves: { transactions: 2, rewards: 1, envelopes: 1, shares: 3 },
  },
  'giving a red envelope to a member': {
    does: (send, { who }) => send(who, giveEnvelope, { envelopePoints: '90', envelopeReceiver: mei.account }),
    leaves: { transactions: 1, envelopes: 1, shares: 1, notices: 1 },
  },
  'opening a red envelope': {
    does: (send, { who }) => send(who, openEnvelope, { envelopeId }),
    leaves: { claims: 1 },
  },
  'an adjustment': {
    does: (send, { who }) => send(chief, desk.adjustPoints, { memberId: who.id, way: 'take', amount: '5', reason: 'A small one' }),
    leaves: { transactions: 1, requests: 1, actions: 1, notices: 1 },
  },
  'agreeing to an adjustment': {
    does: (send, { requestId }) => send(chief, approveRequest, { requestId }),
    leaves: { transactions: 1, requests: 1, actions: 1, notices: 1 },
  },
  'a reversal': {
    does: (send, { reversible }) => send(chief, desk.reverseTransaction, { transactionId: reversible, reason: 'The wrong one' }),
    leaves: { transactions: 1, requests: 1, actions: 1, notices: 2 },
  },
  'a refund': {
    does: (send, { bought }) => send(chief, refundUnlock, { unlockId: bought.unlockId, reason: 'It was empty' }),
    leaves: { transactions: 1, requests: 1, actions: 1, notices: 2 },
  },
}
const names = Object.keys(actions)

let stores: TestDatabase[] = []
type Started = { forums: Forums; wires: DatabaseProxy[] }
const started: Promise<Started>[] = []

beforeAll(async () => {
  for (const _ of names) stores.push(await filledDatabase('teahouse_killed', fill))
})
afterAll(async () => {
  for (const one of started) await stop(await one)
  for (const store of stores) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

function start(): Promise<Started> {
  const one = startNow()
  started.push(one)
  return one
}

async function startNow(): Promise<Started> {
  const wires = await Promise.all(stores.map(({ ownerUrl }) => startProxy(ownerUrl)))
  const addresses = stores.map(({ ownerUrl }, n) => {
    const { app, reader } = addressesOf(ownerUrl)
    const wire = wires[n] as DatabaseProxy
    return { app: viaProxy(wire, app), reader: viaProxy(wire, reader) }
  })
  return { forums: await startForums({ addresses, folder }), wires }
}

async function stop({ forums, wires }: Started): Promise<void> {
  await forums.kill()
  for (const wire of wires) wire.close()
}

async function left(n: number): Promise<Record<Count, number>> {
  const { rows } = await sql<Record<Count, number>>`select
    (select count(*) from ledger.transaction)::int as transactions, (select count(*) from hidden.unlock)::int as unlocks,
    (select count(*) from membership_order)::int as orders, (select count(*) from role_holding)::int as holdings,
    (select coalesce(sum(sold), 0) from membership_specification)::int as sold,
    (select count(*) from money_request where state = 'done')::int as requests, (select count(*) from comment)::int as comments,
    (select count(*) from reward where is_given)::int as rewards, (select count(*) from audit_log)::int as actions,
    (select count(*) from notice)::int as notices, (select count(*) from red_envelope)::int as envelopes,
    (select count(*) from red_envelope_share)::int as shares,
    (select count(*) from red_envelope_share where member_id is not null)::int as claims`.execute((stores[n] as TestDatabase).database.app)
  return rows[0] as Record<Count, number>
}

function after(before: Record<Count, number>, name: string): Record<Count, number> {
  const more = Object.entries(actions[name]?.leaves ?? {}).map(([count, number]) => [count, before[count as Count] + number])
  return { ...before, ...Object.fromEntries(more) }
}

function send(forums: Forums, n: number, round: number): ReturnType<Send> {
  const its = preparedRounds[round]
  if (!its) throw new Error('A action has more packets than there are rounds')
  const name = names[n] as string
  return (actions[name] as (typeof actions)[string]).does(
    (who, endpoint, input) => forums.send(n, who, endpoint, input, `a-key-for-action-${n}-in-round-${round}`),
    its,
  )
}

const each = <T>(what: (n: number, name: string) => Promise<T>) => Promise.all(names.map((name, n) => what(n, name)))
const breaches = (n: number) => wallet.breachesIn((stores[n] as TestDatabase).database, bookChecks, null)

test('a server killed at any packet of an action leaves all of it or nothing, and a repeated request gets it once', async () => {
  let next = start()
  let heldAt: string[][] = []
  for (let round = 0; heldAt.at(-1)?.length !== 0; round++) {
    const now = await next
    next = start()
    // Opens all connections first, so that only the packets of the action are counted.
    if (round === 0) await each((n) => now.forums.send(n, chief, desk.noteTransactionExport, { rows: 1, asked: '' }, 'a-key-to-begin'))
    else await each((n) => comesAgain(now.forums, n, round - 1))
    const before = await each(left)
    const heldNames = await each(async (n, name) => {
      const hold = (now.wires[n] as DatabaseProxy).holdAnswer(round + 1).then(() => [name])
      return Promise.race([hold, send(now.forums, n, round).then(() => [])])
    })
    await stop(now)
    heldAt = [...heldAt, heldNames.flat()]
    await each(async (n, name) => {
      await expect.poll(() => quiet(n)).toBe(true)
      const its = await left(n)
      expect([name, round, its]).toEqual([name, round, expect.toBeOneOf([before[n], after(before[n] as never, name)])])
      expect([name, round, await breaches(n)]).toEqual([name, round, []])
      starting[n] = before[n] as never
    })
  }
  const last = await next
  await each((n) => comesAgain(last.forums, n, heldAt.length - 1))
  const times = names.map((name) => [name, heldAt.filter((heldNames) => heldNames.includes(name)).length] as const)
  // Each was held on its way, and after its last packet.
  expect(times.filter(([, count]) => count < 2)).toEqual([])
})

const starting: Record<Count, number>[] = []

// No transaction is open any more.
async function quiet(n: number): Promise<boolean> {
  const { rows } = await sql<{ busy: string }>`select count(*) as busy from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`.execute(
    (stores[n] as TestDatabase).database.app,
  )
  return rows[0]?.busy === '0'
}

async function comesAgain(forums: Forums, n: number, round: number): Promise<void> {
  const name = names[n] as string
  // A repetition while the dead process may still be at work waits for its lease.
  const early = await send(forums, n, round)
  expect([name, round, early.status]).toEqual([name, round, expect.toBeOneOf([200, StillRunning.status])])
  await sql`update idempotency_key set leased_until = now() - interval '1 second' where leased_until is not null`.execute(
    (stores[n] as TestDatabase).database.app,
  )
  const answer = await send(forums, n, round)
  expect([name, round, answer.status, answer.body]).toEqual([name, round, 200, expect.any(String)])
  expect([name, round, await send(forums, n, round)]).toEqual([name, round, answer])
  expect([name, round, await left(n)]).toEqual([name, round, after(starting[n] as never, name)])
  expect([name, round, await breaches(n)]).toEqual([name, round, []])
}
