-- Hidden parts of topics. What is locked lies in a schema of its own that neither role of the program reads: only the functions below do,
-- and whoever asks them for what lies there is asked first whether they may see it.

create schema hidden;

-- A part stands in the opening of a topic, or in a comment that was the opening of one.
create table hidden.part (
  id             text primary key check (id ~ '^[\w-]{1,40}$'),
  topic_id       bigint references topic,
  comment_id     bigint references comment,
  position       int,                                        -- null: it was taken out
  lock           text not null check (lock in ('password', 'comment', 'level', 'points', 'balance')),
  needs          bigint check (needs >= 0),                  -- the points that a level needs, or the price in points or cents
  password_hash  text,
  document       jsonb not null,
  segments       jsonb not null,
  file_ids       text[] not null,
  version        int not null default 1,
  written_at     timestamptz not null default clock_timestamp(),
  check (num_nonnulls(topic_id, comment_id) = 1),
  check ((lock in ('level', 'points', 'balance')) = (needs is not null)),
  check ((lock = 'password') = (password_hash is not null))
);
create index on hidden.part (topic_id);                                        -- what a thread hides
create index on hidden.part (comment_id) where comment_id is not null;

-- What a part said before.
create table hidden.earlier (
  part_id      text not null references hidden.part,
  version      int not null,
  lock         text not null,
  needs        bigint,
  document     jsonb not null,
  segments     jsonb not null,
  file_ids     text[] not null,
  written_at   timestamptz not null,
  replaced_at  timestamptz not null default clock_timestamp(),
  primary key (part_id, version)
);

-- What the parts of a topic shall be once staff approve an edit of it. Without a document: as it is.
create table hidden.waiting (
  topic_id       bigint not null references topic,
  id             text not null,
  position       int not null,
  lock           text not null,
  needs          bigint,
  password_hash  text,
  document       jsonb,
  segments       jsonb,
  file_ids       text[],
  primary key (topic_id, id)
);

-- Who opened a part for good: by its password, or for what they paid. A payment that was reversed opens nothing.
create table hidden.unlock (
  id              bigint generated always as identity primary key,
  part_id         text not null references hidden.part,
  member_id       bigint not null references member,
  at              timestamptz not null default clock_timestamp(),
  lock            text not null check (lock in ('password', 'points', 'balance')),
  paid            bigint not null default 0 check (paid >= 0),
  earned          bigint not null default 0 check (earned between 0 and paid),   -- what of it was the author's
  transaction_id  bigint unique references ledger.transaction,
  unique nulls not distinct (part_id, member_id, transaction_id),   -- once
  check ((lock = 'password') = (transaction_id is null)),
  check ((lock = 'password') = (paid = 0))
);
create index on hidden.unlock (part_id, id desc);     -- who opened what is mine
create index on hidden.unlock (member_id, id desc);   -- what I opened

-- Passwords that were tried, right or wrong.
create table hidden.try (
  topic_id   bigint not null,
  member_id  bigint not null references member,
  at         timestamptz not null default clock_timestamp()
);
create index on hidden.try (member_id, topic_id, at);

-- Whether somebody has spoken in a thread is asked whenever they look at one with a part that a comment opens.
create index on comment (topic_id, author_id) where status = 'published';
create index on reply (topic_id, author_id) where status = 'published';

-- Which kinds of locks a topic has, for its row in lists.
alter table topic add column locks text[] not null default '{}';

-- A file may be seen in a hidden part by those who see the part.
alter table file_use add column part_id text;
alter table file_use drop constraint file_use_file_id_topic_id_comment_id_reply_id_key,
  add unique nulls not distinct (file_id, topic_id, comment_id, reply_id, part_id);

-- Parts with the thread they stand in, and whose they are.
create view hidden.placed as
  select part.*, coalesce(comment.topic_id, part.topic_id) as thread_id, coalesce(comment.author_id, topic.author_id) as author_id,
    coalesce(comment.status, topic.status) = 'published' as is_shown
  from hidden.part left join public.topic on topic.id = part.topic_id left join public.comment on comment.id = part.comment_id;

-- What all may know of them.
create view hidden.outline as
  select id, topic_id, comment_id, thread_id, author_id, lock, needs, position is not null as is_there, is_shown from hidden.placed;

-- Why somebody may see a part; null where they may not.
create function hidden.why(its hidden.placed, reader bigint, sees_all boolean) returns text language sql stable
set search_path = pg_catalog, pg_temp as $$
  select case
    when its.author_id = reader then 'author'
    when exists (
      select from hidden.unlock as done where part_id = its.id and member_id = reader
        and not exists (select from ledger.transaction where reverses = done.transaction_id)) then 'unlocked'
    when sees_all then 'staff'
    when its.position is null then null
    when its.lock = 'comment' and (
      exists (select from public.comment where topic_id = its.thread_id and author_id = reader and status = 'published')
      or exists (select from public.reply where topic_id = its.thread_id and author_id = reader and status = 'published')) then 'spoken'
    when its.lock = 'level' and (select points_earned from public.member where id = reader) >= its.needs then 'level'
  end
$$;

-- What somebody may see of the parts of a thread.
create function hidden.reveal(its_thread bigint, reader bigint, sees_all boolean)
returns table (id text, why text, segments jsonb) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select its.id, seen.why, its.segments
  from (
    select placed.id from hidden.placed where topic_id = its_thread
    union all
    select part.id from hidden.part join public.comment on comment.id = comment_id where part.comment_id is not null and comment.topic_id = its_thread
  ) as there
    join hidden.placed as its on its.id = there.id, lateral (select hidden.why(its, reader, sees_all) as why) as seen
  where its.is_shown and its.position is not null and seen.why is not null
  order by its.comment_id nulls first, its.position
$$;

-- One part with where it stands: its content only where they may see it.
create function hidden.one(its_part text, reader bigint, sees_all boolean)
returns table (thread_id bigint, author_id bigint, lock text, needs bigint, is_there boolean, is_shown boolean, why text, segments jsonb, refunds int)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select its.thread_id, its.author_id, its.lock, its.needs, its.position is not null, its.is_shown, seen.why,
    case when seen.why is not null then its.segments end,
    (select count(*)::int from hidden.unlock join ledger.transaction on reverses = transaction_id where part_id = its.id and member_id = reader)
  from hidden.placed as its, lateral (select hidden.why(its, reader, sees_all) as why) as seen where its.id = its_part
$$;

-- The same for whoever is about to open it: until their transaction ends it stays as they read it.
create function hidden.about_to_open(its_part text, reader bigint)
returns table (thread_id bigint, author_id bigint, lock text, needs bigint, is_there boolean, is_shown boolean, why text, segments jsonb, refunds int)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from hidden.part where id = its_part for share;
  return query select * from hidden.one(its_part, reader, false);
end $$;

-- Which of these parts somebody may see, for the files in them.
create function hidden.seen(its_parts text[], reader bigint, sees_all boolean) returns setof text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select its.id from hidden.placed as its where its.id = any(its_parts) and hidden.why(its, reader, sees_all) is not null
$$;

-- What may be known of the parts of a topic or a comment without seeing them.
create function hidden.known(its_topic bigint, its_comment bigint) returns table (id text, lock text, needs bigint, file_ids text[])
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(part.id, waiting.id), coalesce(waiting.lock, part.lock), coalesce(waiting.needs, part.needs), coalesce(waiting.file_ids, part.file_ids)
  from (select * from hidden.part where topic_id = its_topic or comment_id = its_comment) as part
    full join (select * from hidden.waiting where topic_id = its_topic) as waiting on waiting.id = part.id
$$;

-- The parts as they were written, for their author and for staff who may see them: those on the page, or those that wait.
create function hidden.whole(its_topic bigint, reader bigint, sees_all boolean, that_wait boolean)
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

-- Whether a part would be another than it is.
create function hidden.differs(parts json) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (
    select from json_to_recordset(parts) as its (id text, lock text, needs bigint, password_hash text, document jsonb) left join hidden.part on part.id = its.id
    where its.document is not null
      and (its.password_hash is not null or (part.lock, part.needs, part.document) is distinct from (its.lock, its.needs, its.document)))
$$;

-- The parts of an opening from now on, in the transaction that writes it. What has no document stays as it is. Says whether all are
-- as they were, one is another now, or one is hidden that was not.
create function hidden.write(its_topic bigint, its_comment bigint, parts json) returns text
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
    if its.document is null then
      update hidden.part set position = its.position where part.id = its.id;
      if not found then raise exception 'There is no part %', its.id; end if;
    elsif old.id is null then
      came_out := 'more';
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

-- The same once staff approve it.
create function hidden.hold(its_topic bigint, parts json) returns void
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

-- Puts what waited in place. Answers the files in it, by part.
create function hidden.apply(its_topic bigint) returns table (id text, file_ids text[], came_out text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  how text;
begin
  how := hidden.write(its_topic, null, coalesce((select json_agg(waiting) from hidden.waiting where waiting.topic_id = its_topic), '[]'));
  return query delete from hidden.waiting where waiting.topic_id = its_topic returning waiting.id, coalesce(waiting.file_ids, '{}'), how;
end $$;

-- All that the parts of a topic and of what was merged into it say, said before, or shall say, for staff who may see it.
create function hidden.for_staff(its_thread bigint)
returns table (id text, stands text, lock text, needs bigint, segments jsonb, at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  with its as (
    select * from hidden.placed where topic_id = its_thread
    union all
    select placed.* from hidden.placed join public.comment on comment.id = placed.comment_id
      where placed.comment_id is not null and comment.topic_id = its_thread)
  select its.id, case when position is null then 'takenOut' else 'shown' end, its.lock, its.needs, its.segments, written_at from its
  union all
  select part_id, 'earlier', earlier.lock, earlier.needs, earlier.segments, earlier.written_at from hidden.earlier join its on its.id = part_id
  union all
  select waiting.id, 'waiting', waiting.lock, waiting.needs, waiting.segments, null from hidden.waiting
    where waiting.topic_id = its_thread and waiting.document is not null
  order by 1, 6 desc nulls first
$$;

create function hidden.wait_no_more(its_topic bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from hidden.waiting where topic_id = its_topic
$$;

-- An opening became a comment, or the other way round.
create function hidden.becomes(from_topic bigint, from_comment bigint, its_topic bigint, its_comment bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update hidden.part set topic_id = its_topic, comment_id = its_comment where topic_id = from_topic or comment_id = from_comment
$$;

-- The words of parts go for good, with what they said before.
create function hidden.erase(its_topics bigint[], its_comments bigint[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ids text[] := array(select part.id from hidden.part where topic_id = any(its_topics) or comment_id = any(its_comments));
begin
  delete from hidden.earlier where part_id = any(ids);
  delete from hidden.waiting where topic_id = any(its_topics);
  update hidden.part set position = null, document = '{"type":"doc","content":[]}', segments = '[]', file_ids = '{}',
    password_hash = case when lock = 'password' then '' end where id = any(ids);
end $$;

-- The hash of a password somebody tries, after the try was counted; null where they tried too often.
create function hidden.try_password(its_part text, its_member bigint, in_minute int, in_day int) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  its record;
begin
  select thread_id, password_hash into its from hidden.placed where id = its_part and lock = 'password' and position is not null;
  if its.thread_id is null then return ''; end if;
  -- Those who try at once are counted one after the other.
  perform pg_advisory_xact_lock(hashtextextended(its_member || ' tries ' || its.thread_id, 0));
  if (select count(*) filter (where at > clock_timestamp() - interval '1 minute') >= in_minute or count(*) >= in_day
      from hidden.try where member_id = its_member and topic_id = its.thread_id and at > clock_timestamp() - interval '1 day') then
    return null;
  end if;
  delete from hidden.try where member_id = its_member and at < clock_timestamp() - interval '1 day';
  insert into hidden.try (topic_id, member_id) values (its.thread_id, its_member);
  return its.password_hash;
end $$;

-- Says that somebody opened a part; false where they had.
create function hidden.open(its_part text, its_member bigint, its_lock text, its_paid bigint, its_earned bigint, its_transaction bigint)
returns boolean language sql security definer set search_path = pg_catalog, pg_temp as $$
  with made as (
    insert into hidden.unlock (part_id, member_id, lock, paid, earned, transaction_id)
    values (its_part, its_member, its_lock, its_paid, its_earned, its_transaction) on conflict do nothing returning 1)
  select exists (select from made)
$$;

-- One account goes on as another: what either opened is open to it.
create function hidden.merge(from_member bigint, to_member bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update hidden.unlock as its set member_id = to_member where member_id = from_member and not exists (
    select from hidden.unlock as same where same.part_id = its.part_id and same.member_id = to_member
      and same.transaction_id is not distinct from its.transaction_id)
$$;

revoke all on all functions in schema hidden from public;

-- Who publishes topics may hide parts of them.
insert into role_right (role_id, right_name, tag_id)
select distinct role_id, also.name, null::bigint from role_right, unnest(array['password', 'comment', 'level', 'points', 'balance']) as lock,
  lateral (select 'hidden.' || lock as name) as also
where right_name = 'topic.publish';
