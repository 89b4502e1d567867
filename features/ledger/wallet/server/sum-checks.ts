import { sql } from 'kysely'
import type { Check } from '#wallet/server/breaches.ts'

const givers = sql`select id from ledger.account where name in ('promotion', 'adjustment') and owner_id is null and currency = 'points'`

// The end of the sums of months; later entries are not summed up yet.
const summed = sql`(select coalesce(max(upto), 0) from ledger.summed)`

/** Balances and points against the entries of their account, by the sums of months, which a full round recalculates. */
export const checks: readonly Check[] = [
  {
    name: 'an account has what its entries add up to and what the last of them says, and is not on the wrong side of zero',
    over: 'ledger.account',
    breaches: (among) => sql`
      select 'account ' || its.id as what from ledger.account as its
      left join lateral (
        select sum(incoming - outgoing) as amount, sum(earned) as earned, sum(given) as given from ledger.month_sum where account_id = its.id) as kept on true
      left join lateral (
        select sum(amount) as amount, sum(earned) as earned, sum(given) as given from ledger.entry
        where account_id = its.id and transaction_id > ${summed}) as new on true
      left join lateral (select balance_after from ledger.entry where account_id = its.id order by transaction_id desc limit 1) as last on true
      where ${among('its.id')} and balance is not null
        and ((balance, its.earned, its.given) is distinct from (coalesce(kept.amount, 0) + coalesce(new.amount, 0),
            coalesce(kept.earned, 0) + coalesce(new.earned, 0), coalesce(kept.given, 0) + coalesce(new.given, 0))
          or balance <> coalesce(last.balance_after, 0) or name <> 'member' and balance < 0)`,
  },
  {
    name: 'points earned are those that the forum gave, less those it took back',
    over: 'member',
    breaches: (among) => sql`
      select 'member ' || member.id as what from member
      left join ledger.account as its on its.owner_id = member.id and name = 'member' and currency = 'points' and label = ''
      left join lateral (select sum(from_site) as amount from ledger.month_sum where account_id = its.id) as kept on true
      left join lateral (
        select sum(amount) as amount from ledger.entry
        where account_id = its.id and transaction_id > ${summed}
          and exists (select from ledger.entry as side where side.transaction_id = entry.transaction_id and side.account_id = any(array(${givers})))
      ) as new on true
      where ${among('member.id')} and points_earned <> coalesce(kept.amount, 0) + coalesce(new.amount, 0)`,
  },
  {
    name: 'rewards are what the books say of them',
    over: 'member',
    isFullOnly: true,
    breaches: (among) => sql`
      select 'member ' || owner as what from (
        select member_id as owner, points as amount from reward where is_given and ${among('member_id')}
        union all
        select owner_id, -amount from ledger.account join ledger.entry on account_id = account.id
        where ${among('owner_id')} and name = 'member' and account.currency = 'points' and (kind in ('reward', 'rewardTaken') or kind = 'opening'
          and exists (select from ledger.entry as side join ledger.account as giving on giving.id = side.account_id and giving.name = 'promotion'
            where side.transaction_id = entry.transaction_id))
      ) as side group by owner having sum(amount) <> 0`,
  },
  {
    name: 'the sums of an account by month are those of its entries',
    over: 'ledger.account',
    isFullOnly: true,
    breaches: (among) => sql`
      select 'account ' || account_id || ', ' || month as what
      from (
        select month_sum.* from ledger.month_sum join ledger.account on account.id = account_id
        where ${among('account_id')} and account.balance is not null
      ) as kept full join (
        select account_id, date_trunc('month', its.at at time zone zone)::date as month, sum(amount) filter (where amount > 0) as incoming,
          -sum(amount) filter (where amount < 0) as outgoing, count(*) as entries, (array_agg(balance_after order by its.id desc))[1] as balance,
          sum(entry.earned) as earned, sum(entry.given) as given, sum(amount) filter (where entry.currency = 'points'
            and exists (select from ledger.entry as side where side.transaction_id = its.id and side.account_id = any(array(${givers})))) as from_site
        from ledger.summed, ledger.account join ledger.entry on account_id = account.id join ledger.transaction as its on its.id = transaction_id
        where ${among('account.id')} and account.balance is not null and transaction_id <= upto group by account_id, month
      ) as its using (account_id, month)
      where (kept.incoming, kept.outgoing, kept.entries, kept.balance, kept.earned, kept.given, kept.from_site) is distinct from
        (coalesce(its.incoming, 0), coalesce(its.outgoing, 0), its.entries, its.balance, its.earned, its.given, coalesce(its.from_site, 0))`,
  },
  {
    name: 'the sums of a month are zero over all accounts',
    over: 'database',
    isFullOnly: true,
    breaches: () => sql`
      select month || ' ' || currency as what from ledger.month_sum join ledger.account on account.id = account_id
      group by month, currency having sum(incoming - outgoing) <> 0`,
  },
]
