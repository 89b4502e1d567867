import { sql } from 'kysely'
import { neverReversed } from '#wallet/contract.ts'
import type { Check } from '#wallet/server/breaches.ts'

/** Checks that the rows which allowed a transaction still do. Features check their own kinds. */
export const checks: readonly Check[] = [
  {
    name: 'an adjustment was asked for by staff',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its
      where ${among('its.id')} and its.kind = 'adjustment' and not exists (
        select from money_request as request join ledger.entry on entry.transaction_id = its.id
            and entry.amount = case entry.currency when 'points' then request.points else request.cents end
          join ledger.account on account.id = account_id and name = 'member'
            and ledger.is_same_member(owner_id, member_id)
        where request.transaction_id = its.id and request.kind = 'adjustment' and state = 'done')`,
  },
  {
    // The function resolves merged accounts and is slow, so it runs only where the plain sums differ.
    name: 'a reversal is the opposite of what it reverses',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its
      where ${among('its.id')} and (its.reverses is not null or its.kind = 'reversal') and case when its.kind <> 'reversal' or its.reverses is null
        or exists (select from ledger.hold where opened_by = its.reverses)
        or exists (select from ledger.transaction as first where first.id = its.reverses and first.kind = any(${neverReversed}))
        or exists (
          select from ledger.entry join ledger.account on account.id = account_id left join ledger.hold on name = 'escrow' and hold.id = account.owner_id
          where transaction_id = any(array[its.id, its.reverses])
          group by entry.currency, coalesce(hold.owner_id, account.owner_id), case when account.owner_id is null then account_id end having sum(entry.amount) <> 0)
        then its.kind <> 'reversal' or ledger.allows_reversal(its) is not true else false end`,
  },
  {
    // The sum of rewards at that time is covered by `rewards are what the books say of them`.
    name: 'an opening is that of the member it names, and from before there were staff or of rewards',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its
      where ${among('its.id')} and its.kind = 'opening' and not (
        (its.at <= coalesce((select min(made_at) from staff) + interval '1 hour', its.at) or exists (
          select from ledger.entry join ledger.account on account.id = account_id where transaction_id = its.id and name = 'promotion'))
        and exists (
          select from ledger.entry join ledger.account on account.id = account_id
          where transaction_id = its.id and name = 'member' and its.source = 'member:' || owner_id || ':' || entry.currency))`,
  },
  {
    name: 'a merging moves what the two members of it have',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its
      join ledger.entry on entry.transaction_id = its.id join ledger.account on account.id = account_id and owner_id is not null
      left join member_merge as merging on merging.id::text = split_part(its.source, ':', 2) and owner_id in (from_id, into_id) and name = 'member'
      where ${among('its.id')} and its.kind = 'merging' and merging.id is null`,
  },
]
