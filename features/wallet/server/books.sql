-- Freezing the books, and locks for what moves a member's accounts as a whole.

-- Stops all writing to the books; true where it was not stopped already. Who did it is null where the forum itself found a breach.
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

-- Locks what two members have, in the order of their numbers, until the transaction ends.
create or replace function ledger.lock_accounts(one bigint, other bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
begin
  insert into ledger.account (name, owner_id, currency, balance)
    select 'member', member.id, currency, 0 from public.member, unnest(array['cny', 'points']) as currency where member.id in (one, other)
    on conflict do nothing;
  perform from ledger.account where name = 'member' and owner_id in (one, other) order by id for no key update;
end $$;
grant execute on function ledger.lock_accounts to teahouse_app;

-- For good.
create or replace function ledger.close_accounts(its_member bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update ledger.account set is_closed = true where name = 'member' and owner_id = its_member
$$;
grant execute on function ledger.close_accounts to teahouse_app;

-- Opens the books: members have the points that were counted for what they have on the page. What has its reward already counts no more.
create or replace function ledger.open_books() returns void language sql as $$
  with written as (
    insert into public.reward (post_kind, post_id, member_id, rule, points, is_due, is_given)
    select 'topic', id, author_id, kind, 10, true, true from public.topic where status = 'published'
    union all select 'comment', id, author_id, case thread_kind when 'question' then 'answer' else 'comment' end, 5, true, true
      from public.comment where status = 'published'
    union all select 'reply', id, author_id, case thread_kind when 'question' then 'answerReply' else 'reply' end, 5, true, true
      from public.reply where status = 'published'
    on conflict do nothing returning member_id, points
  ), earned as (
    select member_id, sum(points)::bigint as points from written group by member_id
  ), counted as (
    update public.member set points_earned = points_earned + earned.points from earned where member.id = earned.member_id
  ), opened as (
    insert into ledger.account (name, owner_id, currency, balance) select 'member', member_id, 'points', points from earned
    returning id, owner_id
  ), noted as (
    insert into ledger.transaction (kind, source, actor_kind) select 'opening', 'member:' || member_id, 'forum' from earned
    returning id, source
  )
  insert into ledger.entry (transaction_id, account_id, currency, amount, balance_after)
  select noted.id, side.* from earned join opened on owner_id = member_id join noted on source = 'member:' || member_id,
    lateral (
      select opened.id, 'points', points, points
      union all
      select id, 'points', -points, null from ledger.account where name = 'promotion' and currency = 'points'
    ) as side (account_id, currency, amount, balance_after)
$$;

create or replace function books_take_writes() returns boolean stable language sql as $$
  select not exists (select from ledger.freezing where thawed_at is null)
$$;
grant execute on function books_take_writes to teahouse_app, teahouse_reader;
