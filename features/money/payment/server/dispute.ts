import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import * as notification from '#notification/server/notification.ts'
import type { EventFacts } from '#payment/server/inbox.ts'
import { currentAccount } from '#payment/server/refund.ts'
import { yuan } from '#payment/server/yuan.ts'
import { toMinor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

type Order = { id: string; member_id: string; provider: string }

/**
 * Records a dispute: the disputed amount leaves the balance, which may go below zero, and returns if the dispute is won. The caller holds
 * the order's lock. Idempotent for repeated and reordered events.
 */
export async function settleDispute(tx: Db, { id, member_id, provider }: Order, facts: EventFacts): Promise<void> {
  const { providerNumber, cents, reason = '', state } = facts
  if (!providerNumber || !cents || !state) throw new Error('A dispute without its number, its amount or its state')
  const source = `dispute:${provider}:${providerNumber}`
  const leg = { account: 'clearing', label: provider, currency: 'cny', amount: toMinor(cents), source, by: { kind: 'forum' } } as const
  const existing = await tx
    .selectFrom('payment_dispute')
    .select(['id', 'state', 'transaction_id'])
    .where('provider', '=', provider)
    .where('provider_number', '=', providerNumber)
    .executeTakeFirst()
  if (existing) return endDispute(tx, existing, { state, leg, memberId: member_id })
  const taken =
    state === 'won' ? null : await wallet.debit(tx, { ...leg, from: await currentAccount(tx, member_id), kind: 'chargeback', owes: true })
  const ended = state === 'open' ? null : sql<Date>`clock_timestamp()`
  const row = { provider, provider_number: providerNumber, order_id: id, cents, reason, state }
  await tx
    .insertInto('payment_dispute')
    .values({ ...row, ended_at: ended, transaction_id: taken?.id ?? null })
    .execute()
  if (taken) await notifyMember(tx, member_id, `-${yuan(cents)}`)
}

type DisputeRow = { id: string; state: string; transaction_id: string | null }
type Leg = Pick<Parameters<typeof wallet.credit>[1], 'account' | 'label' | 'currency' | 'amount' | 'source' | 'by'>
type EndParams = { state: 'open' | 'won' | 'lost'; leg: Leg; memberId: string }

/** A lost dispute may be won on appeal; a won one stays won. */
async function endDispute(tx: Db, existing: DisputeRow, { state, leg, memberId }: EndParams): Promise<void> {
  if (existing.state === 'open' ? state === 'open' : existing.state !== 'lost' || state !== 'won') return
  const isBack = state === 'won' && existing.transaction_id !== null
  const back = isBack ? await wallet.credit(tx, { ...leg, to: await currentAccount(tx, memberId), kind: 'chargebackWon' }) : null
  await tx
    .updateTable('payment_dispute')
    .set({ state, ended_at: sql`clock_timestamp()`, undone_by: back?.id ?? null })
    .where('id', '=', existing.id)
    .execute()
  if (back) await notifyMember(tx, memberId, yuan(leg.amount))
}

async function notifyMember(tx: Db, memberId: string, amount: string): Promise<void> {
  await notification.notify(tx, await currentAccount(tx, memberId), { kind: 'paymentDisputed', currency: 'cny', amount })
}

/** Whether disputes would exceed the paid amount of an order. */
export async function exceedsPayment(tx: Db, orderId: string, { providerNumber = '', cents = '0', state }: EventFacts): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select ${state !== 'won'} and cents < ${cents}::bigint + (
      select coalesce(sum(disputed.cents), 0) from payment_dispute as disputed
      where order_id = paid.id and disputed.state <> 'won' and disputed.provider_number <> ${providerNumber}) as is
    from payment_order as paid where id = ${orderId}`.execute(tx)
  return rows[0]?.is ?? false
}
