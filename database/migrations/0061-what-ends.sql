create index on bounty (ends_at, topic_id desc) where state = 'open';   -- questions with a bounty of any kind, those first that end first

-- Staff read what is hidden in the order in which it stands; what stands nowhere any more comes last.
create or replace function hidden.for_staff(its_thread bigint)
returns table (id text, stands text, lock text, needs bigint, segments jsonb, at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  with its as (
    select * from hidden.placed where topic_id = its_thread
    union all
    select placed.* from hidden.placed join public.comment on comment.id = placed.comment_id
      where placed.comment_id is not null and comment.topic_id = its_thread),
  said as (
    select its.id, case when position is null then 'takenOut' else 'shown' end as stands, its.lock, its.needs, its.segments, written_at, comment_id, position
      from its
    union all
    select part_id, 'earlier', earlier.lock, earlier.needs, earlier.segments, earlier.written_at, comment_id, position
      from hidden.earlier join its on its.id = part_id
    union all
    select waiting.id, 'waiting', waiting.lock, waiting.needs, waiting.segments, null, null, waiting.position from hidden.waiting
      where waiting.topic_id = its_thread and waiting.document is not null)
  select said.id, said.stands, said.lock, said.needs, said.segments, written_at from said
  order by comment_id nulls first, position nulls last, said.id, written_at desc nulls first
$$;

-- An account that went on as another takes nothing any more: whoever is about to book something on it finds out, once that is committed, and does
-- their deed again, which then finds the other one.
alter table ledger.account add column is_closed boolean not null default false;
alter table ledger.account add constraint closed_is_empty check (not is_closed or balance = 0);
update ledger.account set is_closed = true from member_merging
  where name = 'member' and owner_id = from_id and status = 'merged' and balance = 0
    and not exists (select from ledger.account as owed where owed.name = 'owed' and owed.owner_id = from_id and owed.balance <> 0);

-- Locks what two members have, in the order of their numbers, until the transaction ends.
create function ledger.lock_accounts(one bigint, other bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
begin
  insert into ledger.account (name, owner_id, currency, balance)
    select 'member', member.id, currency, 0 from public.member, unnest(array['cny', 'points']) as currency where member.id in (one, other)
    on conflict do nothing;
  perform from ledger.account where name = 'member' and owner_id in (one, other) order by id for no key update;
end $$;

-- For good.
create function ledger.close_accounts(its_member bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update ledger.account set is_closed = true where name = 'member' and owner_id = its_member
$$;

-- The only way into the books. Takes transactions, each with its entries; for each it answers whether it is new, for a cause that was
-- written down already gives the first. What a transaction opens is held on a new escrow account, what it resolves is empty after it.
create or replace function ledger.post(deeds json) returns table (place int, id bigint, is_new boolean, hold_id bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  deed record;
  earners bigint[];
  owners bigint[];
  holds bigint[];
  currencies text[];
  locked int;
  has_closed boolean;
begin
  if exists (select from ledger.freezing where thawed_at is null) then
    raise exception 'The books are frozen' using errcode = 'TL002';
  end if;

  select array_agg(owner) filter (where name = 'member' and earns), array_agg(distinct owner) filter (where name = 'member'),
    array_agg(owner) filter (where name = 'escrow' and owner is not null), array_agg(distinct currency)
    into earners, owners, holds, currencies
    from json_to_recordset(deeds) as its (earns boolean, entries json), json_to_recordset(entries) as entry (name text, owner bigint, currency text);
  -- As those do who write: members before their accounts, and each in the order of their numbers.
  if earners is not null then perform from public.member where member.id = any(earners) order by member.id for no key update; end if;
  select count(*), bool_or(is_closed) into locked, has_closed from (
    select is_closed from ledger.account where name = 'member' and owner_id = any(owners) and currency = any(currencies)
    order by account.id for no key update) as its;
  if has_closed then
    raise exception 'The account goes on as another' using errcode = 'serialization_failure';
  end if;
  -- All are locked before a transaction takes its number, so that by number the entries of an account are in the order of its balances.
  if locked < cardinality(owners) * cardinality(currencies) then
    perform ledger.account_of('member', owner, currency) from (
      select distinct owner, currency from json_to_recordset(deeds) as its (entries json),
        json_to_recordset(entries) as entry (name text, owner bigint, currency text) where name = 'member' order by owner, currency) as missing;
  end if;
  if holds is not null then
    perform from ledger.account where name = 'escrow' and owner_id = any(holds) order by account.id for no key update;
  end if;

  for deed in
    select (ordinality - 1)::int as place, its.* from rows from (json_to_recordset(deeds) as (
      kind text, source text, reverses bigint, actor_kind text, actor_id bigint, request text, reason text, earns boolean,
      opens json, resolves json, entries json)) with ordinality as its
  loop
    place := deed.place;
    hold_id := null;
    insert into ledger.transaction (kind, source, reverses, actor_kind, actor_id, request, reason)
      values (deed.kind, deed.source, deed.reverses, deed.actor_kind, deed.actor_id, deed.request, deed.reason)
      on conflict (kind, source) do nothing returning transaction.id into id;
    is_new := id is not null;
    if is_new then
      hold_id := ledger.write_down(id, deed.earns, deed.opens, deed.resolves, deed.entries);
    else
      select transaction.id into strict id from ledger.transaction where kind = deed.kind and source = deed.source;
      select hold.id into hold_id from ledger.hold where opened_by = post.id;
    end if;
    return next;
  end loop;
end $$;

-- Where it opens a hold and resolves another, the one is exchanged for the other, in one line of a member's log.
create or replace function ledger.write_down(its_transaction bigint, earns boolean, opens json, resolves json, entries json) returns bigint
language plpgsql as $$
declare
  line record;
  its ledger.account;
  opened bigint;
  resolved bigint;
  count int := 0;
begin
  if opens is not null then
    insert into ledger.hold (kind, source, owner_id, currency, amount, opened_by)
      values (opens ->> 'kind', opens ->> 'source', (opens ->> 'owner')::bigint, opens ->> 'currency', (opens ->> 'amount')::bigint, its_transaction)
      returning id into opened;
    insert into ledger.account (name, owner_id, currency, balance) values ('escrow', opened, opens ->> 'currency', 0);
  end if;
  if resolves is not null then
    update ledger.hold set state = resolves ->> 'state', resolved_by = its_transaction
      where id = (resolves ->> 'hold')::bigint and state = 'open' returning id into resolved;
    if resolved is null then raise exception 'The hold is resolved' using errcode = 'TL004'; end if;
  end if;

  for line in select * from json_to_recordset(entries) as (name text, owner bigint, currency text, amount bigint, owes boolean) loop
    count := count + 1;
    if line.name = 'owed' or (line.name = 'escrow' and line.owner is null and opened is null)
      or (line.name = 'escrow' and line.owner is not null and line.owner is distinct from resolved)
      or (earns is true and (line.currency <> 'points' or line.name not in ('member', 'promotion', 'adjustment')))
      or (earns is not true and line.currency = 'points' and line.name in ('promotion', 'adjustment')) then
      raise exception 'An entry on % has no place in this transaction', line.name using errcode = 'TL005';
    end if;
    its := ledger.account_of(line.name, case line.name when 'escrow' then coalesce(line.owner, opened) else line.owner end, line.currency);
    if line.owes and line.name = 'member' then
      perform ledger.move_owing(its_transaction, its, line.amount);
    else
      perform ledger.move(its_transaction, its, line.amount);
    end if;
    if earns and line.name = 'member' then
      update public.member set points_earned = points_earned + line.amount where id = line.owner;
    end if;
  end loop;

  if count < 2 then raise exception 'A transaction has two sides' using errcode = 'TL005'; end if;
  if exists (
    select from ledger.hold join ledger.account on account.name = 'escrow' and account.owner_id = hold.id and account.currency = hold.currency
    where hold.id in (opened, resolved) and account.balance <> case when hold.state = 'open' then hold.amount else 0 end
  ) then
    raise exception 'What is held is not what was said' using errcode = 'TL005';
  end if;
  return coalesce(opened, resolved);
end $$;

revoke all on all functions in schema ledger from public;
