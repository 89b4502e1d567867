-- Opening hidden parts. The program compares passwords; the tries are counted here.

-- Locks a part that is about to be opened until the transaction ends. The program itself has no right to lock it.
create or replace function hidden.lock_for_share(its_part text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select from hidden.part where id = its_part for share
$$;
grant execute on function hidden.lock_for_share to teahouse_app;

-- Counts a try and returns the password hash; null after too many tries.
create or replace function hidden.try_password(its_part text, its_member bigint, in_minute int, in_day int) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  its record;
begin
  select thread_id, password_hash into its from hidden.placed where id = its_part and lock = 'password' and position is not null;
  if its.thread_id is null then return ''; end if;
  -- Concurrent tries are serialized.
  perform pg_advisory_xact_lock(hashtextextended(its_member || ' tries ' || its.thread_id, 0));
  if (select count(*) filter (where at > clock_timestamp() - interval '1 minute') >= in_minute or count(*) >= in_day
      from hidden.try where member_id = its_member and topic_id = its.thread_id and at > clock_timestamp() - interval '1 day') then
    return null;
  end if;
  delete from hidden.try where member_id = its_member and at < clock_timestamp() - interval '1 day';
  insert into hidden.try (topic_id, member_id) values (its.thread_id, its_member);
  return its.password_hash;
end $$;
grant execute on function hidden.try_password to teahouse_app;

-- Records an unlock; false if it existed.
create or replace function hidden.record_unlock(its_part text, its_member bigint, its_lock text, its_paid bigint, its_earned bigint, its_transaction bigint)
returns boolean language sql security definer set search_path = pg_catalog, pg_temp as $$
  with made as (
    insert into hidden.unlock (part_id, member_id, lock, paid, earned, transaction_id)
    values (its_part, its_member, its_lock, its_paid, its_earned, its_transaction) on conflict do nothing returning 1)
  select exists (select from made)
$$;
grant execute on function hidden.record_unlock to teahouse_app;
