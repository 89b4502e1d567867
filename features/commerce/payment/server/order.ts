import { sql } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import { sqlDay, sqlStartOfDay } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database/database.ts'
import { datedNumber } from '#base/server/dated-number.ts'
import type { PrepareContext, ClientInfo, Member } from '#base/server/http/route.ts'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { absoluteUrl } from '#base/server/http/site-address.ts'
import * as contract from '#payment/contract.ts'
import { trackCall } from '#payment/server/provider-health.ts'
import { openOf, show } from '#payment/server/member-payments.ts'
import { isOffered, findProvider, enabledOptions } from '#payment/server/providers.ts'
import { TooSmall, type OrderRequest, type NextStep } from '#payment/server/providers/provider.ts'
import { scheduleQuery, closeOrder, orderHint } from '#payment/server/query.ts'
import * as realName from '#real-name/server/real-name.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { serializeAmount, BooksFrozen, toYuan } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

const openMinutes = 30
const maxOpen = 10

/** The methods and limits of a member's payment. */
export async function form(
  db: Db,
  member: Member,
  { isLocal }: ClientInfo,
  { isPhone, isInWeChat }: ParsedInput<typeof contract.paymentForm>,
): Promise<Output<typeof contract.paymentForm>> {
  const settings = await setting.all(db)
  if (!settings.allowCash) throw Missing()
  const [ways, limits, accounts, open, closed] = await Promise.all([
    enabledOptions(db, { isPhone, isInWeChat, isLocal }),
    limitsFor(db, member.id, settings),
    wallet.accountsOf(db, member.id),
    openOf(db, member),
    closedBy(db, member),
  ])
  return {
    ways,
    amounts: settings.topUpAmounts.filter((yuan) => limits.least <= BigInt(yuan) * 100n && BigInt(yuan) * 100n <= limits.most),
    least: serializeAmount('cny', limits.least),
    most: serializeAmount('cny', limits.most),
    leftToday: serializeAmount('cny', limits.leftToday),
    balance: serializeAmount('cny', accounts.cny.balance),
    isSandbox: ways.some(({ provider }) => provider === 'sandbox'),
    open,
    closedBy: limits.isTooYoung ? 'age' : (closed ?? (limits.leftToday < limits.least ? 'dailyLimit' : null)),
  }
}

async function closedBy(db: Db, { bans = [], isAwaitingApproval }: Member) {
  if (isAwaitingApproval) return 'approval'
  if (bans.some(({ from }) => from === 'money')) return 'ban'
  return (await wallet.isFrozen(db)) ? 'frozenBooks' : null
}

type StartedPayment = { number: string; start: NextStep }

/**
 * Begins a payment. The order is committed before the provider is called, so that any notification finds it; the call is outside a
 * transaction. A repetition of a request that failed continues its order: providers begin the payment of a number once.
 */
export async function begin({
  db,
  viewer,
  input,
  client,
  inSeparateTransaction,
  idempotencyKey,
}: PrepareContext<ParsedInput<typeof contract.topUp>, Member>): Promise<StartedPayment> {
  const provider = await findProvider(db, input.provider)
  if (!provider || (provider.name === 'sandbox' && !client.isLocal)) throw contract.MethodUnavailable()
  const order = await inSeparateTransaction((tx) => createOrder(tx, viewer, client, { ...input, idempotencyKey }))
  try {
    return { number: order.number, start: await trackCall(inSeparateTransaction, provider.name, () => provider.start(order)) }
  } catch (error) {
    await inSeparateTransaction((tx) => closeOrder(tx, order.number))
    if (error instanceof TooSmall) throw contract.TooSmallForProvider()
    throw error instanceof RequestFailed ? contract.ProviderUnavailable() : error
  }
}

/** Stores the payer's next step. */
export async function topUp(tx: Db, member: Member, { number, start }: StartedPayment): Promise<contract.PaymentView> {
  await tx
    .updateTable('payment_order')
    .set({ started: JSON.stringify(start) })
    .where('number', '=', number)
    .execute()
  return show(tx, member, number)
}

/** Closes the order at the provider, so that it cannot be paid any more. If it was paid already, its payment is queried immediately. */
export async function closeAtProvider({
  db,
  viewer,
  input,
  inSeparateTransaction,
}: PrepareContext<ParsedInput<typeof contract.cancelPayment>, Member>): Promise<void> {
  const { number } = input
  const { provider: name, state } = await show(db, viewer, number)
  if (state === 'paid') throw contract.PaidAlready()
  const provider = await findProvider(db, name)
  try {
    const placed = await orderHint(db, number)
    if (!provider || (await trackCall(inSeparateTransaction, provider.name, () => provider.close(number, placed)))) return
  } catch (error) {
    throw error instanceof RequestFailed ? contract.ProviderUnavailable() : error
  }
  await inSeparateTransaction((tx) => scheduleQuery(tx, number))
  throw contract.PaidAlready()
}

export async function cancel(tx: Db, { number }: ParsedInput<typeof contract.cancelPayment>): Promise<void> {
  if (!(await closeOrder(tx, number))) throw contract.NotOpen()
}

type TopUpRequest = ParsedInput<typeof contract.topUp> & Pick<PrepareContext<unknown, Member>, 'idempotencyKey'>

async function createOrder(tx: Db, member: Member, { ip }: ClientInfo, request: TopUpRequest): Promise<OrderRequest> {
  const { amount, provider, method, returnTo, idempotencyKey } = request
  const settings = await setting.mustBeOpen(tx, 'allowCash')
  if (await wallet.isFrozen(tx)) throw BooksFrozen()
  if (!(await isOffered(tx, { provider, method }))) throw contract.MethodUnavailable()
  await sql`/* with the commit */ select from member where id = ${member.id} for no key update`.execute(tx)
  const begun = await openOrderOf(tx, member, request)
  if (begun) return orderRequest({ number: begun.number, cents: amount, provider, method, expiresAt: begun.expires_at }, settings.title, ip)
  await refuseAboveLimits(tx, member.id, amount, settings)
  const number = datedNumber(new Date(), settings.timeZone)
  const { expires_at: expiresAt } = await tx
    .insertInto('payment_order')
    .values({
      number,
      member_id: member.id,
      provider,
      method,
      cents: String(amount),
      return_to: returnTo ?? null,
      request_key: idempotencyKey,
      expires_at: sql`clock_timestamp() + make_interval(mins => ${openMinutes})`,
      query_at: sql`clock_timestamp() + interval '1 minute'`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return orderRequest({ number, cents: amount, provider, method, expiresAt }, settings.title, ip)
}

/** The order that the same request began before it failed. */
function openOrderOf(tx: Db, member: Member, { amount, provider, method, idempotencyKey }: TopUpRequest) {
  return tx
    .selectFrom('payment_order')
    .select(['number', 'expires_at'])
    .where('member_id', '=', member.id)
    .where('request_key', '=', idempotencyKey)
    .where('state', '=', 'open')
    .where(sql<boolean>`expires_at > clock_timestamp()`)
    .where('cents', '=', String(amount))
    .where('provider', '=', provider)
    .where('method', '=', method)
    .executeTakeFirst()
}

/** The order as sent to its provider. */
export function orderRequest(
  { number, provider, ...its }: Pick<OrderRequest, 'number' | 'cents' | 'method' | 'expiresAt'> & { provider: contract.ProviderName },
  title: string,
  ip: string,
): OrderRequest {
  return {
    ...its,
    number,
    title,
    notifyUrl: absoluteUrl(`/hook/payment/${provider}`),
    returnUrl: absoluteUrl(`/paymentCompleted/${provider}/topUp/${number}`),
    ip,
  }
}

async function refuseAboveLimits(tx: Db, memberId: string, amount: bigint, settings: Settings): Promise<void> {
  const { least, most, leftToday, isMinor, isTooYoung } = await limitsFor(tx, memberId, settings)
  if (isTooYoung) throw contract.TooYoung()
  if (amount < least) throw contract.BelowMinimum({ least: toYuan(least) })
  if (amount > most) throw (isMinor ? contract.AboveMinorLimit : contract.AboveMaximum)({ most: toYuan(most) })
  if (amount > leftToday) throw contract.AboveDailyLimit({ left: toYuan(leftToday) })
  const { count } = await tx
    .selectFrom('payment_order')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('member_id', '=', memberId)
    .where('state', '=', 'open')
    .where(sql<boolean>`expires_at > clock_timestamp()`)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxOpen) throw contract.TooManyOpen()
}

/** A member's limits per payment and for today: open payments count, because they may still be paid. */
async function limitsFor(db: Db, memberId: string, settings: Settings) {
  const today = sqlStartOfDay(sqlDay(sql`now()`, settings.timeZone), settings.timeZone)
  const [caps, { sum }, { isNew }] = await Promise.all([
    realName.spendingCapsOf(db, memberId),
    db
      .selectFrom('payment_order')
      .select(sql<string>`coalesce(sum(cents), 0)`.as('sum'))
      .where('member_id', '=', memberId)
      .where('created_at', '>=', today)
      .where('method', '<>', 'byHand')
      .where((row) => row.or([row('state', '=', 'paid'), row.and([row('state', '=', 'open'), sql<boolean>`expires_at > now()`])]))
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('member')
      .select(sql<boolean>`joined_at > now() - interval '24 hours'`.as('isNew'))
      .where('id', '=', memberId)
      .executeTakeFirstOrThrow(),
  ])
  const { minTopUpCents, maxTopUpCents, maxTopUpCentsPerDay, maxTopUpCentsOnFirstDay } = settings
  const day = Math.min(maxTopUpCentsPerDay, isNew ? maxTopUpCentsOnFirstDay : maxTopUpCentsPerDay, caps?.dayCents ?? maxTopUpCentsPerDay)
  const left = BigInt(day) - BigInt(sum)
  const most = BigInt(Math.min(maxTopUpCents, caps?.onceCents ?? maxTopUpCents))
  return {
    least: BigInt(minTopUpCents),
    most,
    leftToday: left > 0n ? left : 0n,
    isMinor: caps !== null && caps.onceCents < maxTopUpCents,
    isTooYoung: caps?.onceCents === 0,
  }
}
