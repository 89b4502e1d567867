-- The audit log. It is SQL because the application must not be able to change it: it may neither insert a row nor move the head. The hash
-- is computed over rows as stored, so no value, clock or driver changes the hashed bytes.

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'What staff did cannot be changed' using errcode = '42501';
end $$;
create or replace trigger audit_log_is_append_only before update or delete or truncate on audit_log for each statement execute function refuse_audit_change();

-- Columns are hashed in their order, since their names may change.
create or replace function audit_hash(previous bytea, entry audit_log) returns bytea stable language sql as $$
  select sha256(previous || convert_to(jsonb_build_array(entry.id, extract(epoch from entry.at), entry.staff_id, entry.account, entry.ip,
    entry.action, entry.about, entry.reason, entry.before, entry.after)::text, 'UTF8'))
$$;
grant execute on function audit_hash to teahouse_app, teahouse_reader;

-- The only way to append entries: [{ action, about, reason, before, after }], in order.
create or replace function append_audit(by_staff bigint, by_account text, by_ip text, entries jsonb) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  head public.audit_log_head;
  entry public.audit_log;
begin
  select * into strict head from public.audit_log_head for update;
  for entry in
    select head.id + ordinality, clock_timestamp(), by_staff, by_account, by_ip, its.action, its.about, its.reason, its.before, its.after
    from rows from (jsonb_to_recordset(entries) as (action text, about text, reason text, before jsonb, after jsonb)) with ordinality as its
    order by ordinality
  loop
    head.id := entry.id;
    head.hash := public.audit_hash(head.hash, entry);
    entry.hash := head.hash;
    insert into public.audit_log values (entry.*);
  end loop;
  update public.audit_log_head set id = head.id, hash = head.hash;
end $$;
grant execute on function append_audit to teahouse_app;
