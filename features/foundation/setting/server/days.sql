-- The calendar day of daily limits. It is SQL because rewards use it in the statement that grants them, and because no process may use a
-- time zone that another one has just changed.

-- A calendar day of the site's time zone. On the day of a change, the day lasts until the new time zone begins.
create or replace function site_day(moment timestamptz) returns date stable language sql as $$
  select least((moment at time zone zone)::date, last_day) from site_zone where begins_at <= moment order by begins_at desc limit 1
$$;
grant execute on function site_day to teahouse_app, teahouse_reader;

-- A new time zone begins at its first midnight that is either the end of the current day in its own zone, or at least 24 hours after the
-- current day began. The minute ahead exceeds the duration of the transaction: no day ends between the change and its commit.
create or replace function change_site_zone(new_zone text, changed_at timestamptz) returns void language plpgsql as $$
declare
  moment timestamptz := changed_at + interval '1 minute';
  its site_zone;
  today date;
  earliest timestamptz;
begin
  delete from site_zone where begins_at > moment;
  select * into strict its from site_zone order by begins_at desc limit 1 for update;
  today := least((moment at time zone its.zone)::date, its.last_day);
  earliest := greatest(today::timestamp at time zone its.zone, its.begins_at) + interval '24 hours';
  update site_zone set last_day = today where begins_at = its.begins_at;
  insert into site_zone (begins_at, zone)
    select midnight, new_zone from generate_series(1, 5) as later, lateral (
      select (today + later)::timestamp at time zone new_zone as midnight) as its_midnight
    where midnight >= moment and (midnight >= earliest or midnight = (today + 1)::timestamp at time zone its.zone) order by midnight limit 1;
end $$;
grant execute on function change_site_zone to teahouse_app;
