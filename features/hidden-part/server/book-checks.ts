import { sql } from 'kysely'
import type { Check } from '#wallet/server/wallet.ts'

/** Whoever paid for a part opened it, and whoever opened one for its price paid exactly that. */
export const checks: readonly Check[] = [
  {
    name: 'each payment for a hidden part opened it, at what was paid',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select its.id as what from ledger.transaction as its left join hidden.unlock as done on done.transaction_id = its.id
      where its.kind = 'unlock' and ${among('its.id')} and (done.id is null or done.paid <> (
        select sum(-amount) from ledger.entry where entry.transaction_id = its.id and amount < 0))`,
  },
]
