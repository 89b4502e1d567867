import { z } from 'zod'
import type { Dispute, ProviderEvent } from '#payment/server/providers/provider.ts'
import type { Client } from '#payment/server/providers/stripe-client.ts'
import { ObjectId, orderNumberOf } from '#payment/server/providers/stripe-metadata.ts'

const Move = z.object({ amount: z.int(), currency: z.string() })
type Move = z.infer<typeof Move>

export const DisputeObject = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  reason: z.string(),
  payment_intent: ObjectId.nullish(),
  /** The amounts that left our account and came back. */
  balance_transactions: z.array(Move).default([]).catch([]),
  evidence_details: z.object({ due_by: z.int().nullish() }).nullish().catch(null),
  livemode: z.boolean().optional(),
})
type DisputeObject = z.infer<typeof DisputeObject>

/** A lost dispute may be won on appeal. */
const states: Record<string, Dispute['state']> = {
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  won: 'won',
  lost: 'lost',
}

/**
 * The amount of a dispute may differ from its payment's, and be in the card's currency: what counts is what left our account. A dispute
 * that moved nothing and is over, or only an inquiry, is none for us.
 */
export async function disputeEvent(api: Client, eventId: string, dispute: DisputeObject): Promise<ProviderEvent> {
  const { id: providerNumber, amount, currency, status, reason } = dispute
  const paymentNumber = dispute.payment_intent ?? null
  const number = await orderNumberOf(api, paymentNumber)
  const state = stateOf(dispute)
  if (number === null || state === 'none') return { eventId, kind: 'other', number }
  const dueBy = dispute.evidence_details?.due_by
  return {
    eventId,
    kind: 'dispute',
    dispute: {
      providerNumber,
      number,
      paymentNumber,
      cents: BigInt(amount),
      currency: currency.toUpperCase(),
      settledCents: await settledCents(api, dispute),
      reason,
      status,
      state,
      respondBy: dueBy ? new Date(dueBy * 1000) : null,
      link: `https://dashboard.stripe.com${dispute.livemode === false ? '/test' : ''}/disputes/${providerNumber}`,
    },
  }
}

/** A status that is unknown, or may stand for both, is read off the money: null if that says nothing. */
function stateOf({ status, balance_transactions: moves }: DisputeObject): Dispute['state'] | 'none' {
  const known = states[status]
  if (known) return known
  const isOver = status === 'prevented'
  if (moves.length === 0) return isOver || status.startsWith('warning_') ? 'none' : null
  if (moves.reduce((sum, { amount }) => sum + amount, 0) >= 0) return 'won'
  return isOver ? 'lost' : 'open'
}

const Settled = z.object({
  latest_charge: z.object({ amount: z.int(), currency: z.string(), balance_transaction: Move.nullable() }).nullish(),
})

/**
 * The cents that the dispute took from our account; null if nothing did, or they were never in yuan. An account in another currency
 * shows which part of the payment they are.
 */
export async function settledCents(
  { request }: Client,
  { payment_intent: intent, balance_transactions: moves }: Pick<DisputeObject, 'payment_intent' | 'balance_transactions'>,
): Promise<bigint | null> {
  const taken = moves.filter(({ amount }) => amount < 0)
  const [first] = taken
  if (!first || !intent || taken.some(({ currency }) => currency !== first.currency)) return null
  const sum = taken.reduce((all, { amount }) => all - amount, 0)
  if (first.currency === 'cny') return BigInt(sum)
  const { latest_charge: charge } = await request(
    (sdk) => sdk.paymentIntents.retrieve(intent, { expand: ['latest_charge.balance_transaction'] }),
    Settled,
  )
  const received = charge?.balance_transaction
  if (!charge || charge.currency !== 'cny' || received?.currency !== first.currency || received.amount <= 0) return null
  return BigInt(Math.round((charge.amount * sum) / received.amount))
}
