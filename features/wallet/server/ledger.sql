-- The ledger. The program may post transactions and nothing else: it has no right to insert, change or delete in these tables.

create or replace function ledger.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'What is in the books never changes' using errcode = 'TL007';
end $$;
create or replace trigger stays before update or delete or truncate on ledger.transaction for each statement execute function ledger.refuse_change();
create or replace trigger stays before update or delete or truncate on ledger.entry for each statement execute function ledger.refuse_change();
create or replace trigger stays before delete or truncate on ledger.account for each statement execute function ledger.refuse_change();
create or replace trigger stays_itself before update of id, name, owner_id, currency on ledger.account
  for each statement execute function ledger.refuse_change();
create or replace trigger stays before delete or truncate on ledger.hold for each statement execute function ledger.refuse_change();
create or replace trigger stays_itself before update of id, kind, source, owner_id, currency, amount, opened_by on ledger.hold
  for each statement execute function ledger.refuse_change();
create or replace trigger resolved_once before update on ledger.hold for each row when (old.state <> 'open') execute function ledger.refuse_change();

-- Looks up by index whatever the statistics say: a plan made while the tables are small would be kept when they have grown.
create or replace function ledger.must_balance() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if (select sum(amount) <> 0 from ledger.entry where transaction_id = new.transaction_id and currency = new.currency)
    or not exists (select from ledger.account where id = new.account_id and currency = new.currency
      and (balance is null) = (new.balance_after is null)) then
    raise exception 'Transaction % does not balance', new.transaction_id using errcode = 'TL006';
  end if;
  return null;
end $$;
drop trigger if exists balances on ledger.entry;
create constraint trigger balances after insert on ledger.entry deferrable initially deferred
  for each row execute function ledger.must_balance();

-- An account, locked: one that came since the others were locked is not taken for one of them. A member's first is made here.
create or replace function ledger.account_of(its_name text, its_owner bigint, its_currency text) returns ledger.account language plpgsql as $$
declare
  its ledger.account;
begin
  if its_owner is null then
    select * into its from ledger.account where name = its_name and owner_id is null and currency = its_currency;
  else
    select * into its from ledger.account where name = its_name and owner_id = its_owner and currency = its_currency for no key update;
  end if;
  if its.id is null and its_name in ('member', 'owed') then
    insert into ledger.account (name, owner_id, currency, balance)
      select its_name, id, its_currency, 0 from public.member where id = its_owner on conflict do nothing;
    select * into its from ledger.account where name = its_name and owner_id = its_owner and currency = its_currency for no key update;
  end if;
  if its.id is null then
    raise exception 'There is no account % of %', its_name, its_owner using errcode = 'TL005';
  end if;
  return its;
end $$;

create or replace function ledger.move(its_transaction bigint, its ledger.account, delta bigint) returns void language plpgsql as $$
declare
  after bigint := its.balance + delta;
begin
  if after < 0 and its.name <> 'owed' then
    raise exception 'Not enough' using errcode = 'TL001', detail = json_build_object('currency', its.currency, 'missing', (-after)::text);
  end if;
  if abs(after) >= 1000000000000000 then
    raise exception 'More than an account holds' using errcode = 'TL003', detail = json_build_object('currency', its.currency);
  end if;
  if after is not null then update ledger.account set balance = after where id = its.id; end if;
  insert into ledger.entry (transaction_id, account_id, currency, amount, balance_after)
    values (its_transaction, its.id, its.currency, delta, after);
end $$;

-- Takes what is there and owes the rest, or pays what is owed first. What a member owes is locked by their own account.
create or replace function ledger.move_owing(its_transaction bigint, its ledger.account, delta bigint) returns void language plpgsql as $$
declare
  owed bigint;
  rest bigint;
begin
  select balance into owed from ledger.account where name = 'owed' and owner_id = its.owner_id and currency = its.currency;
  rest := case when delta < 0 then least(0, delta + its.balance) else least(delta, -coalesce(owed, 0)) end;
  if delta <> rest then perform ledger.move(its_transaction, its, delta - rest); end if;
  if rest <> 0 then perform ledger.move(its_transaction, ledger.account_of('owed', its.owner_id, its.currency), rest); end if;
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
grant execute on function ledger.post to teahouse_app;
