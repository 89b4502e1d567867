-- Rules for the entries of bounties. They are SQL because no entry may be committed without its bounty, whatever the program does.

-- The source names the bounty's question, whose asker owns the hold.
create or replace function allows_bounty(its ledger.transaction) returns boolean stable language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (
    select from ledger.hold join bounty on topic_id = split_part(its.source, ':', 2)::bigint join topic on topic.id = topic_id
    where opened_by = its.id and ledger.is_same_member(owner_id, author_id)
      and (hold.id in (points_hold, cents_hold) or hold.state <> 'open'));
end $$;
select ledger.declare_kind('bounty', '{member-,escrow+}', 'allows_bounty(ledger.transaction)');
select ledger.declare_kind('bountyChanged', '{escrow-,escrow+,member+,member-}', 'allows_bounty(ledger.transaction)');

-- Each member got the amounts in bounty_share, and the asker the remainder.
create or replace function allows_bounty_paid(its ledger.transaction) returns boolean stable language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (select from bounty_share where transaction_id = its.id) and not exists (
    select from (
      select ledger.current_member(member_id) as member, currency, amount from bounty_share where transaction_id = its.id
      union all
      select ledger.current_member(owner_id), currency, -amount from ledger.side where transaction_id = its.id and name = 'member'
    ) as moved
    where member <> (select ledger.current_member(owner_id) from ledger.hold where resolved_by = its.id) group by member, currency having sum(amount) <> 0);
end $$;
select ledger.declare_kind('bountyPaid', '{escrow-,member+,platform+}', 'allows_bounty_paid(ledger.transaction)');
select ledger.declare_kind('bountyHalved', '{escrow-,member+,platform+}', 'allows_bounty_paid(ledger.transaction)');

-- The whole hold returns to its owner.
create or replace function allows_bounty_returned(its ledger.transaction) returns boolean stable language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  return not exists (
    select from ledger.side where transaction_id = its.id and name = 'member' and not exists (
      select from ledger.hold where resolved_by = its.id and ledger.is_same_member(hold.owner_id, side.owner_id)));
end $$;
select ledger.declare_kind('bountyReturned', '{escrow-,member+}', 'allows_bounty_returned(ledger.transaction)');
