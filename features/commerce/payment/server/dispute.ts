import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import * as notification from '#notification/server/notification.ts'
import { closeOthers, releaseEvents, type EventFacts } from '#payment/server/inbox.ts'
import { lockPaid, type Order } from '#payment/server/lock-payment.ts'
import { currentAccount } from '#payment/server/refund.ts'
import { answerByRefund } from '#payment/server/refund-request.ts'
import { yuan } from '#payment/server/yuan.ts'
import type { EventProblem } from '#payment/staff-views.ts'
import { toMinor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

/** Applies what a provider tells of a dispute, as soon as its payment is here. Returns the problem if it cannot. */
export async function applyDispute(tx: Db, { provider }: { provider: string }, facts: EventFacts): Promise<EventProblem | null> {
  const order = await lockPaid(tx, provider, facts)
  if (!order) return 'unknownOrder'
  if (order.provider !== provider) return 'otherProvider'
  const existing = await findDispute(tx, provider, facts.providerNumber)
  if (existing) return applyState(tx, order, existing, facts)
  if (!facts.state) return 'otherState'
  if (order.state !== 'paid') return 'notPaid'
  const cents = await disputedCents(tx, order, facts)
  if (typeof cents === 'string') return cents
  await settleDispute(tx, order, { ...facts, cents: String(cents) })
  return null
}

/**
 * The cents that leave the balance: what the provider took, and never more than is left of the payment. Unless it says what it took, the
 * disputed amount must be a part of the payment.
 */
async function disputedCents(tx: Db, order: Order, facts: EventFacts): Promise<bigint | EventProblem> {
  const { settledCents, cents = '0', currency, state } = facts
  const left = state === 'won' ? BigInt(order.cents) : await undisputedCents(tx, order.id)
  const taken = settledCents === undefined ? null : BigInt(settledCents)
  if (taken !== null && left > 0n) return taken < left ? taken : left
  if (currency !== 'CNY') return state === 'won' ? left : 'otherCurrency'
  if (BigInt(cents) <= left) return BigInt(cents)
  return state === 'won' ? left : 'otherAmount'
}

/** The paid amount of an order that no dispute has taken. */
export async function undisputedCents(tx: Db, orderId: string): Promise<bigint> {
  const { rows } = await sql<{ cents: string }>`
    select cents - (select coalesce(sum(its.cents), 0) from payment_dispute as its where order_id = paid.id and its.state <> 'won') as cents
    from payment_order as paid where id = ${orderId}`.execute(tx)
  return BigInt(rows[0]?.cents ?? 0)
}

type DisputeRow = { id: string; state: string; cents: string; transaction_id: string | null }

export function findDispute(tx: Db, provider: string, providerNumber: string | undefined): Promise<DisputeRow | undefined> {
  return tx
    .selectFrom('payment_dispute')
    .select(['id', 'state', 'cents', 'transaction_id'])
    .where('provider', '=', provider)
    .where('provider_number', '=', providerNumber ?? null)
    .executeTakeFirst()
}

type Booker = { by?: wallet.Actor; reason?: string }

/**
 * Records a dispute: its amount leaves the balance, which may go below zero, and returns if the dispute is won. The caller holds the
 * order's lock. Idempotent for repeated and reordered events.
 */
export async function settleDispute(
  tx: Db,
  order: Pick<Order, 'id' | 'member_id' | 'provider'>,
  facts: EventFacts,
  { by = { kind: 'forum' }, reason: note }: Booker = {},
): Promise<{ transactionId: string | null }> {
  const { provider, member_id } = order
  const { providerNumber, cents, reason = '', state } = facts
  if (!providerNumber || !cents || !state || state === 'done' || state === 'failed')
    throw new Error('A dispute without its number, its amount or its state')
  const existing = await findDispute(tx, provider, providerNumber)
  if (existing) {
    await applyState(tx, order, existing, facts)
    return { transactionId: null }
  }
  const leg = legOf(order, providerNumber, cents)
  const from = await currentAccount(tx, member_id)
  const taken = state === 'won' ? null : await wallet.debit(tx, { ...leg, by, reason: note, from, kind: 'chargeback', owes: true })
  const ended = state === 'open' ? null : sql<Date>`clock_timestamp()`
  const row = { provider, provider_number: providerNumber, order_id: order.id, cents, reason, state, ...pageOf(facts) }
  await tx
    .insertInto('payment_dispute')
    .values({ ...row, ended_at: ended, transaction_id: taken?.id ?? null })
    .execute()
  if (taken) await notifyMember(tx, member_id, `-${yuan(cents)}`)
  await answerByRefund(tx, order.id, { kind: 'forum' })
  await closeOthers(tx, provider, 'dispute', providerNumber)
  await releaseOthers(tx, order)
  return { transactionId: taken?.id ?? null }
}

function legOf({ provider }: Pick<Order, 'provider'>, providerNumber: string, cents: string) {
  const source = `dispute:${provider}:${providerNumber}`
  return { account: 'clearing', label: provider, currency: 'cny', amount: toMinor(cents), source, by: { kind: 'forum' } } as const
}

/** The deadline of our response, and the provider's page. */
function pageOf({ respondBy, link }: EventFacts) {
  return { respond_by: respondBy ?? null, link: link ?? null }
}

/** A lost dispute may be won on appeal; a won one stays won. A state that we do not know changes nothing. */
async function applyState(
  tx: Db,
  order: Pick<Order, 'id' | 'member_id' | 'provider'>,
  existing: DisputeRow,
  facts: EventFacts,
): Promise<null> {
  const { state, providerNumber = '' } = facts
  const change = tx.updateTable('payment_dispute').where('id', '=', existing.id)
  if (existing.state === 'open' && facts.respondBy) await change.set(pageOf(facts)).execute()
  if (state !== 'won' && state !== 'lost') return null
  if (existing.state !== 'open' && (existing.state !== 'lost' || state !== 'won')) return null
  const leg = legOf(order, providerNumber, existing.cents)
  const to = await currentAccount(tx, order.member_id)
  const isBack = state === 'won' && existing.transaction_id !== null
  const back = isBack ? await wallet.credit(tx, { ...leg, to, kind: 'chargebackWon' }) : null
  await change.set({ state, ended_at: sql`clock_timestamp()`, undone_by: back?.id ?? null }).execute()
  if (back) await notifyMember(tx, order.member_id, yuan(leg.amount))
  await releaseOthers(tx, order)
  return null
}

/** Other events of the payment may be booked now, or need no decision any more. */
async function releaseOthers(tx: Db, { id, provider }: Pick<Order, 'id' | 'provider'>): Promise<void> {
  const { number, provider_number: paymentNumber } = await tx
    .selectFrom('payment_order')
    .select(['number', 'provider_number'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await releaseEvents(tx, provider, { number, paymentNumber: paymentNumber ?? undefined })
}

async function notifyMember(tx: Db, memberId: string, amount: string): Promise<void> {
  await notification.notify(tx, await currentAccount(tx, memberId), { kind: 'paymentDisputed', currency: 'cny', amount })
}
