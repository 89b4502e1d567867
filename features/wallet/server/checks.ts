import { sql } from 'kysely'
import type { Check } from '#wallet/server/books.ts'

/** What is true of the ledger at every moment. */
export const checks: readonly Check[] = [
  {
    name: 'transactions sum to zero, and have two sides',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its left join ledger.entry on transaction_id = its.id
      where ${among('its.id')} group by its.id, currency having coalesce(sum(amount), 1) <> 0 or count(*) < 2`,
  },
  {
    name: 'entries are in the currency of their account',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || transaction_id || ', account ' || account_id as what
      from ledger.entry left join ledger.account on account.id = account_id
      where ${among('transaction_id')} and (account.currency is distinct from entry.currency or (balance is null) <> (balance_after is null))`,
  },
  {
    name: 'balances go on from one another',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.transaction_id || ', account ' || its.account_id as what from ledger.entry as its
      left join lateral (
        select balance_after from ledger.entry where account_id = its.account_id and transaction_id < its.transaction_id
        order by transaction_id desc limit 1) as before on true
      where ${among('its.transaction_id')} and its.balance_after is not null
        and its.balance_after <> coalesce(before.balance_after, 0) + its.amount`,
  },
  {
    name: 'an account has what its last entry says, and is not on the wrong side of zero',
    over: 'ledger.account',
    breaches: (among) => sql`
      select 'account ' || its.id as what from ledger.account as its
      left join lateral (select balance_after from ledger.entry where account_id = its.id order by transaction_id desc limit 1) as last on true
      where ${among('its.id')} and balance is not null
        and (balance <> coalesce(last.balance_after, 0) or name <> 'member' and balance < 0)`,
  },
  {
    name: 'accounts are somebody’s',
    over: 'ledger.account',
    breaches: (among) => sql`
      select 'account ' || its.id as what from ledger.account as its where ${among('its.id')}
        and (name = 'member' and not exists (select from member where member.id = its.owner_id)
          or name = 'escrow' and not exists (select from ledger.hold where hold.id = its.owner_id and hold.currency = its.currency))`,
  },
  {
    name: 'what is held lies on its account while it is open, and nothing after',
    over: 'ledger.hold',
    breaches: (among) => sql`
      select 'hold ' || hold.id as what from ledger.hold
      left join ledger.account on name = 'escrow' and account.owner_id = hold.id and account.currency = hold.currency
      where ${among('hold.id')} and (balance is null or case state when 'open' then balance not between 1 and amount else balance <> 0 end)`,
  },
  {
    name: 'a reversal is the opposite of what it reverses',
    over: 'ledger.transaction',
    breaches: (among) => sql`
      select 'transaction ' || its.id as what from ledger.transaction as its
      join lateral (
        select account_id, sum(amount) as amount from ledger.entry join ledger.account on account.id = account_id
        where transaction_id in (its.id, its.reverses) and account.owner_id is null group by account_id) as side on side.amount <> 0
      where its.reverses is not null and ${among('its.id')}`,
  },
  {
    name: 'points earned are those that the forum gave, less those it took back',
    over: 'member',
    breaches: (among) => sql`
      select 'member ' || member.id as what from member
      left join lateral (
        select sum(amount) as amount from ledger.account join ledger.entry on account_id = account.id
        where account.owner_id = member.id and name = 'member' and account.currency = 'points'
          and exists (select from ledger.account as giving join ledger.entry as given on given.account_id = giving.id
            where giving.name in ('promotion', 'adjustment') and giving.currency = 'points' and given.transaction_id = entry.transaction_id)
      ) as earned on true
      where ${among('member.id')} and points_earned <> coalesce(earned.amount, 0)`,
  },
  {
    name: 'rewards are what the books say of them',
    over: 'member',
    breaches: (among) => sql`
      select 'member ' || member.id as what from member
      left join lateral (select sum(points) as points from reward where member_id = member.id and is_given) as given on true
      left join lateral (
        select sum(amount) as amount from ledger.account join ledger.entry on account_id = account.id
        join ledger.transaction as its on its.id = transaction_id
        where account.owner_id = member.id and name = 'member' and account.currency = 'points'
          and (its.kind in ('reward', 'rewardTaken') or its.kind = 'opening' and exists (
            select from ledger.entry as side join ledger.account as giving on giving.id = side.account_id and giving.name = 'promotion'
            where side.transaction_id = its.id))
      ) as noted on true
      where ${among('member.id')} and coalesce(given.points, 0) <> coalesce(noted.amount, 0)`,
  },
  {
    name: 'nothing of what guards the books is missing',
    over: 'ledger.account',
    breaches: () => sql`
      select tgrelid::regclass || '.' || tgname as what from pg_trigger where tgenabled <> 'O' and not tgisinternal
        and tgrelid in (select oid from pg_class where relnamespace = 'ledger'::regnamespace)
      union all
      select 'triggers' where (select count(*) from pg_trigger join pg_class on pg_class.oid = tgrelid
        where not tgisinternal and relnamespace = 'ledger'::regnamespace) < 8
      union all
      select 'rights on ' || oid::regclass from pg_class where relnamespace = 'ledger'::regnamespace and relkind = 'r'
        and has_table_privilege('teahouse_app', oid, 'insert, update, delete, truncate')`,
  },
]
