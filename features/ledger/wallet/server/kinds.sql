-- The kinds of transactions of the wallet itself, each with the function that finds the row which allows it. It is SQL because a
-- transaction without such a row must not be committed, whatever the program does. Features declare their own kinds in such files.

-- Declares a kind: the accounts that it may move, each with the direction, and the function that is called at commit.
create or replace function ledger.declare_kind(its_name text, its_legs text[], its_document regprocedure, its_may_owe boolean default false)
returns void language sql set search_path = pg_catalog, pg_temp as $$
  insert into ledger.kind (name, legs, may_owe, document) values (its_name, its_legs, its_may_owe, its_document::regproc::text)
  on conflict (name) do update set legs = excluded.legs, may_owe = excluded.may_owe, document = excluded.document
$$;

create or replace function ledger.require_document() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  document text := (select kind.document from ledger.kind where name = new.kind);
  is_allowed boolean := true;
begin
  if document is not null then
    execute format('select %s($1)', document) into is_allowed using new;
  end if;
  if is_allowed is not true then
    raise exception 'Nothing allows % %', new.kind, new.source using errcode = 'TL009';
  end if;
  return null;
end $$;
drop trigger if exists requires_document on ledger.transaction;
create constraint trigger requires_document after insert on ledger.transaction deferrable initially deferred
  for each row execute function ledger.require_document();

-- Entries with the owner of their account. The lateral lookup keeps a plan made for small tables from scanning all members.
create or replace view ledger.side as
  select entry.*, account.name, account.owner_id
  from ledger.entry, lateral (select name, owner_id from ledger.account where account.id = account_id offset 0) as account;
grant select on ledger.side to teahouse_app, teahouse_reader;

-- The members of a transaction, with the amounts on their accounts and holds, by their current account after merges.
create or replace function ledger.member_amounts(its_transaction bigint) returns table (member_id bigint, currency ledger.currency, amount bigint)
stable language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
begin
  return query select ledger.current_member(coalesce(hold.owner_id, side.owner_id)), side.currency, sum(side.amount)::bigint
    from ledger.side left join ledger.hold on side.name = 'escrow' and hold.id = side.owner_id
    where transaction_id = its_transaction and side.owner_id is not null group by 1, 2;
end $$;
grant execute on function ledger.member_amounts to teahouse_app, teahouse_reader;

-- The first entry of a member in a currency, once: from the sample data while the forum has no staff, or the sum of the rewards of
-- generated posts. Anything else that a member is given has a row.
create or replace function ledger.allows_opening(its ledger.transaction) returns boolean stable language plpgsql as $$
begin
  return exists (
    select from ledger.side
    where transaction_id = its.id and name = 'member' and its.source = 'member:' || owner_id || ':' || currency and balance_after = amount
      and not exists (select from ledger.entry as earlier where earlier.account_id = side.account_id and earlier.transaction_id < its.id)
      and (not exists (select from public.staff)
        or currency = 'points' and amount = (select sum(points) from public.reward where member_id = owner_id and is_given)));
end $$;
select ledger.declare_kind('opening', '{member+,promotion-,adjustment-}', 'ledger.allows_opening(ledger.transaction)');

-- The reward of a post, by the source of a transaction; a row of nulls if there is none.
create or replace function reward_by_source(source text) returns reward stable language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  parts text[] := string_to_array(source, ':');
  its reward;
begin
  if parts[3] = 'liked' then
    select * into its from reward where post_kind = parts[1]::post_kind and post_id = parts[2]::bigint and not is_adoption and liker_id = parts[4]::bigint;
  else
    select * into its from reward
      where post_kind = parts[1]::post_kind and post_id = parts[2]::bigint and is_adoption = (parts[3] = 'adopted') and liker_id is null;
  end if;
  return its;
end $$;

-- A reward has its row, or was given and taken again within one database transaction that moved the post to another member.
create or replace function ledger.allows_reward(its ledger.transaction) returns boolean stable language plpgsql as $$
declare
  reward public.reward := public.reward_by_source(its.source);
begin
  return exists (
    select from ledger.side
    where transaction_id = its.id and name = 'member' and (owner_id = reward.member_id and amount = reward.points
      or exists (select from ledger.transaction as taken join ledger.entry as minus on minus.transaction_id = taken.id
        where taken.kind = 'rewardTaken' and taken.source = its.source and minus.account_id = side.account_id and minus.amount = -side.amount)));
end $$;
select ledger.declare_kind('reward', '{member+,promotion-}', 'ledger.allows_reward(ledger.transaction)');

-- The amount taken was given to the same member by the same source; or it belongs to a reward older than the ledger, or to a like whose
-- member was merged, and the reward is this member's.
create or replace function ledger.allows_reward_taken(its ledger.transaction) returns boolean stable language plpgsql as $$
declare
  reward public.reward := public.reward_by_source(its.source);
begin
  return exists (
      select from ledger.transaction as given join ledger.entry as plus on plus.transaction_id = given.id
        join ledger.entry as minus on minus.transaction_id = its.id and minus.account_id = plus.account_id and minus.amount = -plus.amount
      where given.kind = 'reward' and given.source = its.source and plus.balance_after is not null)
    or (reward.liker_id is not null or its.source like '%:0') and exists (
      select from ledger.side
      where transaction_id = its.id and name = 'member' and owner_id = reward.member_id and amount = -reward.points);
end $$;
select ledger.declare_kind('rewardTaken', '{member-,promotion+}', 'ledger.allows_reward_taken(ledger.transaction)', its_may_owe => true);

-- The completed request of staff, for this member and amount.
create or replace function ledger.allows_adjustment(its ledger.transaction) returns boolean stable language plpgsql as $$
begin
  return exists (
    select from public.money_request as request join ledger.member_amounts(its.id) as moved on moved.member_id = ledger.current_member(request.member_id)
      and moved.amount = case moved.currency when 'points' then request.points else request.cents end
    where request.transaction_id = its.id and request.kind = 'adjustment' and state = 'done');
end $$;
select ledger.declare_kind('adjustment', '{member+,member-,adjustment+,adjustment-}', 'ledger.allows_adjustment(ledger.transaction)',
  its_may_owe => true);

-- The program writes the requests that allow adjustments, so a request is carried out only together with its entry in the audit log, which
-- the program can neither change nor take back: by the member of staff who asked, or above the limits by the one who approved.
create or replace function require_audit_entry() returns trigger language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  if not exists (
    select from (select at, after from audit_log where staff_id = coalesce(new.decided_by, new.asked_by) order by id desc limit 1000) as entry
    where at >= transaction_timestamp() and after ->> 'requestId' = new.id::text) then
    raise exception 'The audit log says nothing of request %', new.id using errcode = 'TL009';
  end if;
  return null;
end $$;
drop trigger if exists requires_audit_entry on money_request;
create constraint trigger requires_audit_entry after insert or update of state on money_request deferrable initially deferred
  for each row when (new.state = 'done') execute function require_audit_entry();

-- The merge that it is a part of, between its two members only. Earned points are taken and given by two transactions with the site,
-- which sum to zero.
create or replace function ledger.allows_merging(its ledger.transaction) returns boolean stable language plpgsql as $$
declare
  of_earned text[] := array(select 'merging:' || split_part(its.source, ':', 2) || ':points:' || part from unnest('{earnedBefore,earned}'::text[]) as part);
begin
  return (
    not exists (select from ledger.side where transaction_id = its.id and owner_id is null)
    or its.source = any(of_earned) and (
      select sum(side.amount) from ledger.transaction as part join ledger.side on transaction_id = part.id
      where part.kind = 'merging' and part.source = any(of_earned) and owner_id is null) = 0
  ) and not exists (
    select from ledger.side
    where transaction_id = its.id and owner_id is not null and not exists (
      select from public.member_merge as merging where merging.id = split_part(its.source, ':', 2)::bigint and side.name = 'member'
        and side.owner_id in (merging.from_id, merging.into_id)));
end $$;
select ledger.declare_kind('merging', '{member+,member-,adjustment+,adjustment-}', 'ledger.allows_merging(ledger.transaction)', its_may_owe => true);

-- A member with a closed account.
create or replace function ledger.allows_closing(its ledger.transaction) returns boolean stable language plpgsql as $$
begin
  return exists (
    select from ledger.side join public.member on member.id = owner_id
    where transaction_id = its.id and side.name = 'member' and deactivated_at is not null and merged_into is null);
end $$;
select ledger.declare_kind('closing', '{member-,platform+}', 'ledger.allows_closing(ledger.transaction)');

-- The opposite of the reversed transaction: for each member, holds included, and on each account of the site. Rewards, merges and
-- reversals are never reversed, a purchase of a membership card only by its refund, and a provider's payment only by the provider, so
-- that nothing is returned twice.
create or replace function ledger.allows_reversal(its ledger.transaction) returns boolean stable language plpgsql as $$
begin
  return exists (
      select from ledger.transaction as first where first.id = its.reverses and first.kind not in
        ('opening', 'reward', 'rewardTaken', 'merging', 'reversal', 'membership', 'membershipRefunded',
          'topUp', 'topUpByHand', 'topUpRefund', 'topUpRefundFailed', 'chargeback', 'chargebackWon', 'paymentFee', 'imported', 'importUndone'))
    and not exists (select from ledger.hold where opened_by = its.reverses)
    and not exists (
      select from (
        select 'member'::ledger.account_name as name, member_id as id, currency, amount from ledger.member_amounts(its.id)
        union all select 'member', member_id, currency, amount from ledger.member_amounts(its.reverses)
        union all select name, account_id, currency, amount from ledger.side where transaction_id in (its.id, its.reverses) and owner_id is null) as moved
      group by name, id, currency having sum(amount) <> 0);
end $$;
grant execute on function ledger.allows_reversal to teahouse_app, teahouse_reader;
select ledger.declare_kind('reversal', '{member+,member-,platform+,platform-,promotion+,promotion-,adjustment+,adjustment-,clearing+,clearing-,fee+,fee-,membership+,membership-}',
  'ledger.allows_reversal(ledger.transaction)', its_may_owe => true);
