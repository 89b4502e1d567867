import { sql } from 'kysely'
import { anyOf, transact, type Database, type Db } from '#base/server/database/database.ts'
import { datedNumber } from '#base/server/dated-number.ts'
import { runSoon } from '#base/server/jobs/jobs.ts'
import { RequestFailed } from '#base/server/outbound/safe-fetch.ts'
import { absoluteUrl } from '#base/server/http/site-address.ts'
import * as notification from '#notification/server/notification.ts'
import type { ProviderName } from '#payment/contract.ts'
import { releaseEvents } from '#payment/server/inbox.ts'
import { trackCall } from '#payment/server/provider-health.ts'
import { findProvider } from '#payment/server/providers.ts'
import type { RefundStatus, RefundRequest } from '#payment/server/providers/provider.ts'
import { yuan } from '#payment/server/yuan.ts'
import * as setting from '#setting/server/setting.ts'
import { toMinor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

export const refundJob = { name: 'payment-refund' }

type Order = { id: string; number: string; memberId: string; provider: string }
type RefundInput = { cents: bigint; reason: string; owes: boolean; by: wallet.Actor }

/**
 * Debits a refund from the balance and requests it from the provider after the commit; a refused refund returns to the balance. The
 * caller holds the order's lock and has checked the refundable amount.
 */
export async function refundOrder(
  tx: Db,
  order: Order,
  { cents, reason, owes, by }: RefundInput,
): Promise<{ number: string; transactionId: string }> {
  const number = await newNumber(tx)
  const { id: transactionId } = await wallet.debit(tx, {
    from: await currentAccount(tx, order.memberId),
    account: 'clearing',
    label: order.provider,
    currency: 'cny',
    amount: toMinor(cents),
    kind: 'topUpRefund',
    source: `refund:${number}`,
    by,
    reason,
    owes,
  })
  await tx
    .insertInto('payment_refund')
    .values({ number, order_id: order.id, provider: order.provider, cents: String(cents), reason, transaction_id: transactionId })
    .execute()
  await runSoon(tx, refundJob)
  return { number, transactionId }
}

/** Requests the full refund of a payment that was never credited. */
export async function returnEvent(tx: Db, event: { id: string; provider: string; cents: bigint }, reason: string): Promise<string> {
  const number = await newNumber(tx)
  await tx
    .insertInto('payment_refund')
    .values({ number, event_id: event.id, provider: event.provider, cents: String(event.cents), reason })
    .execute()
  await runSoon(tx, refundJob)
  return number
}

type DueRefund = { id: string; number: string; provider: string; cents: string; reason: string; tries: number; paid: unknown }
type PaidRef = { number: string; providerNumber: string; cents: string }

/** Processes due refunds: requests new ones, and queries the others. */
export async function refundDue(database: Database): Promise<void> {
  const failed: unknown[] = []
  for (let due = await claimDue(database); due.length > 0; due = await claimDue(database))
    for (const refund of due) await requestRefund(database, refund).catch((error: unknown) => failed.push(error))
  // A failed refund is retried at its next time, and does not hold up the others.
  if (failed.length > 0) throw new AggregateError(failed, `Refunds that could not be asked for: ${failed.join('; ')}`)
}

// The next time is stored before the request, so that a crashed process retries, and two processes never request at once.
async function claimDue(database: Database): Promise<DueRefund[]> {
  return transact(database, async (tx) => {
    const { rows } = await sql<DueRefund>`
      update payment_refund as its set tries = least(tries + 1, 1000), try_at = clock_timestamp() + make_interval(mins => least(tries * tries + 1, 60))
      from (select id from payment_refund where try_at <= clock_timestamp() order by try_at limit 50 for update skip locked) as due
      where its.id = due.id
      returning its.id, number, provider, cents, reason, tries, coalesce(
        (select json_build_object('number', coalesce(told.facts ->> 'number', paid.number), 'providerNumber', paid.provider_number, 'cents', paid.cents::text)
          from payment_order as paid left join payment_event as told on told.id = paid.event_id where paid.id = its.order_id),
        (select json_build_object('number', facts ->> 'number', 'providerNumber', facts ->> 'providerNumber', 'cents', facts ->> 'cents')
          from payment_event as event where event.id = its.event_id)) as paid`.execute(tx)
    return rows
  })
}

async function requestRefund(database: Database, due: DueRefund): Promise<void> {
  const provider = await findProvider(database.app, due.provider)
  if (!provider) return
  const request = refundRequest(due)
  try {
    const status = await trackCall(
      (action) => transact(database, action),
      provider.name,
      async () => {
        const known = due.tries > 1 ? await provider.queryRefund(request) : { state: 'unknown' as const }
        return known.state === 'unknown' ? provider.refund(request) : known
      },
    )
    await transact(database, (tx) => recordResult(tx, due.number, status))
  } catch (error) {
    // The request is retried at its next time.
    if (!(error instanceof RequestFailed)) throw error
  }
}

function refundRequest({ number, provider, cents, reason, paid }: DueRefund): RefundRequest {
  const paidRef = paid as PaidRef
  return {
    number,
    cents: BigInt(cents),
    paid: { ...paidRef, cents: BigInt(paidRef.cents) },
    reason,
    notifyUrl: absoluteUrl(`/hook/payment/${provider}`),
  }
}

/** Schedules a refund of ours immediately after an event of its provider; a completed one is queried again if it has failed since. */
export async function scheduleRefund(tx: Db, provider: ProviderName, number: string, hasFailed = false): Promise<void> {
  await tx
    .updateTable('payment_refund')
    .set({ state: 'asked', ended_at: null, try_at: sql`clock_timestamp()`, tries: sql`greatest(tries, 1)` })
    .where('number', '=', number)
    .where('provider', '=', provider)
    .where('reported_by', 'is', null)
    .where('state', '=', anyOf(hasFailed ? ['asked', 'done'] : ['asked']))
    .execute()
  await runSoon(tx, refundJob)
}

/** Records the result of a refund, once. The amount of a failed one returns to the balance. */
async function recordResult(tx: Db, number: string, status: RefundStatus): Promise<void> {
  if (status.state !== 'done' && status.state !== 'failed') return
  const row = await tx
    .selectFrom('payment_refund')
    .leftJoin('payment_order', 'payment_order.id', 'order_id')
    .select(['payment_refund.id', 'payment_refund.cents', 'payment_refund.provider', 'payment_refund.transaction_id', 'reason'])
    .select(['member_id', 'payment_order.number as paidNumber', 'payment_order.provider_number as paymentNumber'])
    .where('payment_refund.number', '=', number)
    .where('payment_refund.state', '=', 'asked')
    .forUpdate('payment_refund')
    .executeTakeFirst()
  if (!row) return
  const ended = { ended_at: sql<Date>`clock_timestamp()`, try_at: null }
  const paidRef = tx.updateTable('payment_refund').where('id', '=', row.id)
  if (status.state === 'done') {
    if (status.cents !== BigInt(row.cents)) throw new Error(`Refund ${number} came to ${status.cents} in place of ${row.cents} cents`)
    await paidRef.set({ ...ended, state: 'done', provider_number: status.providerNumber, returned_at: status.returnedAt }).execute()
    await notifyRefunded(tx, row, 'done')
    await releaseEvents(tx, row.provider, { number: row.paidNumber, paymentNumber: row.paymentNumber ?? undefined })
    return
  }
  const reversalId = row.transaction_id === null || row.member_id === null ? null : await creditBack(tx, number, row.member_id, row)
  await paidRef.set({ ...ended, state: 'failed', problem: status.problem, undone_by: reversalId }).execute()
  await notifyRefunded(tx, row, 'failed')
  // More of the payment is left for what the provider told of it.
  await releaseEvents(tx, row.provider, { number: row.paidNumber, paymentNumber: row.paymentNumber ?? undefined })
}

/** A payment that was never credited has no member to notify. */
export async function notifyRefunded(tx: Db, { member_id, cents, reason }: RefundRow, outcome: 'done' | 'failed'): Promise<void> {
  if (member_id === null) return
  const memberId = await currentAccount(tx, member_id)
  await notification.notify(tx, memberId, { kind: 'paymentRefunded', outcome, currency: 'cny', amount: yuan(cents), reason })
}

type RefundRow = { member_id: string | null; cents: string; reason: string }

/** Returns the amount of a failed refund to the balance. */
export async function creditBack(
  tx: Db,
  number: string,
  memberId: string,
  { cents, provider }: { cents: string; provider: string },
): Promise<string> {
  const { id } = await wallet.credit(tx, {
    to: await currentAccount(tx, memberId),
    account: 'clearing',
    label: provider,
    currency: 'cny',
    amount: toMinor(cents),
    kind: 'topUpRefundFailed',
    source: `refund:${number}`,
    by: { kind: 'forum' },
  })
  return id
}

/** A number for a refund. */
export async function newNumber(tx: Db): Promise<string> {
  return datedNumber(new Date(), (await setting.current(tx, 'timeZone')).timeZone)
}

/** A member's current account, after merges. */
export async function currentAccount(tx: Db, memberId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select ledger.current_member(${memberId}) as id`.execute(tx)
  return rows[0]?.id ?? memberId
}
