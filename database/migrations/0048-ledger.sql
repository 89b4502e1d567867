-- Points and balance: one ledger in double entry, in a schema of its own that only ledger.post writes to.

create schema ledger;

-- A member's points or balance, what they owe, what is held for a while; and the forum's own, which keep no balance so that nobody waits.
create table ledger.account (
  id        bigint generated always as identity primary key,
  name      text not null check (name in ('member', 'owed', 'escrow', 'platform', 'promotion', 'clearing', 'adjustment')),
  owner_id  bigint,      -- the member; of an escrow account its hold
  currency  text not null check (currency in ('cny', 'points')),
  balance   bigint check (abs(balance) < 1000000000000000),
  check ((name in ('member', 'owed', 'escrow')) = (owner_id is not null)),
  check ((owner_id is not null) = (balance is not null)),
  check (case when name = 'owed' then balance <= 0 else balance >= 0 end),
  unique nulls not distinct (name, owner_id, currency)
);
insert into ledger.account (name, currency)
  select name, currency from unnest(array['platform', 'promotion', 'clearing', 'adjustment']) as name, unnest(array['cny', 'points']) as currency;

create table ledger.transaction (
  id          bigint generated always as identity primary key,
  kind        text not null check (kind ~ '^[a-z][A-Za-z]{1,39}$'),
  source      text not null check (char_length(source) between 1 and 200),
  reverses    bigint unique references ledger.transaction,
  actor_kind  text not null check (actor_kind in ('member', 'staff', 'forum')),
  actor_id    bigint,
  request     text,
  reason      text,
  at          timestamptz not null default clock_timestamp(),
  check ((actor_kind = 'forum') = (actor_id is null)),
  unique (kind, source)             -- one for each cause, for ever
);
create index on ledger.transaction using brin (at);   -- what is new since the books were checked

create table ledger.entry (
  transaction_id  bigint not null references ledger.transaction,
  account_id      bigint not null,  -- no foreign key: each would lock the forum's accounts, which all share; must_balance looks instead
  currency        text not null check (currency in ('cny', 'points')),
  amount          bigint not null check (amount <> 0),
  balance_after   bigint,
  primary key (transaction_id, account_id)
);
create index on ledger.entry (account_id, transaction_id desc);   -- a member's log, newest first

-- What is taken from a member for a while, and paid or given back once.
create table ledger.hold (
  id           bigint generated always as identity primary key,
  kind         text not null,
  source       text not null,
  owner_id     bigint not null,
  currency     text not null check (currency in ('cny', 'points')),
  amount       bigint not null check (amount > 0),
  state        text not null default 'open' check (state in ('open', 'paid', 'returned')),
  opened_by    bigint not null unique references ledger.transaction,
  resolved_by  bigint unique references ledger.transaction,
  check ((state = 'open') = (resolved_by is null)),
  unique (kind, source)
);
create index on ledger.hold (owner_id) where state = 'open';   -- what of a member's is held

-- While one stands that has no end, nothing is written.
create table ledger.freezing (
  id         bigint generated always as identity primary key,
  at         timestamptz not null default clock_timestamp(),
  staff_id   bigint,
  reason     text not null,
  thawed_at  timestamptz,
  thawed_by  bigint,
  thaw_reason text,
  check ((thawed_at is null) = (thawed_by is null))
);
create unique index on ledger.freezing ((true)) where thawed_at is null;   -- one at a time

-- What of a member's points counts for their level: what the forum gave, less what it took back, whether or not it could be taken.
alter table member add column points_earned bigint not null default 0;

create function ledger.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'What is in the books never changes' using errcode = 'TL007';
end $$;
create trigger stays before update or delete or truncate on ledger.transaction for each statement execute function ledger.refuse_change();
create trigger stays before update or delete or truncate on ledger.entry for each statement execute function ledger.refuse_change();
create trigger stays before delete or truncate on ledger.account for each statement execute function ledger.refuse_change();
create trigger stays_itself before update of id, name, owner_id, currency on ledger.account
  for each statement execute function ledger.refuse_change();
create trigger stays before delete or truncate on ledger.hold for each statement execute function ledger.refuse_change();
create trigger stays_itself before update of id, kind, source, owner_id, currency, amount, opened_by on ledger.hold
  for each statement execute function ledger.refuse_change();
create trigger resolved_once before update on ledger.hold for each row when (old.state <> 'open') execute function ledger.refuse_change();

create function ledger.must_balance() returns trigger language plpgsql as $$
begin
  if exists (
    select from ledger.entry left join ledger.account on account.id = account_id
    where transaction_id = new.transaction_id group by entry.currency
    having sum(amount) <> 0 or bool_or(account.currency is distinct from entry.currency)
      or bool_or((account.balance is null) <> (balance_after is null))
  ) then
    raise exception 'Transaction % does not balance', new.transaction_id using errcode = 'TL006';
  end if;
  return null;
end $$;
create constraint trigger balances after insert on ledger.entry deferrable initially deferred
  for each row execute function ledger.must_balance();

-- Moves one balance, which is locked.
create function ledger.move(its_transaction bigint, its_account bigint, delta bigint) returns void language plpgsql as $$
declare
  its record;
begin
  if delta = 0 then return; end if;
  select name, currency, balance + delta as after into strict its from ledger.account where id = its_account;
  if its.after < 0 and its.name <> 'owed' then
    raise exception 'Not enough' using errcode = 'TL001', detail = json_build_object('currency', its.currency, 'missing', (-its.after)::text);
  end if;
  if abs(its.after) >= 1000000000000000 then
    raise exception 'More than an account holds' using errcode = 'TL003', detail = json_build_object('currency', its.currency);
  end if;
  if its.after is not null then update ledger.account set balance = its.after where id = its_account; end if;
  insert into ledger.entry (transaction_id, account_id, currency, amount, balance_after)
    values (its_transaction, its_account, its.currency, delta, its.after);
end $$;

-- Takes what is there and owes the rest, or pays what is owed first. The owed account is locked by the member's own.
create function ledger.move_owing(its_transaction bigint, its_account bigint, delta bigint) returns void language plpgsql as $$
declare
  its ledger.account;
  owed ledger.account;
  rest bigint;
begin
  select * into strict its from ledger.account where id = its_account;
  select * into owed from ledger.account where name = 'owed' and owner_id = its.owner_id and currency = its.currency;
  rest := case when delta < 0 then least(0, delta + its.balance) else least(delta, -coalesce(owed.balance, 0)) end;
  if rest <> 0 and owed.id is null then
    insert into ledger.account (name, owner_id, currency, balance) values ('owed', its.owner_id, its.currency, 0) returning * into owed;
  end if;
  perform ledger.move(its_transaction, its_account, delta - rest);
  perform ledger.move(its_transaction, owed.id, rest);
end $$;

create function ledger.account_of(its_name text, its_owner bigint, its_currency text) returns bigint language plpgsql as $$
declare
  found_id bigint;
begin
  if its_owner is null then
    select id into found_id from ledger.account where name = its_name and owner_id is null and currency = its_currency;
  else
    select id into found_id from ledger.account where name = its_name and owner_id = its_owner and currency = its_currency;
  end if;
  if found_id is null and its_name = 'member' then
    insert into ledger.account (name, owner_id, currency, balance)
      select 'member', id, its_currency, 0 from public.member where id = its_owner on conflict do nothing;
    select id into found_id from ledger.account where name = 'member' and owner_id = its_owner and currency = its_currency;
  end if;
  if found_id is null then
    raise exception 'There is no account % of %', its_name, its_owner using errcode = 'TL005';
  end if;
  return found_id;
end $$;

-- The only way into the books. Takes transactions, each with its entries; for each it answers whether it is new, for a cause that was
-- written down already gives the first. What a transaction opens is held on a new escrow account, what it resolves is empty after it.
create function ledger.post(deeds json) returns table (place int, id bigint, is_new boolean, hold_id bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  deed record;
  accounts bigint[];
begin
  if exists (select from ledger.freezing where thawed_at is null) then
    raise exception 'The books are frozen' using errcode = 'TL002';
  end if;

  -- As those do who write: members before their accounts.
  perform from public.member where member.id in (
    select (entry ->> 'owner')::bigint from json_array_elements(deeds) as its, json_array_elements(its -> 'entries') as entry
    where (its ->> 'earns')::boolean and entry ->> 'name' = 'member'
  ) order by member.id for no key update;

  select array_agg(ledger.account_of(name, owner, currency)) into accounts from (
    select distinct entry ->> 'name' as name, (entry ->> 'owner')::bigint as owner, entry ->> 'currency' as currency
    from json_array_elements(deeds) as its, json_array_elements(its -> 'entries') as entry
    where entry ->> 'name' in ('member', 'escrow') and entry ->> 'owner' is not null order by 1, 2, 3) as named;
  perform from ledger.account where account.id = any(accounts) order by account.id for no key update;

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

create function ledger.write_down(its_transaction bigint, earns boolean, opens json, resolves json, entries json) returns bigint
language plpgsql as $$
declare
  line record;
  held bigint;
  escrow bigint;
  count int := 0;
begin
  if opens is not null then
    insert into ledger.hold (kind, source, owner_id, currency, amount, opened_by)
      values (opens ->> 'kind', opens ->> 'source', (opens ->> 'owner')::bigint, opens ->> 'currency', (opens ->> 'amount')::bigint, its_transaction)
      returning id into held;
    insert into ledger.account (name, owner_id, currency, balance) values ('escrow', held, opens ->> 'currency', 0) returning id into escrow;
  elsif resolves is not null then
    update ledger.hold set state = resolves ->> 'state', resolved_by = its_transaction
      where id = (resolves ->> 'hold')::bigint and state = 'open' returning id into held;
    if held is null then raise exception 'The hold is resolved' using errcode = 'TL004'; end if;
  end if;

  for line in select * from json_to_recordset(entries) as (name text, owner bigint, currency text, amount bigint, owes boolean) loop
    count := count + 1;
    if line.name = 'owed' or (line.name = 'escrow' and held is null)
      or (line.name = 'escrow' and line.owner is distinct from case when opens is null then held end)
      or (earns is true and (line.currency <> 'points' or line.name not in ('member', 'promotion', 'adjustment')))
      or (earns is not true and line.currency = 'points' and line.name in ('promotion', 'adjustment')) then
      raise exception 'An entry on % has no place in this transaction', line.name using errcode = 'TL005';
    end if;
    if line.name = 'member' and line.owes then
      perform ledger.move_owing(its_transaction, ledger.account_of('member', line.owner, line.currency), line.amount);
    elsif line.name = 'escrow' and opens is not null then
      perform ledger.move(its_transaction, escrow, line.amount);
    else
      perform ledger.move(its_transaction, ledger.account_of(line.name, line.owner, line.currency), line.amount);
    end if;
    if earns is true and line.name = 'member' then
      update public.member set points_earned = points_earned + line.amount where id = line.owner;
    end if;
  end loop;

  if count < 2 then raise exception 'A transaction has two sides' using errcode = 'TL005'; end if;
  if held is not null and exists (
    select from ledger.hold join ledger.account on account.name = 'escrow' and account.owner_id = hold.id and account.currency = hold.currency
    where hold.id = held and account.balance <> case when hold.state = 'open' then hold.amount else 0 end
  ) then
    raise exception 'What is held is not what was said' using errcode = 'TL005';
  end if;
  return held;
end $$;

-- Stops all writing to the books; true where it was not stopped already. Who did it is null where the forum itself found a breach.
create function ledger.freeze(its_reason text, its_staff bigint) returns boolean
language sql security definer set search_path = pg_catalog, pg_temp as $$
  with made as (
    insert into ledger.freezing (reason, staff_id) values (its_reason, its_staff) on conflict do nothing returning 1)
  select exists (select from made)
$$;

create function ledger.thaw(its_reason text, its_staff bigint) returns boolean
language sql security definer set search_path = pg_catalog, pg_temp as $$
  with made as (
    update ledger.freezing set thawed_at = clock_timestamp(), thawed_by = its_staff, thaw_reason = its_reason
    where thawed_at is null returning 1)
  select exists (select from made)
$$;

revoke all on all functions in schema ledger from public;
