import { sql } from 'kysely'
import type { Check } from '#wallet/server/wallet.ts'

/** Amounts are held for questions while their bounties are open, and answers got exactly the amounts that were paid for them. */
export const bookChecks: readonly Check[] = [
  {
    name: 'a bounty that is open is held in full, and of one that is closed nothing is',
    over: 'ledger.hold',
    breaches: (among) => sql`
      select 'hold ' || hold.id || ', question ' || bounty.topic_id as what from ledger.hold
      join bounty on hold.id = points_hold or hold.id = cents_hold
      where ${among('hold.id')} and (hold.state = 'open') is distinct from
        (bounty.state = 'open' and hold.amount = case when hold.id = points_hold then points else cents end)
      union all
      select 'hold ' || hold.id || ', of no question' from ledger.hold
      where ${among('hold.id')} and hold.state = 'open' and kind in ('bounty', 'bountyChanged') and source like 'topic:%'
        and not exists (select from bounty where hold.id in (points_hold, cents_hold))`,
  },
  {
    name: 'what a bounty paid is what its answers got',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its
      join ledger.hold on hold.resolved_by = its.id
      where ${among('its.id')} and its.kind in ('bountyPaid', 'bountyHalved') and its.source like 'topic:%'
        and coalesce((select sum(amount) from bounty_share where transaction_id = its.id), 0) <> case
          when exists (select from ledger.transaction as back where back.reverses = its.id) then 0
          else case its.kind when 'bountyHalved' then hold.amount / 2 else hold.amount end - coalesce((
            select sum(entry.amount) from ledger.entry join ledger.account on account.id = account_id
            where transaction_id = its.id and name = 'platform'), 0) end`,
  },
  {
    name: 'a bounty that was given back went to whoever offered it',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its left join ledger.hold on hold.resolved_by = its.id
      join ledger.entry on entry.transaction_id = its.id join ledger.account on account.id = account_id and name = 'member'
      where ${among('its.id')} and its.kind = 'bountyReturned'
        and (hold.id is null or ledger.is_same_member(account.owner_id, hold.owner_id) is not true)`,
  },
  {
    name: 'a bounty is taken from one member',
    over: 'ledger.hold',
    breaches: (among) => sql`
      select 'hold ' || hold.id as what from ledger.hold
      where ${among('hold.id')} and hold.kind = 'bounty' and not exists (
        select from ledger.entry join ledger.account on account.id = account_id
        where transaction_id = opened_by and name = 'member' and account.owner_id = hold.owner_id and entry.amount = -hold.amount)`,
  },
]
