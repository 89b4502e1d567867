-- Freezing the ledger, and locks on a member's accounts as a whole. It is SQL because the program may not write to the ledger.

-- Stops all writes to the ledger; false if it was frozen already. The member of staff is null if a check found a breach.
create or replace function ledger.freeze(its_reason text, its_staff bigint) returns boolean
language sql security definer set search_path = pg_catalog, pg_temp as $$
  with made as (
    insert into ledger.freezing (reason, staff_id) values (its_reason, its_staff) on conflict do nothing returning 1)
  select exists (select from made)
$$;
grant execute on function ledger.freeze to teahouse_app;

create or replace function ledger.thaw(its_reason text, its_staff bigint) returns boolean
language sql security definer set search_path = pg_catalog, pg_temp as $$
  with made as (
    update ledger.freezing set thawed_at = clock_timestamp(), thawed_by = its_staff, thaw_reason = its_reason
    where thawed_at is null returning 1)
  select exists (select from made)
$$;
grant execute on function ledger.thaw to teahouse_app;

-- Locks the accounts of two members in the order of their ids, until the transaction ends.
create or replace function ledger.lock_accounts(one bigint, other bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
begin
  insert into ledger.account (name, owner_id, currency, balance)
    select 'member'::ledger.account_name, member.id, currency, 0 from public.member, unnest(enum_range(null::ledger.currency)) as currency
    where member.id in (one, other) on conflict do nothing;
  perform from ledger.account where name = 'member' and owner_id in (one, other) order by id for no key update;
end $$;
grant execute on function ledger.lock_accounts to teahouse_app;

-- Closes a member's accounts for good after a merge.
create or replace function ledger.close_accounts(its_member bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update ledger.account set is_closed = true where name = 'member' and owner_id = its_member
$$;
grant execute on function ledger.close_accounts to teahouse_app;

create or replace function is_ledger_writable() returns boolean stable language sql as $$
  select not exists (select from ledger.freezing where thawed_at is null)
$$;
grant execute on function is_ledger_writable to teahouse_app, teahouse_reader;
