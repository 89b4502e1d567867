import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { EventFacts } from '#payment/server/inbox.ts'

/** A payment as money comes in or goes back by it. */
export type Order = {
  id: string
  number: string
  member_id: string
  provider: string
  cents: string
  state: string
  provider_number: string | null
  isGone: boolean
}

/**
 * Serializes all events of one payment of a provider: what comes first of a payment and of its refund or dispute is seen by the other,
 * though there may be no row of it yet to be locked.
 */
export async function lockProviderPayment(tx: Db, provider: string, paymentNumber: string | null | undefined): Promise<void> {
  if (!paymentNumber) return
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payment ${provider} ${paymentNumber}`}, 0))`.execute(tx)
}

/** The order with our number, locked. */
export function lockOrder(tx: Db, number: string): Promise<Order | undefined> {
  return orders(tx).where('number', '=', number).forUpdate('payment_order').executeTakeFirst()
}

/**
 * The payment that a refund or a dispute is of, locked: by the provider's number, else by ours. An order that was paid by another payment
 * of the provider is not the one.
 */
export async function lockPaid(tx: Db, provider: string, { number, paymentNumber }: EventFacts): Promise<Order | null> {
  await lockProviderPayment(tx, provider, paymentNumber)
  const byTheirs = paymentNumber
    ? await orders(tx)
        .where('provider', '=', provider)
        .where('provider_number', '=', paymentNumber)
        .forUpdate('payment_order')
        .executeTakeFirst()
    : undefined
  const found = byTheirs ?? (number === null ? undefined : await lockOrder(tx, number))
  if (!found || (paymentNumber && found.provider_number !== null && found.provider_number !== paymentNumber)) return null
  return found
}

function orders(tx: Db) {
  return tx
    .selectFrom('payment_order')
    .innerJoin('member', 'member.id', 'member_id')
    .select(['payment_order.id', 'number', 'member_id', 'provider', 'cents', 'state', 'provider_number'])
    .select(sql<boolean>`deactivated_at is not null and merged_into is null`.as('isGone'))
}
