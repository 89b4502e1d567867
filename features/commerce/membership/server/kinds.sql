-- Rules for the prices of membership cards, and their durations. They are SQL because no price may be taken without the order and the
-- time that it buys, whatever the program does, and because the ledger check calculates days and months as purchases do.

-- The end of a duration. Days and months follow the calendar of the time zone. A month ends on the anchor day, or on its last day if it
-- is shorter: months that begin on the 31st end on the 28th of February, and then on the 31st of March.
create or replace function membership_end(start timestamptz, length int, its_unit text, anchor int, zone text) returns timestamptz immutable language sql as $$
  select case its_unit
    when 'hour' then start + make_interval(hours => length)
    when 'day' then ((start at time zone zone) + make_interval(days => length)) at time zone zone
    else (
      select (month + make_interval(days => least(anchor, extract(day from month + interval '1 month' - interval '1 day')::int) - 1)
          + (start at time zone zone)::time) at time zone zone
        from (select date_trunc('month', start at time zone zone) + make_interval(months => length * case its_unit when 'year' then 12 else 1 end) as month) as its)
  end
$$;
grant execute on function membership_end to teahouse_app, teahouse_reader;

-- Whether an order was charged to its buyer only, at its price.
create or replace function is_charged_order(bought membership_order) returns boolean stable language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  return case when bought.cents = 0 and bought.points = 0 then bought.transaction_id is null else
      exists (select from ledger.transaction as its where its.id = bought.transaction_id and kind = 'membership' and source = 'order:' || bought.number)
      and not exists (
        select from (
          select member_id, currency, amount from ledger.member_amounts(bought.transaction_id)
          union all select ledger.current_member(bought.buyer_id), 'cny', bought.cents union all select ledger.current_member(bought.buyer_id), 'points', bought.points
        ) as side group by member_id, currency having sum(amount) <> 0) end;
end $$;
grant execute on function is_charged_order to teahouse_app, teahouse_reader;

-- Whether an order was paid, and lasts as long as its row says.
create or replace function is_paid_order(bought membership_order) returns boolean stable language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  return upper(bought.during) = membership_end(lower(bought.during), bought.duration * bought.quantity, bought.unit, bought.anchor_day, bought.zone)
    and is_charged_order(bought);
end $$;
grant execute on function is_paid_order to teahouse_app, teahouse_reader;

-- The transaction pays an order, whose holder has the role for its whole time.
create or replace function allows_membership(its ledger.transaction) returns boolean stable language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (
    select from membership_order as bought join role_holding as held
      on held.member_id = bought.member_id and held.role_id = bought.role_id and held.during @> bought.during
    where bought.transaction_id = its.id and is_paid_order(bought));
end $$;
select ledger.declare_kind('membership', '{member-,membership+}', 'allows_membership(ledger.transaction)');

-- Whether a refund paid the row's amount to the buyer only, and no more than the ledger says was paid.
create or replace function is_paid_refund(back membership_refund) returns boolean stable language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  bought membership_order := (select its from membership_order as its where its.id = back.order_id);
begin
  return back.cents <= bought.cents and back.points <= bought.points and is_charged_order(bought)
    and case when back.cents = 0 and back.points = 0 then back.transaction_id is null else
      exists (select from ledger.transaction as its where its.id = back.transaction_id and kind = 'membershipRefunded' and source = 'order:' || bought.number)
      and not exists (
        select from (
          select member_id, currency, amount from ledger.member_amounts(back.transaction_id)
          union all select ledger.current_member(bought.buyer_id), 'cny', -back.cents union all select ledger.current_member(bought.buyer_id), 'points', -back.points
        ) as side group by member_id, currency having sum(amount) <> 0) end;
end $$;
grant execute on function is_paid_refund to teahouse_app, teahouse_reader;

create or replace function allows_membership_refunded(its ledger.transaction) returns boolean stable language plpgsql
set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (select from membership_refund as back where back.transaction_id = its.id and is_paid_refund(back));
end $$;
select ledger.declare_kind('membershipRefunded', '{member+,membership-}', 'allows_membership_refunded(ledger.transaction)');

-- The unused part of an amount: days that have begun are used, or hours for durations in hours.
create or replace function membership_remainder(amount bigint, during tstzrange, its_unit text, moment timestamptz) returns bigint immutable language sql as $$
  select floor(amount::numeric * (total - least(total, greatest(0, used))) / total)::bigint
  from (
    select greatest(1, round(extract(epoch from upper(during) - lower(during)) / size)) as total,
      ceil(extract(epoch from moment - lower(during)) / size) as used
    from (select case its_unit when 'hour' then 3600 else 86400 end as size) as its) as counted
$$;
grant execute on function membership_remainder to teahouse_app, teahouse_reader;

-- The orders that currently give their holders a role: not refunded, and the role not taken away by staff.
create or replace view membership_running as
  select bought.* from membership_order as bought
  where upper(during) > clock_timestamp() and not exists (select from membership_refund where order_id = bought.id)
    and exists (
      select from role_holding as held
      where held.member_id = bought.member_id and held.role_id = bought.role_id and held.during @> bought.during);
grant select on membership_running to teahouse_app, teahouse_reader;
