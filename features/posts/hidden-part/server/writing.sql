-- Writing, moving and erasing hidden parts. It is SQL because the program may not write to their tables.

-- Writes all parts of a post. Answers 'more' where a part is new, returns to the page or has another text: that text may have been public, so earlier
-- versions of the post are to be withheld. Otherwise 'other' for a changed part, and 'same'.
create or replace function hidden.save(its_topic bigint, its_comment bigint, parts json) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  its record;
  old hidden.part;
  came_out text := case when hidden.has_changes(parts) then 'other' else 'same' end;
begin
  for its in select * from json_to_recordset(parts) as (
    id text, position int, lock text, needs bigint, password_hash text, document jsonb, segments jsonb, file_ids text[])
  loop
    select * into old from hidden.part where part.id = its.id for update;
    if old.id is not null and (old.topic_id is distinct from its_topic or old.comment_id is distinct from its_comment) then
      raise exception 'Part % belongs elsewhere', its.id;
    end if;
    if old.id is null or old.position is null or old.document is distinct from coalesce(its.document, old.document) then
      came_out := 'more';
    end if;
    if its.document is null then
      update hidden.part set position = its.position where part.id = its.id;
      if not found then raise exception 'There is no part %', its.id; end if;
    elsif old.id is null then
      insert into hidden.part (id, topic_id, comment_id, position, lock, needs, password_hash, document, segments, file_ids)
        values (its.id, its_topic, its_comment, its.position, its.lock, its.needs, its.password_hash, its.document, its.segments, its.file_ids);
    else
      if (old.lock, old.needs, old.document) is distinct from (its.lock, its.needs, its.document) then
        insert into hidden.earlier (part_id, version, lock, needs, document, segments, file_ids, written_at)
          values (old.id, old.version, old.lock, old.needs, old.document, old.segments, old.file_ids, old.written_at);
        update hidden.part set version = version + 1, written_at = clock_timestamp() where part.id = its.id;
      end if;
      update hidden.part set position = its.position, lock = its.lock, needs = its.needs,
        password_hash = case when its.lock = 'password' then coalesce(its.password_hash, old.password_hash) end,
        document = its.document, segments = its.segments, file_ids = its.file_ids
        where part.id = its.id;
    end if;
  end loop;
  update hidden.part set position = null
    where (topic_id = its_topic or comment_id = its_comment) and position is not null
      and part.id not in (select named.id from json_to_recordset(parts) as named (id text));
  return came_out;
end $$;
grant execute on function hidden.save to teahouse_app;

-- Keeps the parts of an edit until staff approve it.
create or replace function hidden.stage(its_topic bigint, parts json) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from hidden.waiting where topic_id = its_topic and id not in (select named.id from json_to_recordset(parts) as named (id text));
  insert into hidden.waiting as now (topic_id, id, position, lock, needs, password_hash, document, segments, file_ids)
    select its_topic, its.* from json_to_recordset(parts) as its (
      id text, position int, lock text, needs bigint, password_hash text, document jsonb, segments jsonb, file_ids text[])
    on conflict (topic_id, id) do update set position = excluded.position,
      lock = case when excluded.document is null then now.lock else excluded.lock end,
      needs = case when excluded.document is null then now.needs else excluded.needs end,
      password_hash = coalesce(excluded.password_hash, now.password_hash),
      document = coalesce(excluded.document, now.document), segments = coalesce(excluded.segments, now.segments),
      file_ids = coalesce(excluded.file_ids, now.file_ids);
end $$;
grant execute on function hidden.stage to teahouse_app;

-- Publishes the parts of an approved edit. Answers the files in each.
create or replace function hidden.apply_staged(its_topic bigint) returns table (id text, file_ids text[], came_out text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  how text;
begin
  how := hidden.save(its_topic, null, coalesce((select json_agg(waiting) from hidden.waiting where waiting.topic_id = its_topic), '[]'));
  return query delete from hidden.waiting where waiting.topic_id = its_topic returning waiting.id, coalesce(waiting.file_ids, '{}'), how;
end $$;
grant execute on function hidden.apply_staged to teahouse_app;

create or replace function hidden.discard_staged(its_topic bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from hidden.waiting where topic_id = its_topic
$$;
grant execute on function hidden.discard_staged to teahouse_app;

-- Moves the parts of an opening post that became a comment, or the other way round.
create or replace function hidden.convert(from_topic bigint, from_comment bigint, its_topic bigint, its_comment bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update hidden.part set topic_id = its_topic, comment_id = its_comment where topic_id = from_topic or comment_id = from_comment
$$;
grant execute on function hidden.convert to teahouse_app;

-- Erases the text of parts, with their earlier versions.
create or replace function hidden.erase(its_topics bigint[], its_comments bigint[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ids text[] := array(select part.id from hidden.part where topic_id = any(its_topics) or comment_id = any(its_comments));
begin
  delete from hidden.earlier where part_id = any(ids);
  delete from hidden.waiting where topic_id = any(its_topics);
  update hidden.part set position = null, document = '{"type":"doc","content":[]}', segments = '[]', file_ids = '{}',
    password_hash = case when lock = 'password' then '' end where id = any(ids);
end $$;
grant execute on function hidden.erase to teahouse_app;

-- Gives the unlocks of a merged account to the other one.
create or replace function hidden.merge(from_member bigint, to_member bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update hidden.unlock as its set member_id = to_member where member_id = from_member and not exists (
    select from hidden.unlock as same where same.part_id = its.part_id and same.member_id = to_member
      and same.transaction_id is not distinct from its.transaction_id);
  update hidden.opened_before as its set member_id = to_member where member_id = from_member and not exists (
    select from hidden.opened_before as same where same.part_id = its.part_id and same.member_id = to_member)
$$;
grant execute on function hidden.merge to teahouse_app;

-- Writes the current name of a member into the parts that mention them.
create or replace function hidden.rename(its_member bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  its_name text := (select coalesce(nickname, account) from public.member where id = its_member);
begin
  update hidden.part set document = public.rename_in_document(document, its_member, its_name), segments = public.rename_in_html(segments, its_member, its_name)
    where public.members_named(document) <> '{}' and public.members_named(document) @> array[its_member];
  update hidden.earlier set document = public.rename_in_document(document, its_member, its_name), segments = public.rename_in_html(segments, its_member, its_name)
    where public.members_named(document) <> '{}' and public.members_named(document) @> array[its_member];
  update hidden.waiting set document = public.rename_in_document(document, its_member, its_name), segments = public.rename_in_html(segments, its_member, its_name)
    where public.members_named(document) <> '{}' and public.members_named(document) @> array[its_member];
end $$;
grant execute on function hidden.rename to teahouse_app;

-- Marks refunds for paid parts. All parts are locked, so that a purchase commits before or finds them gone.
create or replace function hidden.mark_refund_due(its_topics bigint[], its_comments bigint[], erased boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ids text[] := array(
    select part.id from hidden.part where topic_id = any(its_topics) or comment_id = any(its_comments)
    union
    select part.id from hidden.part join public.comment on comment.id = comment_id
      where part.comment_id is not null and comment.topic_id = any(its_topics) and not erased);
begin
  perform from hidden.part where id = any(ids) order by id for update;
  insert into public.refund_due as due (part_id, is_erased)
    select distinct part_id, erased from hidden.unlock as done
    where part_id = any(ids) and transaction_id is not null and not exists (select from ledger.transaction where reverses = done.transaction_id)
    on conflict (part_id) do update set is_erased = due.is_erased or excluded.is_erased;
end $$;
grant execute on function hidden.mark_refund_due to teahouse_app;
