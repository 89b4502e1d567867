import { sql } from 'kysely'
import type { Check } from '#wallet/server/wallet.ts'

/** A payment for a part opened it for the member who paid, and a part was opened only by a payment or a password. */
export const bookChecks: readonly Check[] = [
  {
    name: 'each payment for a hidden part opened it once',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its
      where ${among('its.id')} and its.kind = 'unlock' and (select count(*) from hidden.unlock as done where done.transaction_id = its.id) <> 1`,
  },
  {
    name: 'a part that was paid for was paid by the member it is open to, at what the ledger says',
    over: 'hidden.unlock',
    breaches: (among) => sql`
      select 'unlock ' || done.id as what from hidden.unlock as done
      where ${among('done.id')} and (done.lock <> 'password' or done.transaction_id is not null) and not exists (
        select from ledger.transaction as its join ledger.entry as minus on minus.transaction_id = its.id and minus.amount = -done.paid
          join ledger.account as buyer on buyer.id = minus.account_id and buyer.name = 'member'
            and buyer.currency = case done.lock when 'points' then 'points' else 'cny' end::ledger.currency
        where its.id = done.transaction_id and its.kind = 'unlock' and starts_with(its.source, 'part:' || done.part_id || ':' || buyer.owner_id || ':')
          and ledger.is_same_member(buyer.owner_id, done.member_id)
          and done.earned = (select coalesce(sum(plus.amount), 0) from ledger.entry as plus
            where plus.transaction_id = its.id and plus.amount > 0 and plus.balance_after is not null))`,
  },
  {
    name: 'a part that was opened by a password had one then',
    over: 'hidden.unlock',
    breaches: (among) => sql`
      select 'unlock ' || done.id as what from hidden.unlock as done
      where ${among('done.id')} and done.lock = 'password' and not exists (
        select from hidden.locked where locked.part_id = done.part_id and coalesce(locked.lock, 'password') = 'password'
          and done.at >= since and done.at < until)`,
  },
]
