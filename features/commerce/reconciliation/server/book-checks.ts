import { sql } from 'kysely'
import type { Check } from '#wallet/server/wallet.ts'

/** The fees of providers are those of their statements, and what a provider has of the site is what statements and payments say. */
export const bookChecks: readonly Check[] = [
  {
    name: 'the fee of a provider has its statement',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its
      where ${among('its.id')} and its.kind = 'paymentFee' and not exists (select from payment_statement where transaction_id = its.id)`,
  },
  {
    name: 'the fees of a statement are those of its lines, and were booked',
    over: 'payment_statement',
    breaches: (among) => sql`
      select 'statement ' || told.provider || ' ' || told.day as what from payment_statement as told
      where ${among('told.id')} and is_booked_statement(told) is not true`,
  },
  {
    name: 'what a provider has of the site is what it was paid, less what went back and its fees',
    over: 'database',
    isFullOnly: true,
    breaches: () => sql`
      select 'clearing ' || provider as what from (
        select label as provider, amount from ledger.account join ledger.entry on account_id = account.id where name = 'clearing' and account.currency = 'cny'
        union all select provider, cents from payment_order where state = 'paid'
        union all select provider, -cents from payment_refund where order_id is not null and state <> 'failed'
        union all select provider, -cents from payment_dispute where state <> 'won'
        union all select provider, -fee_cents from payment_statement
      ) as side group by provider having sum(amount) <> 0`,
  },
]
