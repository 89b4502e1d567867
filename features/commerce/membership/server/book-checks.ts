import { sql } from 'kysely'
import type { Check } from '#wallet/server/wallet.ts'

/** Each price that was paid bought one order and its time, each refund is of one order, and of each specification as many are sold as it says. */
export const bookChecks: readonly Check[] = [
  {
    name: 'each payment for a membership card has one order, and each refund one',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its
      where ${among('its.id')} and (
        its.kind = 'membership' and not exists (select from membership_order where transaction_id = its.id)
        or its.kind = 'membershipRefunded' and not exists (select from membership_refund where transaction_id = its.id))`,
  },
  {
    name: 'a membership card was paid by its buyer at its price, and lasts as long as it was bought for',
    over: 'membership_order',
    breaches: (among) => sql`
      select 'order ' || bought.id as what from membership_order as bought where ${among('bought.id')} and is_paid_order(bought) is not true`,
  },
  {
    name: 'a refund of a membership card went to its buyer, and is no more than was paid',
    over: 'membership_order',
    breaches: (among) => sql`
      select 'order ' || back.order_id as what from membership_refund as back where ${among('back.order_id')} and is_paid_refund(back) is not true`,
  },
  {
    name: 'as many are sold of a specification as orders say',
    over: 'membership_specification',
    breaches: (among) => sql`
      select 'specification ' || its.id as what from membership_specification as its
      where ${among('its.id')} and stock is not null and sold <> (
        select coalesce(sum(quantity), 0) from membership_order as bought
        where specification_id = its.id and not exists (select from membership_refund where order_id = bought.id))`,
  },
]
