-- The ledger. It is SQL because the database enforces these rules against the program itself, which may post transactions but has no
-- right to insert, change or delete in these tables.

create or replace function ledger.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'The books never change' using errcode = 'TL007';
end $$;
create or replace trigger immutable before update or delete or truncate on ledger.transaction for each statement execute function ledger.refuse_change();
create or replace trigger immutable before update or delete or truncate on ledger.entry for each statement execute function ledger.refuse_change();
create or replace trigger immutable before delete or truncate on ledger.account for each statement execute function ledger.refuse_change();
create or replace trigger immutable_columns before update of id, name, owner_id, label, currency on ledger.account
  for each statement execute function ledger.refuse_change();
create or replace trigger immutable before delete or truncate on ledger.hold for each statement execute function ledger.refuse_change();
create or replace trigger immutable_columns before update of id, kind, source, owner_id, currency, amount, opened_by on ledger.hold
  for each statement execute function ledger.refuse_change();
create or replace trigger resolved_once before update on ledger.hold for each row when (old.state <> 'open') execute function ledger.refuse_change();

-- An account of a member or a hold has an owner and a balance; an account of the site has neither.
create or replace function ledger.require_owner() returns trigger language plpgsql as $$
begin
  if (new.name in ('member', 'escrow')) is distinct from (new.owner_id is not null) or (new.owner_id is null) is distinct from (new.balance is null)
    or new.owner_id is not null and new.label <> '' or new.label !~ '^[a-z0-9-]{0,40}$' then
    raise exception 'Account % is nobody''s', new.id using errcode = 'TL005';
  end if;
  return new;
end $$;
create or replace trigger requires_owner before insert on ledger.account for each row execute function ledger.require_owner();

-- One statement writes all entries of one transaction. They sum to zero in each currency, have at least two sides, match the accounts'
-- balances, and are allowed by the kind.
create or replace function ledger.require_balance() returns trigger language plpgsql as $$
declare
  one ledger.entry;
  account ledger.account;
  its_id bigint;
  its_kind text;
  its_legs text[];
  is_owing boolean;
  points bigint := 0;
  cents bigint := 0;
  sides int := 0;
begin
  for one in select * from added loop
    if its_id is null then
      its_id := one.transaction_id;
      select kind.name, legs, may_owe into its_kind, its_legs, is_owing
        from ledger.transaction as its join ledger.kind on kind.name = its.kind where its.id = its_id;
    end if;
    select * into account from ledger.account as mine where mine.id = one.account_id;
    if its_id <> one.transaction_id or its_kind is distinct from one.kind or account.currency is distinct from one.currency
      or account.balance is distinct from one.balance_after or one.amount = 0
      or not (account.name || case when one.amount > 0 then '+' else '-' end) = any(its_legs)
      or one.balance_after < 0 and one.amount < 0 and not is_owing then
      raise exception 'An entry has no place in transaction %', its_id using errcode = 'TL005';
    end if;
    sides := sides + 1;
    if one.currency = 'points' then points := points + one.amount; else cents := cents + one.amount; end if;
  end loop;
  if its_id is not null and (points <> 0 or cents <> 0 or sides < 2 or sides <> (select count(*) from ledger.entry where transaction_id = its_id)) then
    raise exception 'Transaction % does not balance', its_id using errcode = 'TL006';
  end if;
  return null;
end $$;
create or replace trigger requires_balance after insert on ledger.entry referencing new table as added
  for each statement execute function ledger.require_balance();

-- The digest of a transaction with its entries, which reveals later changes. A row cast to text distinguishes nulls and columns.
create or replace function ledger.digest_of(its ledger.transaction, entries ledger.entry[]) returns bytea immutable language sql as $$
  select sha256(convert_to(row(its.id, its.kind, its.source, its.reverses, its.actor_kind, its.actor_id, its.request, its.reason,
    its.group_name, its.provider_number, extract(epoch from its.at))::text
    || coalesce((select array_agg(one order by account_id) from unnest(entries) as one)::text, ''), 'UTF8'))
$$;

-- The current account of a member after merges.
create or replace function ledger.current_member(its_member bigint) returns bigint stable language sql as $$
  with recursive its (id, merged_into) as (
    select id, merged_into from public.member where id = its_member
    union all select next.id, next.merged_into from its join public.member as next on next.id = its.merged_into)
  select id from its where merged_into is null
$$;
grant execute on function ledger.current_member to teahouse_app, teahouse_reader;

-- Whether two ids are one member after merges. The ids are mostly equal; only others are resolved.
create or replace function ledger.is_same_member(one bigint, other bigint) returns boolean stable language sql as $$
  select one = other or ledger.current_member(one) = ledger.current_member(other)
$$;
grant execute on function ledger.is_same_member to teahouse_app, teahouse_reader;

-- One entry as it will be, of a locked account. Money is spent in the order of its worth to its owner: first what was given, then what
-- was paid in, then what was earned. Income that pays a debt belongs to none of these.
create or replace function ledger.make_entry(of ledger.transaction, its ledger.account, amount bigint, by_earned bigint, by_given bigint)
returns ledger.entry immutable language plpgsql as $$
declare
  has bigint := greatest(its.balance + amount, 0);
  new_earned bigint;
  new_given bigint;
begin
  if its.balance is null then return row(of.id, its.id, of.kind, its.currency, amount, null, 0, 0)::ledger.entry; end if;
  if amount < 0 and by_earned is null then
    by_given := -least(its.given, -amount);
    by_earned := least(0, amount - by_given + greatest(its.balance - its.earned - its.given, 0));
  end if;
  new_earned := least(greatest(its.earned + coalesce(by_earned, 0), 0), has);
  new_given := least(greatest(its.given + coalesce(by_given, 0), 0), has - new_earned);
  return row(of.id, its.id, of.kind, its.currency, amount, its.balance + amount, new_earned - its.earned, new_given - its.given)::ledger.entry;
end $$;

-- Locks the accounts of these lines, members before them, each in the order of their ids; creates missing accounts of members.
create or replace function ledger.lock_accounts_of(transactions json) returns void language plpgsql as $$
declare
  earners bigint[];
  owners bigint[];
  holds bigint[];
  currencies ledger.currency[];
  locked int;
  has_closed boolean;
begin
  select array_agg(distinct owner) filter (where name = 'member' and earns), array_agg(distinct owner) filter (where name = 'member'),
    array_agg(distinct owner) filter (where name = 'escrow' and owner is not null), array_agg(distinct currency)
    into earners, owners, holds, currencies
    from json_to_recordset(transactions) as its (earns boolean, lines json),
      json_to_recordset(lines) as line (name ledger.account_name, owner bigint, currency ledger.currency);
  if earners is not null then perform from public.member where member.id = any(earners) order by member.id for no key update; end if;
  select count(*), bool_or(is_closed) into locked, has_closed from (
    select is_closed from ledger.account where name = 'member' and owner_id = any(owners) and label = '' and currency = any(currencies)
    order by account.id for no key update) as its;
  if has_closed then
    raise exception 'The account goes on as another' using errcode = 'serialization_failure';
  end if;
  if locked < cardinality(owners) * cardinality(currencies) then
    insert into ledger.account (name, owner_id, currency, balance)
      select 'member'::ledger.account_name, member.id, currency, 0 from public.member, unnest(currencies) as currency where member.id = any(owners)
      order by member.id, currency on conflict do nothing;
    perform from ledger.account where name = 'member' and owner_id = any(owners) and label = '' and currency = any(currencies)
      order by account.id for no key update;
  end if;
  if holds is not null then
    perform from ledger.account where name = 'escrow' and owner_id = any(holds) order by account.id for no key update;
  end if;
end $$;

-- The site's share of each sale of a transaction. It is the percentage of all of them together, to within one unit, and falls on those with
-- the largest remainders. The part that does not divide is carried on the account of the largest sale to the next one, so that small
-- prices avoid no share.
create or replace function ledger.site_shares(lines json) returns table (owner bigint, part bigint, carrier bigint, rest smallint)
stable language sql as $$
  with sale as (
    select line.owner, line.amount, account.id, line.amount * line.share / 100 as part, (line.amount * line.share % 100)::int as hundredths,
      case when row_number() over (order by line.amount desc, account.id) = 1 then share_rest end as carried
    from json_to_recordset(lines) as line (name ledger.account_name, owner bigint, currency ledger.currency, amount bigint, share int)
      join ledger.account on account.name = 'member' and account.owner_id = line.owner and account.label = '' and account.currency = line.currency
    where line.share is not null
  ), due as (
    select *, sum(hundredths) over () + sum(carried) over () as remainder,
      row_number() over (order by hundredths + coalesce(carried, 0) desc, amount desc, id) as turn
    from sale
  )
  select owner, part + case when turn <= remainder / 100 then 1 else 0 end, case when carried is not null then id end, (remainder % 100)::smallint
  from due
$$;

-- The entries of a transaction on locked accounts, before it is known whether it is new. The site takes its part of a line with a `share`.
-- A line with the origin `kept` takes back the part of the outgoing money that the other lines left.
create or replace function ledger.plan_entries(its ledger.transaction, new_hold bigint, lines json,
  out entries ledger.entry[], out taken bigint, out sellers bigint[], out rests smallint[], out holds bigint[], out short json,
  out has_room boolean, out earns boolean)
language plpgsql as $$
declare
  line record;
  account ledger.account;
  one ledger.entry;
  sale record;
  others bigint;
  pool bigint := 0;
  pool_earned bigint := 0;
  pool_given bigint := 0;
begin
  taken := 0;
  has_room := true;
  earns := false;
  for line in select * from json_to_recordset(lines) as (
    name ledger.account_name, owner bigint, label text, currency ledger.currency, amount bigint, owes boolean, share int, origin text,
    earned bigint, given bigint)
  loop
    if line.name = 'escrow' and line.owner is null and new_hold is not null then
      account := row(nextval('ledger.account_id_seq'), 'escrow', new_hold, '', line.currency, 0, 0, 0, 0, false)::ledger.account;
    elsif line.owner is null then
      select * into account from ledger.account as mine
        where mine.name = line.name and owner_id is null and mine.label = coalesce(line.label, '') and mine.currency = line.currency;
      if not found and line.label <> '' and line.name not in ('member', 'escrow') then
        insert into ledger.account (name, label, currency) values (line.name, line.label, line.currency)
          on conflict (name, owner_id, label, currency) do update set is_closed = false returning * into account;
      end if;
    else
      select * into account from ledger.account as mine
        where mine.name = line.name and owner_id = line.owner and mine.label = '' and mine.currency = line.currency;
    end if;
    if account.id is null then
      raise exception 'There is no account % of %', line.name, coalesce(line.owner::text, line.label) using errcode = 'TL005';
    end if;
    if account.name = 'escrow' and line.owner is not null then holds := holds || line.owner; end if;

    if line.share is not null then
      select * into strict sale from ledger.site_shares(lines) as shared where shared.owner = line.owner;
      if sale.carrier is not null then
        sellers := sellers || sale.carrier;
        rests := rests || sale.rest;
      end if;
      taken := taken + sale.part;
      line.amount := line.amount - sale.part;
    end if;
    continue when line.amount = 0;

    if line.origin = 'kept' then
      others := pool - line.amount;
      line.given := greatest(0, pool_given - others);
      line.earned := pool_earned - greatest(0, others - (pool - pool_earned));
      pool := others;
      pool_earned := pool_earned - line.earned;
      pool_given := pool_given - line.given;
    elsif line.origin = 'earned' then
      line.earned := line.amount;
    elsif line.origin = 'given' then
      line.given := line.amount;
    end if;
    one := ledger.make_entry(its, account, line.amount, line.earned, line.given);
    if line.amount < 0 and account.balance is not null then
      if account.currency = 'cny' then
        pool := pool - line.amount;
        pool_earned := pool_earned - one.earned;
        pool_given := pool_given - one.given;
      end if;
      if one.balance_after < 0 and line.owes is not true then
        short := coalesce(short, json_build_object('currency', account.currency, 'missing', (-one.balance_after)::text,
          'owed', greatest(0, -account.balance)::text));
      end if;
    end if;
    if abs(one.balance_after) >= 1000000000000000 then has_room := false; end if;
    if account.name in ('promotion', 'adjustment') and account.currency = 'points' then earns := true; end if;
    entries := entries || one;
  end loop;
  if taken > 0 then
    select * into account from ledger.account as mine
      where mine.name = 'platform' and owner_id is null and mine.label = '' and mine.currency = one.currency;
    entries := entries || ledger.make_entry(its, account, taken, 0, 0);
  end if;
end $$;

-- The only way into the ledger. Takes transactions with their lines, and answers for each whether it is new: a repeated cause returns its
-- first transaction and moves nothing. Also returns the opened hold, and the site's share of a sale. Generic plans that look up by index:
-- a plan made while the tables were small would be kept when they have grown.
create or replace function ledger.post(transactions json)
returns table (place int, id bigint, is_new boolean, hold_id bigint, taken bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  asked record;
  its ledger.transaction;
  plan record;
begin
  if exists (select from ledger.freezing where thawed_at is null) then
    raise exception 'The books are frozen' using errcode = 'TL002';
  end if;
  -- Checks cover the ledger up to the oldest open database transaction, so its id must be drawn before ids of the ledger.
  perform pg_current_xact_id();
  perform ledger.lock_accounts_of(transactions);

  for asked in
    select (ordinality - 1)::int as place, mine.* from rows from (json_to_recordset(transactions) as (
      kind text, source text, reverses bigint, actor_kind ledger.actor_kind, actor_id bigint, request text, reason text, group_name text,
      provider_number text, must_be_new boolean, opens json, resolves json, lines json)) with ordinality as mine
  loop
    place := asked.place;
    hold_id := case when asked.opens is not null then nextval('ledger.hold_id_seq') end;
    its := row(nextval('ledger.transaction_id_seq'), asked.kind, asked.source, asked.reverses, asked.actor_kind, asked.actor_id,
      asked.request, asked.reason, asked.group_name, asked.provider_number, clock_timestamp(), null);
    select * into plan from ledger.plan_entries(its, hold_id, asked.lines);
    its.digest := ledger.digest_of(its, plan.entries);
    insert into ledger.transaction overriding system value values (its.*) on conflict (kind, source) do nothing;
    is_new := found;
    if is_new then
      perform ledger.write_entries(its, asked.opens, hold_id, asked.resolves, plan.entries, plan.sellers, plan.rests, plan.holds, plan.short,
        plan.has_room, plan.earns);
      id := its.id;
      taken := plan.taken;
    elsif asked.must_be_new then
      raise exception 'It was posted meanwhile' using errcode = 'serialization_failure';
    else
      select transaction.id into strict id from ledger.transaction where kind = asked.kind and source = asked.source;
      select hold.id into hold_id from ledger.hold where opened_by = post.id;
      select coalesce(sum(amount), 0) into taken from ledger.entry join ledger.account on account.id = account_id
        where transaction_id = post.id and name = 'platform';
    end if;
    return next;
  end loop;
end $$;
grant execute on function ledger.post to teahouse_app;

-- Writes the entries of a new transaction, with their effects: balances, the opened hold, the holds drawn from, which end when empty, and
-- earned points.
create or replace function ledger.write_entries(its ledger.transaction, opens json, new_hold bigint, resolves json,
  entries ledger.entry[], sellers bigint[], rests smallint[], holds bigint[], short json, has_room boolean, earns boolean) returns void
language plpgsql as $$
declare
  resolved bigint := (resolves ->> 'hold')::bigint;
begin
  if holds is not null or resolved is not null then
    if exists (select from unnest(holds || resolved) as drawn left join ledger.hold on hold.id = drawn and state = 'open'
        where drawn is not null and hold.id is null) then
      raise exception 'The hold is resolved' using errcode = 'TL004';
    end if;
  end if;
  if coalesce(cardinality(entries), 0) < 2 then
    raise exception 'A transaction has two sides' using errcode = 'TL005';
  end if;
  if short is not null then
    raise exception 'Not enough' using errcode = case when short ->> 'owed' = '0' then 'TL001' else 'TL008' end, detail = short;
  end if;
  if not has_room then
    raise exception 'More than an account holds' using errcode = 'TL003';
  end if;
  if new_hold is not null then
    insert into ledger.hold (id, kind, source, owner_id, currency, amount, opened_by) overriding system value
      values (new_hold, its.kind, its.source, (opens ->> 'owner')::bigint, (opens ->> 'currency')::ledger.currency, (opens ->> 'amount')::bigint, its.id);
    insert into ledger.account (id, name, owner_id, currency, balance) overriding system value
      select account_id, 'escrow', new_hold, currency, 0 from unnest(entries) as one
      where balance_after = (opens ->> 'amount')::bigint and not exists (select from ledger.account where account.id = account_id);
  end if;
  update ledger.account set balance = one.balance_after, earned = account.earned + one.earned, given = account.given + one.given
    from unnest(entries) as one where account.id = one.account_id and one.balance_after is not null;
  if sellers is not null then
    update ledger.account set share_rest = sold.rest from unnest(sellers, rests) as sold (id, rest) where account.id = sold.id and share_rest <> sold.rest;
  end if;
  insert into ledger.entry select * from unnest(entries);
  if holds is not null then
    update ledger.hold set state = coalesce(resolves ->> 'state', 'paid'), resolved_by = its.id from ledger.account
      where hold.id = any(holds) and state = 'open' and name = 'escrow' and account.owner_id = hold.id and balance = 0;
    if resolved is not null and not exists (select from ledger.hold where hold.id = resolved and resolved_by = its.id) then
      raise exception 'The hold is not empty' using errcode = 'TL005';
    end if;
  end if;
  if earns then
    update public.member set points_earned = points_earned + one.amount from unnest(entries) as one join ledger.account on account.id = one.account_id
      where name = 'member' and one.currency = 'points' and member.id = account.owner_id;
  end if;
end $$;
