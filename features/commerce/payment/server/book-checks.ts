import { sql } from 'kysely'
import type { Check } from '#wallet/server/wallet.ts'

/** Money came in for what a provider has told of, once and at the amount that it told, and went back by the rows that say so. */
export const bookChecks: readonly Check[] = [
  {
    name: 'what moves by a provider has its payment, refund or dispute',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its
      where ${among('its.id')} and case its.kind
        when 'topUp' then not exists (select from payment_order where transaction_id = its.id and state = 'paid')
        when 'topUpByHand' then not exists (select from payment_event where transaction_id = its.id and state = 'credited')
        when 'topUpRefund' then not exists (select from payment_refund where transaction_id = its.id)
        when 'topUpRefundFailed' then not exists (select from payment_refund where undone_by = its.id and state = 'failed')
        when 'chargeback' then not exists (select from payment_dispute where transaction_id = its.id)
        when 'chargebackWon' then not exists (select from payment_dispute where undone_by = its.id and state = 'won')
        else false end`,
  },
  {
    name: 'what staff credited is a payment that its provider told of and that was credited to nobody else',
    over: 'payment_event',
    breaches: (among) => sql`
      select 'event ' || event.id as what from payment_event as event
      where ${among('event.id')} and (transaction_id is not null or state = 'credited') and (state <> 'credited' or is_credited_event(event) is not true)`,
  },
  {
    name: 'a payment was credited to its member as its provider told, and no more of it went back than was paid',
    over: 'payment_order',
    breaches: (among) => sql`
      select 'payment ' || paid.number as what from payment_order as paid
      where ${among('paid.id')} and (state = 'paid' and is_credited_payment(paid) is not true or is_within_payment(paid.id) is not true)`,
  },
  {
    name: 'a refund was taken from the member of its payment, and came back where it failed',
    over: 'payment_refund',
    breaches: (among) => sql`
      select 'refund ' || back.number as what from payment_refund as back where ${among('back.id')} and is_debited_refund(back) is not true`,
  },
  {
    name: 'a dispute was taken from the member of its payment, and came back where it was won',
    over: 'payment_dispute',
    breaches: (among) => sql`
      select 'dispute ' || disputed.provider_number as what from payment_dispute as disputed
      where ${among('disputed.id')} and is_debited_dispute(disputed) is not true`,
  },
]
