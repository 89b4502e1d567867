-- What comes into a hidden part may have stood in the open before, and so may a part that was taken out and is put back: what the topic said
-- before is withheld then, as it is where a part is new.
create or replace function hidden.write(its_topic bigint, its_comment bigint, parts json) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  its record;
  old hidden.part;
  came_out text := case when hidden.differs(parts) then 'other' else 'same' end;
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
revoke all on all functions in schema hidden from public;
