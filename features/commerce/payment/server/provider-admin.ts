import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { RunInSeparateTransaction, PrepareContext, ClientInfo, Staff } from '#base/server/http/route.ts'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { absoluteUrl } from '#base/server/http/site-address.ts'
import { providerNames, ProviderUnavailable, type ProviderName } from '#payment/contract.ts'
import { isSetUp, findProvider, enabledProviders } from '#payment/server/providers.ts'
import type { OrderLookup } from '#payment/server/providers/provider.ts'
import { queryOrder } from '#payment/server/query.ts'
import { keyTests, storeKeyTest, type KeyTest } from '#payment/server/provider-health.ts'
import type { providerStates, testProvider } from '#payment/event-contract.ts'
import type { askProvider } from '#payment/staff-contract.ts'

export async function states(db: Db): Promise<Output<typeof providerStates>> {
  const [on, setUp, known, { rows: lately }] = await Promise.all([
    enabledProviders(db),
    isSetUp(db),
    keyTests(db),
    sql<{ provider: string; begun: string; paid: string }>`
      select provider, count(*) as begun, count(*) filter (where state = 'paid') as paid from payment_order
      where created_at > now() - interval '24 hours' and method <> 'byHand' group by provider`.execute(db),
  ])
  const lastEvents = await Promise.all(providerNames.map((name) => lastNotification(db, name)))
  return {
    providers: providerNames.map((name, place) => {
      const { begun = 0, paid = 0 } = lately.find(({ provider }) => provider === name) ?? {}
      return {
        name,
        isOn: on.includes(name),
        isSetUp: setUp(name),
        begun: Number(begun),
        paid: Number(paid),
        lastEventAt: lastEvents[place]?.toISOString() ?? null,
        notifyUrl: absoluteUrl(`/hook/payment/${name}`),
        endings: known.get(name)?.endings ?? [],
      }
    }),
  }
}

/** The time of a provider's last notification; responses to our queries do not count. */
async function lastNotification(db: Db, name: ProviderName): Promise<Date | null> {
  const row = await db
    .selectFrom('payment_event')
    .select('received_at')
    .where('provider', '=', name)
    .where('event_id', 'not like', 'query:%')
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.received_at ?? null
}

/** Queries the provider about a payment, outside a transaction. The result goes into the inbox. */
export async function queryProvider({
  db,
  input,
  inSeparateTransaction,
}: PrepareContext<ParsedInput<typeof askProvider>, Staff>): Promise<OrderLookup['state']> {
  const order = await db
    .selectFrom('payment_order')
    .select(['number', 'provider', sql<boolean>`expires_at <= clock_timestamp()`.as('isOver')])
    .where('number', '=', input.number)
    .executeTakeFirst()
  if (!order) throw Missing()
  try {
    const state = await queryOrder(db, inSeparateTransaction, order)
    if (state === null) throw ProviderUnavailable()
    return state
  } catch (error) {
    throw error instanceof RequestFailed ? ProviderUnavailable() : error
  }
}

export async function recordQuery(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { number }: ParsedInput<typeof askProvider>,
  state: OrderLookup['state'],
): Promise<Output<typeof askProvider>> {
  await audit.note(tx, by.staff, client, { action: 'payment.ask', about: `payment ${number}`, after: { state } })
  return { state }
}

export async function testKeys({
  db,
  input,
  inSeparateTransaction,
}: PrepareContext<ParsedInput<typeof testProvider>, Staff>): Promise<KeyTest> {
  return runTest(db, inSeparateTransaction, input.provider)
}

export async function recordTest(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { provider }: ParsedInput<typeof testProvider>,
  { problem, detail, endings }: KeyTest,
): Promise<Output<typeof testProvider>> {
  await audit.note(tx, by.staff, client, { action: 'payment.test', about: `paymentProvider ${provider}`, after: { problem } })
  return { problem, detail, endings }
}

/** Tests a provider's keys and stores the result. */
export async function runTest(db: Db, inSeparateTransaction: RunInSeparateTransaction, name: ProviderName): Promise<KeyTest> {
  const result = await resultOf(db, name)
  await inSeparateTransaction((tx) => storeKeyTest(tx, name, result))
  return result
}

/** Tests the keys of every enabled provider that moves money, so that expiring certificates are noticed in time. */
export async function testActiveKeys(database: Database): Promise<void> {
  for (const name of await enabledProviders(database.app))
    if (name !== 'sandbox') await runTest(database.app, (action) => transact(database, action), name)
}

async function resultOf(db: Db, name: ProviderName): Promise<KeyTest> {
  try {
    const provider = await findProvider(db, name)
    if (!provider) return { problem: 'notSet', detail: null, endings: [] }
    const endings = await provider.testKeys()
    return { problem: null, detail: null, endings: endings.map((its) => ({ name: its.name, endsAt: its.endsAt.toISOString() })) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { problem: problemOf(error), detail: error.message.slice(0, maxDetail), endings: [] }
  }
}

const maxDetail = 500

// An unreadable key is reported by the provider module, or by Node with one of these codes; other errors come from the provider's server.
function problemOf(error: Error): 'wrongKey' | 'refused' | 'noAnswer' {
  if (error instanceof RequestFailed) return 'noAnswer'
  if (error.name === 'WrongKey') return 'wrongKey'
  const code = 'code' in error ? String(error.code) : ''
  return /^ERR_(OSSL|CRYPTO|INVALID_ARG)/.test(code) ? 'wrongKey' : 'refused'
}
