import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bookChecks, features } from '#apps/server/features.ts'
import { openDatabase, transact, type Database } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { viaProxy, startProxy } from '#base/testing/database-proxy.ts'
import { addressesOf } from '#base/server/database/roles.ts'
import { tops, withSandbox } from '#payment/testing/factories.ts'
import { receive } from '#payment/server/inbox.ts'
import * as order from '#payment/server/order.ts'
import { setStandIns } from '#payment/server/providers.ts'
import { queryDue } from '#payment/server/query.ts'
import { refundDue, refundOrder } from '#payment/server/refund.ts'
import { processInbox } from '#payment/server/settle.ts'
import { eventOf, key, signatureOf, stripeStandIn, webhookSecret, type StripeStandIn } from '#payment/testing/stripe.ts'
import * as setting from '#setting/server/setting.ts'
import { balance } from '#wallet/log-contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'

// A server loses its database connection after each packet of its work, and another server completes the work.
let forum: Forum
let desk: StripeStandIn
let mei: Person

beforeAll(async () => {
  forum = await aForum()
  desk = await stripeStandIn()
  setStandIns({ stripe: desk.address })
  await withSandbox(forum, { paymentProviders: ['stripe'], maxTopUpCentsPerDay: 99_999_999, maxTopUpCentsOnFirstDay: 99_999_999 })
  await transact(forum.database, async (tx) => {
    await setting.changeSealed(tx, 'stripeKey', key, 'test')
    await setting.changeSealed(tx, 'stripeWebhookSecret', webhookSecret, 'test')
  })
})
afterAll(() => {
  setStandIns({})
  return desk.close()
})
beforeEach(() => desk.refundsAre('succeeded'))

const has = async () => (await mei.call(balance, {})).account.balance
const begun = async () => (await tops(mei, '12.50', { provider: 'stripe' })).body.number
const event = (number: string) => eventOf('checkout.session.completed', desk.pay(desk.sessionOf(number)))

function tell(database: Database, payload: string): Promise<unknown> {
  const call = {
    name: 'stripe',
    headers: { 'stripe-signature': signatureOf(payload) },
    body: Buffer.from(payload),
    ip: '127.0.0.1',
    at: new Date(),
  }
  return receive(database, call)
}

const letAsk = () => sql`update payment_order set query_at = now() where state = 'open'`.execute(forum.database.app)
const letTry = () => sql`update payment_refund set try_at = now() where state = 'asked'`.execute(forum.database.app)

async function paid(): Promise<string> {
  const number = await begun()
  await tell(forum.database, event(number))
  await processInbox(forum.database)
  return number
}

async function refunding(): Promise<void> {
  const number = await paid()
  const { app } = forum.database
  const row = await app.selectFrom('payment_order').select(['id', 'provider']).where('number', '=', number).executeTakeFirstOrThrow()
  const wish = { cents: 500n, reason: 'Asked for it', owes: false, by: { kind: 'forum' } } as const
  await transact(forum.database, (tx) => refundOrder(tx, { ...row, number, memberId: mei.id }, wish))
}

/** Begins a payment at this server, as the call does. */
async function begin(database: Database): Promise<void> {
  const input = { amount: 1_250n, provider: 'stripe', method: 'page' }
  const apart = <T>(action: Parameters<typeof transact<T>>[1]) => transact(database, action)
  const context = { db: database.app, viewer: { id: mei.id }, input, from: { ip: '127.0.0.1' }, apart }
  const prepared = await order.begin(context as never)
  await transact(database, (tx) => order.topUp(tx, { id: mei.id } as never, prepared))
}

/** The preparation of each work, the work, and the balance once another server has completed it. */
type Work = {
  before: () => Promise<string>
  does: (database: Database, it: string) => Promise<unknown>
  rest: (it: string) => Promise<void>
  leaves: string
}

const works: Record<string, Work> = {
  'beginning a payment, and being paid all the same': {
    before: () => Promise.resolve(''),
    does: (database) => begin(database),
    async rest() {
      const [row] = await forum.database.app.selectFrom('payment_order').select('number').where('member_id', '=', mei.id).execute()
      const number = row?.number ?? (await begun())
      if (!desk.has(number)) return void (await paid())
      desk.pay(desk.sessionOf(number))
      await letAsk()
      await queryDue(forum.database)
      await tell(forum.database, eventOf('checkout.session.completed', desk.sessionOf(number)))
      await processInbox(forum.database)
    },
    leaves: '12.50',
  },
  'taking a notification': {
    before: async () => event(await begun()),
    does: (database, payload) => tell(database, payload),
    async rest(payload) {
      await tell(forum.database, payload)
      await processInbox(forum.database)
    },
    leaves: '12.50',
  },
  'crediting a payment': {
    async before() {
      await tell(forum.database, event(await begun()))
      return ''
    },
    does: (database) => processInbox(database),
    rest: () => processInbox(forum.database),
    leaves: '12.50',
  },
  'asking for a payment': {
    async before() {
      desk.pay(desk.sessionOf(await begun()))
      await letAsk()
      return ''
    },
    does: (database) => queryDue(database),
    async rest() {
      await letAsk()
      await queryDue(forum.database)
      await processInbox(forum.database)
    },
    leaves: '12.50',
  },
  'refunding a payment': {
    before: () => refunding().then(() => ''),
    does: (database) => refundDue(database),
    async rest() {
      await letTry()
      await refundDue(forum.database)
    },
    leaves: '7.50',
  },
  'a refund that fails': {
    async before() {
      desk.refundsAre('failed')
      await refunding()
      return ''
    },
    does: (database) => refundDue(database),
    async rest() {
      await letTry()
      await refundDue(forum.database)
    },
    leaves: '12.50',
  },
}

const maxPackets = 80

test.each(Object.entries(works))(
  '%s, cut off after any packet, loses nothing and does nothing twice',
  async (_, work) => {
    let packets = 1
    while (await isCutOff(work, packets)) if (++packets > maxPackets) throw new Error('It does not come to an end')
    expect(packets).toBeGreaterThan(3)
    expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
  },
  600_000,
)

/** Returns false if the work ended before this many packets. */
async function isCutOff({ before, does, rest, leaves }: Work, packets: number): Promise<boolean> {
  mei = await forum.member()
  const refunds = desk.refunds.length
  const it = await before()
  const wire = await startProxy(forum.ownerUrl)
  const { app, reader } = addressesOf(forum.ownerUrl)
  const other = openDatabase(
    { app: viaProxy(wire, app), reader: viaProxy(wire, reader) },
    { features, size: 2, minSize: 0, onLost: () => undefined },
  )
  const heldAnswer = wire.holdAnswer(packets).then(() => true)
  const completion = does(other, it).then(
    () => false,
    () => false,
  )
  const isHeld = await Promise.race([heldAnswer, completion])
  wire.close()
  await completion
  await other.close()
  await expect.poll(isIdle).toBe(true)
  await rest(it)
  expect([packets, await has()]).toEqual([packets, leaves])
  expect(desk.refunds.length - refunds).toBeLessThanOrEqual(1)
  return isHeld
}

// Whether all transactions of the interrupted server have ended.
async function isIdle(): Promise<boolean> {
  const { rows } = await sql<{ busy: string }>`select count(*) as busy from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`.execute(forum.database.app)
  return rows[0]?.busy === '0'
}

test('two servers that work off the inbox, questions and refunds at once do each once', async () => {
  const other = openDatabase(addressesOf(forum.ownerUrl), { features, onLost: () => undefined })
  const both = (work: (database: Database) => Promise<void>) => Promise.all([forum.database, other, forum.database, other].map(work))
  for (let round = 0; round < 10; round++) {
    const refunds = desk.refunds.length
    mei = await forum.member()
    await refunding()
    desk.pay(desk.sessionOf(await begun()))
    const [earlier, later] = [event(await begun()), event(await begun())]
    await tell(forum.database, earlier)
    await letAsk()
    await Promise.all([both(processInbox), both(queryDue), both(refundDue), tell(other, later)])
    await both(processInbox)
    expect([await has(), desk.refunds.length - refunds]).toEqual(['45.00', 1])
  }
  await other.close()
  expect(await breachesIn(forum.database, bookChecks, null)).toEqual([])
})
