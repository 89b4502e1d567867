-- Rules for the entries of red envelopes, and claims. They are SQL because no entry may be committed without its rows, whatever the
-- program does, and because a claim, made by a thousand members at once, must be one statement.

-- The hold is for the whole envelope, and from its giver.
create or replace function allows_red_envelope(its ledger.transaction) returns boolean stable language plpgsql
set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (
    select from ledger.hold join red_envelope as given on given.hold_id = hold.id
    where opened_by = its.id and its.source = 'redEnvelope:' || given.id and ledger.is_same_member(owner_id, giver_id)
      and hold.amount = given.amount and hold.currency = given.currency
      and given.amount = (select sum(amount) from red_envelope_share where envelope_id = given.id)
      and given.quantity = (select count(*) from red_envelope_share where envelope_id = given.id));
end $$;
grant execute on function allows_red_envelope to teahouse_app, teahouse_reader;
select ledger.declare_kind('redEnvelope', '{member-,escrow+}', 'allows_red_envelope(ledger.transaction)');

-- Each member got the amount of their shares, by this transaction and no other.
create or replace function allows_red_envelope_received(its ledger.transaction) returns boolean stable language plpgsql
set search_path = public, pg_catalog, pg_temp as $$
declare
  envelope bigint := split_part(its.source, ':', 2)::bigint;
begin
  return not exists (
      select from (
        select ledger.current_member(member_id) as member, amount from red_envelope_share where transaction_id = its.id and envelope_id = envelope
        union all
        select ledger.current_member(owner_id), -amount from ledger.side where transaction_id = its.id and name = 'member'
      ) as moved group by member having sum(amount) <> 0)
    and not exists (
      select from ledger.side where transaction_id = its.id and name = 'escrow'
        and owner_id is distinct from (select hold_id from red_envelope where id = envelope));
end $$;
grant execute on function allows_red_envelope_received to teahouse_app, teahouse_reader;
select ledger.declare_kind('redEnvelopeReceived', '{escrow-,member+}', 'allows_red_envelope_received(ledger.transaction)');

-- The unopened shares return to the giver.
create or replace function allows_red_envelope_returned(its ledger.transaction) returns boolean stable language plpgsql
set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (
    select from red_envelope as given join ledger.side on side.transaction_id = its.id and side.name = 'member'
    where its.source = 'redEnvelope:' || given.id and given.state = 'returned' and ledger.is_same_member(side.owner_id, giver_id)
      and side.amount = given.returned
      and given.returned = (select sum(amount) from red_envelope_share where envelope_id = given.id and is_returned));
end $$;
grant execute on function allows_red_envelope_returned to teahouse_app, teahouse_reader;
select ledger.declare_kind('redEnvelopeReturned', '{escrow-,member+}', 'allows_red_envelope_returned(ledger.transaction)');

-- Claims the next free share for a member, once: the claim is final. Shares with a concurrent claim are skipped; if only those are left,
-- the call waits for one, because a rollback frees its share. Returns no row if none is left. Servers of an earlier version have no seal.
create or replace function claim_red_envelope(its_envelope bigint, its_member bigint, its_seal bytea default null) returns table (amount bigint, is_new boolean)
language plpgsql set search_path = public, pg_catalog, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  first int := (select first_free from red_envelope where id = its_envelope);
  next int;
begin
  return query select share.amount, false from red_envelope_share as share where envelope_id = its_envelope and member_id = its_member;
  if found then return; end if;
  select place into next from red_envelope_share as share
    where envelope_id = its_envelope and place >= first and member_id is null and not is_returned order by place limit 1 for no key update skip locked;
  while next is null loop
    select place into next from red_envelope_share as share
      where envelope_id = its_envelope and place >= first and member_id is null and not is_returned order by place limit 1;
    if next is null then
      -- A concurrent call of the same member may have claimed the last one.
      return query select share.amount, false from red_envelope_share as share where envelope_id = its_envelope and member_id = its_member;
      return;
    end if;
    select place into next from red_envelope_share as share
      where envelope_id = its_envelope and place = next and member_id is null and not is_returned for no key update;
  end loop;
  return query update red_envelope_share as share set member_id = its_member, claimed_at = clock_timestamp(), seal = its_seal
    where envelope_id = its_envelope and place = next returning share.amount, true;
end $$;
grant execute on function claim_red_envelope to teahouse_app;

create or replace function refuse_red_envelope_change() returns trigger language plpgsql as $$
begin
  raise exception 'A red envelope stays as it was given' using errcode = 'TL007';
end $$;
create or replace trigger immutable_columns before update of id, giver_id, receiver_id, kind, currency, amount, quantity, conditions, created_at on red_envelope
  for each statement execute function refuse_red_envelope_change();
create or replace trigger ended_once before update on red_envelope for each row when (old.state in ('taken', 'returned', 'dropped')
  and (new.state, new.hold_id, new.seal, new.ended_at, new.end_reason, new.returned) is distinct from
    (old.state, old.hold_id, old.seal, old.ended_at, old.end_reason, old.returned)) execute function refuse_red_envelope_change();
create or replace trigger immutable_columns before update of envelope_id, place, amount on red_envelope_share
  for each statement execute function refuse_red_envelope_change();
create or replace trigger immutable before delete or truncate on red_envelope_share for each statement execute function refuse_red_envelope_change();
create or replace trigger claimed_once before update on red_envelope_share for each row
  when ((old.member_id is not null and new.member_id is distinct from old.member_id) or (old.is_returned and not new.is_returned)
    or (old.transaction_id is not null and new.transaction_id is distinct from old.transaction_id)) execute function refuse_red_envelope_change();
