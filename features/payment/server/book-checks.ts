import { sql } from 'kysely'
import type { Check } from '#wallet/server/wallet.ts'

/** Money came in for what a provider has told of, once, and at the amount that it told. */
export const checks: readonly Check[] = [
  {
    name: 'each top-up is one payment that its provider has told of',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its
      where ${among('its.id')} and its.kind = 'topUp' and not exists (
        select from payment_order as paid where paid.transaction_id = its.id and paid.state = 'paid' and is_credited_payment(paid))`,
  },
]
