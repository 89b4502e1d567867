-- The sums of months. They are SQL because the program may not write to the ledger.

-- Adds the entries up to this transaction. The caller has checked them, and knows that no earlier transaction is still uncommitted.
-- Points count as given by the site in a transaction that moves `promotion` or `adjustment`, as for `points_earned`.
create or replace function ledger.sum_months(its_upto bigint, its_zone text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  last ledger.summed;
  site bigint[] := array(select id from ledger.account where name in ('promotion', 'adjustment') and owner_id is null and currency = 'points');
begin
  insert into ledger.summed (zone) values (its_zone) on conflict do nothing;
  select * into last from ledger.summed for update;
  if last.zone <> its_zone then
    delete from ledger.month_sum;
    update ledger.summed set upto = 0, zone = its_zone;
  elsif last.upto < its_upto then
    insert into ledger.month_sum as kept
      select account_id, date_trunc('month', its.at at time zone its_zone)::date as month,
        coalesce(sum(amount) filter (where amount > 0), 0), coalesce(-sum(amount) filter (where amount < 0), 0), count(*),
        (array_agg(balance_after order by its.id desc))[1], sum(earned), sum(given),
        coalesce(sum(amount) filter (where currency = 'points' and exists (
          select from ledger.entry as side where side.transaction_id = its.id and side.account_id = any(site))), 0)
      from ledger.entry join ledger.transaction as its on its.id = entry.transaction_id
      where entry.transaction_id between last.upto + 1 and its_upto
      group by account_id, month
      on conflict (account_id, month) do update set incoming = kept.incoming + excluded.incoming, outgoing = kept.outgoing + excluded.outgoing,
        entries = kept.entries + excluded.entries, balance = excluded.balance, earned = kept.earned + excluded.earned,
        given = kept.given + excluded.given, from_site = kept.from_site + excluded.from_site;
    update ledger.summed set upto = its_upto;
  end if;
end $$;
grant execute on function ledger.sum_months to teahouse_app;

-- Adds a seal, which the program makes with its key.
create or replace function ledger.add_seal(its_id bigint, its_hash bytea) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into ledger.seal (id, hash) values (its_id, its_hash)
$$;
grant execute on function ledger.add_seal to teahouse_app;
create or replace trigger immutable before update or truncate on ledger.seal for each statement execute function ledger.refuse_change();

-- Removes all seals, which another key cannot verify.
create or replace function ledger.forget_seals() returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from ledger.seal
$$;
grant execute on function ledger.forget_seals to teahouse_app;

grant execute on function ledger.digest_of to teahouse_app, teahouse_reader;
