import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { addDays, startOfDay } from '#base/server/calendar.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Person } from '#base/staff-list.ts'
import type { disputeList, eventList, paymentStates, paymentTotals, refundTotals } from '#payment/staff-contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

/** The condition of each list's filter; each term has an index. */
export type Condition = RawBuilder<unknown>

type PaymentState = (typeof paymentStates)[number]

/** The current account of a payer, after merges, as JSON; null where the payment is unknown. */
export const payer = sql<Person>`case when payer.id is not null then json_build_object('id', payer.id::text, 'name', coalesce(payer.nickname, payer.account)) end`

export const isDisputed = sql`exists (select from payment_dispute where order_id = paid.id and state <> 'won')`
export const isRefunded = sql`exists (select from payment_refund where order_id = paid.id and state <> 'failed')`

/** The state of an order, including refunds and disputes. */
export const stateOf = sql`case when paid.state <> 'paid' then paid.state when ${isDisputed} then 'disputed' when ${isRefunded} then 'refunded' else 'paid' end`

const stateCondition: Record<PaymentState, Condition> = {
  open: sql`paid.state = 'open'`,
  closed: sql`paid.state = 'closed'`,
  paid: sql`paid.state = 'paid' and not ${isDisputed} and not ${isRefunded}`,
  refunded: sql`paid.id in (select order_id from payment_refund where state <> 'failed') and not ${isDisputed}`,
  disputed: sql`paid.id in (select order_id from payment_dispute where state <> 'won')`,
}

export async function payments(db: Db, input: z.output<(typeof paymentTotals)['input']>): Promise<Condition> {
  const { number, providerNumber, member, provider, state } = input
  return allOf([
    number && beginsWith(sql`paid.number`, number),
    providerNumber && sql`paid.provider_number = ${providerNumber}`,
    member && sql`paid.member_id in (${user.withMergedIds(member)})`,
    provider && sql`paid.provider = ${provider}`,
    state && stateCondition[state],
    ...(await inPeriod(db, sql`paid.created_at`, input)),
  ])
}

/** By the number of the refund, or of its payment. */
export async function refunds(db: Db, input: z.output<(typeof refundTotals)['input']>): Promise<Condition> {
  const { number, member, provider, state } = input
  return allOf([
    number &&
      sql`back.id in (select id from payment_refund where ${beginsWith(sql`number`, number)}
        union select its.id from payment_refund as its join payment_order as paid on paid.id = order_id where ${beginsWith(sql`paid.number`, number)})`,
    member && sql`back.order_id in (${ordersOf(member)})`,
    provider && sql`back.provider = ${provider}`,
    state && sql`back.state = ${state}`,
    ...(await inPeriod(db, sql`back.asked_at`, input)),
  ])
}

export function disputes({
  state,
  provider,
  member,
}: Pick<z.output<(typeof disputeList)['input']>, 'state' | 'provider' | 'member'>): Condition {
  return allOf([
    state && sql`disputed.state = ${state}`,
    provider && sql`disputed.provider = ${provider}`,
    member && sql`disputed.order_id in (${ordersOf(member)})`,
  ])
}

type EventFilter = Pick<z.output<(typeof eventList)['input']>, 'state' | 'kind' | 'problem' | 'provider' | 'number'>

export function events({ state, kind, problem, provider, number }: EventFilter): Condition {
  return allOf([
    state && sql`event.state = ${state}`,
    kind && sql`event.kind = ${kind}`,
    problem && sql`event.problem = ${problem}`,
    provider && sql`event.provider = ${provider}`,
    number && orderNumberBegins(number),
  ])
}

/** Events whose order number begins with these digits, whether or not the number is ours. */
function orderNumberBegins(number: string): Condition {
  const named = sql`(event.facts ->> 'number') collate "C"`
  return sql`${named} >= ${number} and ${named} < ${`${number}\u{10ffff}`}`
}

/** Events of one order: those that name it, and refunds and disputes of its payment. */
export function eventsOf(number: string): Condition {
  return sql`event.id in (
    select id from payment_event where (facts ->> 'number') collate "C" = ${number}
    union all select told.id from payment_order as its join payment_event as told on told.provider = its.provider
      and told.facts ->> 'paymentNumber' = its.provider_number and told.kind in ('refund', 'dispute') where its.number = ${number})`
}

/** Rows with these ids, in their order. */
export function withIds(column: Condition, ids: readonly string[]): Condition {
  return sql`${column} = ${anyOf(ids)} order by array_position(${ids}::bigint[], ${column})`
}

function beginsWith(column: Condition, digits: string): Condition {
  return sql`${column} between ${digits.padEnd(20, '0')} and ${digits.padEnd(20, '9')}`
}

function ordersOf(memberId: string): Condition {
  return sql`select id from payment_order where member_id in (${user.withMergedIds(memberId)})`
}

async function inPeriod(
  db: Db,
  at: Condition,
  { from, until }: { from?: string | undefined; until?: string | undefined },
): Promise<Condition[]> {
  const { timeZone } = await setting.current(db, 'timeZone')
  return [
    ...(from ? [sql`${at} >= ${startOfDay(from, timeZone)}`] : []),
    ...(until ? [sql`${at} < ${startOfDay(addDays(until, 1), timeZone)}`] : []),
  ]
}

function allOf(terms: readonly (Condition | '' | undefined)[]): Condition {
  return sql.join([sql`true`, ...terms.filter((term) => term !== undefined && term !== '')], sql` and `)
}
