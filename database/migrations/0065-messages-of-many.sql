-- What members report of what was written to them, and what happens to the messages of many at once. What a report says lies apart, and is read by
-- nothing but the function that opens it.

create table message_report (
  id           bigint generated always as identity primary key,
  message_id   bigint not null references message,
  message_ids  bigint[] not null,                     -- with those before and after it that staff may read
  author_id    bigint not null references member,     -- who wrote the message
  reporter_id  bigint not null references member,     -- to whom
  reason       text not null,
  reported_at  timestamptz not null default clock_timestamp(),
  outcome      text check (outcome in ('upheld', 'dismissed')),
  result       text,                                  -- a word to the reporter
  decided_by   bigint references staff,
  decided_at   timestamptz,
  check ((outcome is null) = (decided_at is null) and (outcome is null) = (decided_by is null) and (outcome is null) = (result is null)),
  unique (message_id, reporter_id)
);
create index on message_report (id desc) where outcome is null;   -- those that wait
create index on message_report (author_id, id desc);              -- what is reported of one member
create index on message_report (reporter_id);                     -- when two members become one
create index on message_report using gin (message_ids);           -- whether files of a message are staff's to see still

-- The message and the few around it, as the reporter had them then.
create table message_report_copy (
  report_id    bigint primary key references message_report,
  reporter_id  bigint not null references member,
  messages     jsonb not null
);
alter table message_report_copy enable row level security;
create policy its_reporter_writes on message_report_copy for insert with check (asking_member() = reporter_id);

create function reported_messages(report bigint) returns jsonb
stable language sql security definer set search_path = pg_catalog, pg_temp as $$
  select messages from public.message_report_copy where report_id = report
$$;

-- Counts anew what one of two has of a conversation.
create function count_messages(whose bigint, other bigint) returns void language sql as $$
  update public.message_side as side set
    last_id = coalesce((
      select id from public.message where low_id = least(whose, other) and high_id = greatest(whose, other) and public.message_shown(message, whose)
      order by id desc limit 1), 0),
    unread = (
      select count(*) from public.message where low_id = least(whose, other) and high_id = greatest(whose, other) and public.message_shown(message, whose)
        and author_id = other and id > side.read_to)
  where member_id = whose and other_id = other
$$;

-- As who writes does, and who blocks.
create function lock_between(one bigint, other bigint) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('blocking ' || least(one::text collate "C", other::text collate "C") || ' '
    || greatest(one::text collate "C", other::text collate "C"), 0))
$$;

-- Takes away all that a member wrote from whom they wrote it to, or brings back what a cleaning took. Gives whom it concerns.
create function clean_messages(author bigint, cleaning bigint, away boolean) returns bigint[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  readers bigint[] := array(select other_id from public.message_side where member_id = author order by other_id);
  reader bigint;
begin
  foreach reader in array readers loop
    perform public.lock_between(author, reader);
    update public.message set cleaned_by = case when away then cleaning end
      where low_id = least(author, reader) and high_id = greatest(author, reader) and author_id = author
        and cleaned_by is not distinct from case when not away then cleaning end;
    perform public.count_messages(reader, author);
  end loop;
  return readers;
end $$;

-- Two members are one: what either wrote with others, that one has, and what both did is one conversation. What they wrote to each other stays
-- with who is no more. Gives whom it concerns.
create function merge_messages(old bigint, new bigint) returns bigint[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  others bigint[] := array(select other_id from public.message_side where member_id = old and other_id <> new order by other_id);
  other bigint;
begin
  foreach other in array others loop
    perform public.lock_between(old, other), public.lock_between(new, other);
    update public.message set low_id = least(new, other), high_id = greatest(new, other),
      author_id = case author_id when old then new else author_id end,
      -- A key is nobody's twice.
      key = case when author_id = old and exists (select from public.message as own where own.author_id = new and own.key = message.key)
        then gen_random_uuid() else key end,
      gone_low = case when (old < other) = (new < other) then gone_low else gone_high end,
      gone_high = case when (old < other) = (new < other) then gone_high else gone_low end
      where low_id = least(old, other) and high_id = greatest(old, other);
    insert into public.message_side as side (member_id, other_id, last_id, read_to, request, sent)
      select case member_id when old then new else member_id end, case other_id when old then new else other_id end, 0, read_to, request, sent
      from public.message_side where (member_id, other_id) in ((old, other), (other, old))
      on conflict (member_id, other_id) do update set read_to = greatest(side.read_to, excluded.read_to),
        request = case when side.request = excluded.request then side.request end, sent = side.sent + excluded.sent;
    delete from public.message_side where (member_id, other_id) in ((old, other), (other, old));
    perform public.count_messages(new, other), public.count_messages(other, new);
  end loop;
  delete from public.message_setting where member_id = old;
  update public.message_report set author_id = new where author_id = old;
  update public.message_report set reporter_id = new where reporter_id = old;
  update public.message_report_copy set reporter_id = new where reporter_id = old;
  return others;
end $$;

-- Where the forum has one, who registers is written to by this member, or by the first official one.
create table welcome_message (
  member_id  bigint references member,
  body       jsonb not null,
  segments   jsonb not null,
  text       text not null,
  unique nulls not distinct (member_id)
);

create function welcome_by_message() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  its public.message;
begin
  for its in
    insert into public.message (low_id, high_id, author_id, key, body, segments, text, sent_at)
      select least(writer.id, new.id), greatest(writer.id, new.id), writer.id, gen_random_uuid(), body, segments, text, new.joined_at
      from public.welcome_message cross join lateral (
        select id from public.member where case when welcome_message.member_id is null then is_official and deactivated_at is null
          else id = welcome_message.member_id end order by id limit 1
      ) as writer where writer.id <> new.id and not new.is_official
      returning *
  loop
    insert into public.message_side (member_id, other_id, last_id, unread)
      values (its.author_id, new.id, its.id, 0), (new.id, its.author_id, its.id, 1);
  end loop;
  return null;
end $$;
create trigger written_to_when_added after insert on member for each row execute function welcome_by_message();
