-- Reading hidden parts. It is SQL because the program may not select from their tables, so that no flaw in it reveals a locked part.

-- Parts with their thread and author.
create or replace view hidden.placed as
  select part.*, coalesce(comment.topic_id, part.topic_id) as thread_id, coalesce(comment.author_id, topic.author_id) as author_id,
    coalesce(comment.status, topic.status) = 'published' as is_shown
  from hidden.part left join public.topic on topic.id = part.topic_id left join public.comment on comment.id = part.comment_id;

-- The public properties of parts.
create or replace view hidden.outline as
  select id, topic_id, comment_id, thread_id, author_id, lock, needs, position is not null as is_there, is_shown from hidden.placed;

-- The reason for which a reader sees a part; null where the part is locked to them.
create or replace function hidden.unlock_reason(its hidden.placed, reader bigint, sees_all boolean) returns text language sql stable
set search_path = pg_catalog, pg_temp as $$
  select case
    when its.author_id = reader then 'author'
    when exists (
      select from hidden.unlock as done where part_id = its.id and member_id = reader
        and not exists (select from ledger.transaction where reverses = done.transaction_id)) then 'unlocked'
    when exists (select from hidden.opened_before where part_id = its.id and member_id = reader) then 'unlocked'
    when sees_all then 'staff'
    when its.position is null then null
    when its.lock = 'comment' and (
      exists (select from public.comment where topic_id = its.thread_id and author_id = reader and status = 'published')
      or exists (select from public.reply where topic_id = its.thread_id and author_id = reader and status = 'published')) then 'spoken'
    when its.lock = 'level' and (select points_earned from public.member where id = reader) >= its.needs then 'level'
  end
$$;

-- The parts of a thread that a reader sees, in their order.
create or replace function hidden.reveal(its_thread bigint, reader bigint, sees_all boolean)
returns table (id text, why text, segments jsonb) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select its.id, seen.why, its.segments
  from (
    select placed.id from hidden.placed where topic_id = its_thread
    union all
    select part.id from hidden.part join public.comment on comment.id = comment_id where part.comment_id is not null and comment.topic_id = its_thread
  ) as there
    join hidden.placed as its on its.id = there.id, lateral (select hidden.unlock_reason(its, reader, sees_all) as why) as seen
  where its.is_shown and its.position is not null and seen.why is not null
  order by its.comment_id nulls first, its.position
$$;
grant execute on function hidden.reveal to teahouse_app, teahouse_reader;

-- One part with its place; its content only where the reader sees it.
create or replace function hidden.find(its_part text, reader bigint, sees_all boolean)
returns table (thread_id bigint, author_id bigint, lock text, needs bigint, is_there boolean, is_shown boolean, why text, segments jsonb, refunds int)
language sql stable rows 1 security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
  select its.thread_id, its.author_id, its.lock, its.needs, its.position is not null, its.is_shown, seen.why,
    case when seen.why is not null then its.segments end,
    (select count(*)::int from hidden.unlock join ledger.transaction on reverses = transaction_id where part_id = its.id and member_id = reader)
  from hidden.placed as its, lateral (select hidden.unlock_reason(its, reader, sees_all) as why offset 0) as seen where its.id = its_part
$$;
grant execute on function hidden.find to teahouse_app, teahouse_reader;

-- Those of the given parts that a reader sees, for the files in them.
create or replace function hidden.visible_among(its_parts text[], reader bigint, sees_all boolean) returns setof text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select its.id from hidden.placed as its where its.id = any(its_parts) and hidden.unlock_reason(its, reader, sees_all) is not null
$$;
grant execute on function hidden.visible_among to teahouse_app, teahouse_reader;

-- The properties of the parts of a topic or a comment, waiting edits included, without their content.
create or replace function hidden.properties(its_topic bigint, its_comment bigint) returns table (id text, lock text, needs bigint, file_ids text[])
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(part.id, waiting.id), coalesce(waiting.lock, part.lock), coalesce(waiting.needs, part.needs), coalesce(waiting.file_ids, part.file_ids)
  from (select * from hidden.part where topic_id = its_topic or comment_id = its_comment) as part
    full join (select * from hidden.waiting where topic_id = its_topic) as waiting on waiting.id = part.id
$$;
grant execute on function hidden.properties to teahouse_app, teahouse_reader;

-- Documents of parts, for their author and for staff with the right: as published, or as in the waiting edit.
create or replace function hidden.documents(its_topic bigint, reader bigint, sees_all boolean, that_wait boolean)
returns table (id text, document jsonb) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select its.id, coalesce(waiting.document, its.document)
  from hidden.placed as its
    left join hidden.waiting on that_wait and waiting.topic_id = its_topic and waiting.id = its.id
  where its.topic_id = its_topic and (its.author_id = reader or sees_all)
  union all
  select waiting.id, waiting.document from hidden.waiting join public.topic on topic.id = waiting.topic_id
  where that_wait and waiting.topic_id = its_topic and waiting.document is not null and (topic.author_id = reader or sees_all)
    and not exists (select from hidden.part where part.id = waiting.id)
$$;
grant execute on function hidden.documents to teahouse_app, teahouse_reader;

-- Whether the given parts differ from the stored ones.
create or replace function hidden.has_changes(parts json) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (
    select from json_to_recordset(parts) as its (id text, lock text, needs bigint, password_hash text, document jsonb) left join hidden.part on part.id = its.id
    where its.document is not null
      and (its.password_hash is not null or (part.lock, part.needs, part.document) is distinct from (its.lock, its.needs, its.document)))
$$;
grant execute on function hidden.has_changes to teahouse_app, teahouse_reader;

-- All versions of the parts of a thread, for staff: in the order of the page, removed parts last.
create or replace function hidden.for_staff(its_thread bigint)
returns table (id text, stands text, lock text, needs bigint, segments jsonb, at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  with its as (
    select * from hidden.placed where topic_id = its_thread
    union all
    select placed.* from hidden.placed join public.comment on comment.id = placed.comment_id
      where placed.comment_id is not null and comment.topic_id = its_thread),
  said as (
    select its.id, case when position is null then 'takenOut' else 'shown' end as stands, its.lock, its.needs, its.segments, written_at, comment_id, position
      from its
    union all
    select part_id, 'earlier', earlier.lock, earlier.needs, earlier.segments, earlier.written_at, comment_id, position
      from hidden.earlier join its on its.id = part_id
    union all
    select waiting.id, 'waiting', waiting.lock, waiting.needs, waiting.segments, null, null, waiting.position from hidden.waiting
      where waiting.topic_id = its_thread and waiting.document is not null)
  select said.id, said.stands, said.lock, said.needs, said.segments, written_at from said
  order by comment_id nulls first, position nulls last, said.id, written_at desc nulls first
$$;
grant execute on function hidden.for_staff to teahouse_app, teahouse_reader;

-- A part as it was when a reader paid for it, where it differs from the part of today.
create or replace function hidden.as_bought(its_part text, reader bigint) returns jsonb language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
  select earlier.segments from hidden.unlock as done
    join hidden.earlier on earlier.part_id = done.part_id and written_at <= done.at and done.at < replaced_at
    join hidden.part on part.id = done.part_id and part.segments <> earlier.segments
  where done.part_id = its_part and member_id = reader and transaction_id is not null
    and not exists (select from ledger.transaction where reverses = done.transaction_id)
  order by done.id desc limit 1
$$;
grant execute on function hidden.as_bought to teahouse_app, teahouse_reader;
