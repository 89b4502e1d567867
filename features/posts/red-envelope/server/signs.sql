-- The number of openers of an envelope who share a browser. It is SQL because no page may select browser identifiers; this returns only
-- the count.
create or replace function red_envelope_shared_browsers(its_envelope bigint) returns int
stable language sql security definer set search_path = pg_catalog, pg_temp as $$
  with opener as (
    select member_id from public.red_envelope_share where envelope_id = its_envelope and member_id is not null order by claimed_at limit 1000
  ), browser as (
    select its.member_id, hash, its.member_id in (select member_id from opener) as has_opened from public.known_browser as its
    where its.member_id in (select member_id from opener union select giver_id from public.red_envelope where id = its_envelope)
  )
  select count(distinct member_id)::int from browser
  where has_opened and exists (select from browser as other where other.hash = browser.hash and other.member_id <> browser.member_id)
$$;
grant execute on function red_envelope_shared_browsers to teahouse_app, teahouse_reader;
