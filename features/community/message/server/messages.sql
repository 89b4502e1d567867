-- Private messages. It is SQL so that the database shows messages to their two members alone, in any statement of the program: the program
-- only says which member asks. Functions that need the messages of many members stand here as well.

create or replace function current_member_id() returns bigint stable language sql as $$
  select nullif(current_setting('app.member_id', true), '')::bigint
$$;
grant execute on function current_member_id to teahouse_app, teahouse_reader;

-- Not inlined as plain SQL would be: the planner would take it for a rare condition, while every row of a conversation meets it.
create or replace function current_member_is_one_of(one bigint, other bigint) returns boolean stable language plpgsql as $$
begin
  return coalesce(current_member_id() in (one, other), false);
end $$;
grant execute on function current_member_is_one_of to teahouse_app, teahouse_reader;

-- Whether the copy of one of the two is not deleted.
create or replace function is_message_visible(its message, reader bigint) returns boolean immutable language sql as $$
  select case reader when its.low_id then not its.gone_low when its.high_id then not its.gone_high else false end
    and (its.author_id = reader or its.cleaned_by is null)
$$;
grant execute on function is_message_visible to teahouse_app, teahouse_reader;

-- Recounts one side of a conversation.
create or replace function recount_conversation(whose bigint, other bigint) returns void language sql as $$
  update public.conversation_participant as side set
    last_id = coalesce((
      select id from public.message where low_id = least(whose, other) and high_id = greatest(whose, other) and public.is_message_visible(message, whose)
      order by id desc limit 1), 0),
    unread = (
      select count(*) from public.message where low_id = least(whose, other) and high_id = greatest(whose, other) and public.is_message_visible(message, whose)
        and author_id = other and id > side.read_to)
  where member_id = whose and other_id = other
$$;
grant execute on function recount_conversation to teahouse_app;

-- The lock that writing and blocking take as well.
create or replace function lock_conversation(one bigint, other bigint) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('blocking ' || least(one::text collate "C", other::text collate "C") || ' '
    || greatest(one::text collate "C", other::text collate "C"), 0))
$$;
grant execute on function lock_conversation to teahouse_app;

create or replace function update_message_revision() returns trigger language plpgsql as $$
begin
  new.revision := nextval('public.message_revision');
  return new;
end $$;
create or replace trigger updates_revision before update on conversation_participant for each row execute function update_message_revision();

-- The number of unread messages up to a limit, with a mark that changes whenever a conversation does.
create or replace function unread_messages(reader bigint, most int) returns table (count int, revision text)
stable language sql security definer set search_path = pg_catalog, pg_temp as $$
  select least(most, coalesce(sum(unread), 0))::int, (
    select coalesce(sum(side.revision), 0)::text
    from (select conversation_participant.revision from public.conversation_participant where member_id = reader order by conversation_participant.revision desc limit 20) as side
  )
  from (
    select unread from public.conversation_participant where member_id = reader and unread > 0 and request is distinct from 'theirs' limit most
  ) as few
$$;
grant execute on function unread_messages to teahouse_app, teahouse_reader;

-- Senders of unread messages, for the delivery of notifications: without requests and blocked members, and nothing of the content.
create or replace function unread_message_senders(reader bigint, among bigint[]) returns table (other_id bigint)
stable language sql security definer set search_path = pg_catalog, pg_temp as $$
  select side.other_id from public.conversation_participant as side
  where side.member_id = reader and side.other_id = any(among) and unread > 0 and request is distinct from 'theirs'
    and not exists (select from public.member_block where member_block.member_id = reader and member_block.other_id = side.other_id)
$$;
grant execute on function unread_message_senders to teahouse_app, teahouse_reader;

-- The only way to the text of a report.
create or replace function reported_messages(report bigint) returns jsonb
stable language sql security definer set search_path = pg_catalog, pg_temp as $$
  select messages from public.message_report_copy where report_id = report
$$;
grant execute on function reported_messages to teahouse_app;

-- Hides the messages of a member from their recipients, or restores those of one clean-up. Answers the recipients.
create or replace function clean_messages(author bigint, cleaning bigint, away boolean) returns bigint[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  readers bigint[] := array(select other_id from public.conversation_participant where member_id = author order by other_id);
  reader bigint;
begin
  foreach reader in array readers loop
    perform public.lock_conversation(author, reader);
    update public.message set cleaned_by = case when away then cleaning end
      where low_id = least(author, reader) and high_id = greatest(author, reader) and author_id = author
        and cleaned_by is not distinct from case when not away then cleaning end;
    perform public.recount_conversation(reader, author);
  end loop;
  return readers;
end $$;
grant execute on function clean_messages to teahouse_app;

-- Merges the conversations of two accounts. Messages between the two stay with the closed account. Answers the other members.
create or replace function merge_messages(old bigint, new bigint) returns bigint[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  others bigint[] := array(select other_id from public.conversation_participant where member_id = old and other_id <> new order by other_id);
  other bigint;
begin
  foreach other in array others loop
    perform public.lock_conversation(old, other), public.lock_conversation(new, other);
    update public.message set low_id = least(new, other), high_id = greatest(new, other),
      author_id = case author_id when old then new else author_id end,
      -- A key is unique for each author.
      key = case when author_id = old and exists (select from public.message as own where own.author_id = new and own.key = message.key)
        then gen_random_uuid() else key end,
      gone_low = case when (old < other) = (new < other) then gone_low else gone_high end,
      gone_high = case when (old < other) = (new < other) then gone_high else gone_low end
      where low_id = least(old, other) and high_id = greatest(old, other);
    insert into public.conversation_participant as side (member_id, other_id, last_id, read_to, request, sent)
      select case member_id when old then new else member_id end, case other_id when old then new else other_id end, 0, read_to, request, sent
      from public.conversation_participant where (member_id, other_id) in ((old, other), (other, old))
      on conflict (member_id, other_id) do update set read_to = greatest(side.read_to, excluded.read_to),
        request = case when side.request = excluded.request then side.request end, sent = side.sent + excluded.sent;
    delete from public.conversation_participant where (member_id, other_id) in ((old, other), (other, old));
    perform public.recount_conversation(new, other), public.recount_conversation(other, new);
  end loop;
  delete from public.message_setting where member_id = old;
  update public.message_report set author_id = new where author_id = old;
  update public.message_report set reporter_id = new where reporter_id = old;
  update public.message_report_copy set reporter_id = new where reporter_id = old;
  return others;
end $$;
grant execute on function merge_messages to teahouse_app;

-- The greeting of a new member. Its sender sees no conversation until the member answers.
create or replace function send_welcome_message() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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
    insert into public.conversation_participant (member_id, other_id, last_id, unread)
      values (its.author_id, new.id, 0, 0), (new.id, its.author_id, its.id, 1);
  end loop;
  return null;
end $$;
create or replace trigger sends_welcome_message after insert on member for each row execute function send_welcome_message();

drop policy if exists participants_read on message;
create policy participants_read on message for select using (current_member_is_one_of(low_id, high_id));
drop policy if exists participants_update on message;
create policy participants_update on message for update using (current_member_is_one_of(low_id, high_id));
drop policy if exists author_inserts on message;
create policy author_inserts on message for insert with check (current_member_id() = author_id);
drop policy if exists own_conversations on conversation_participant;
create policy own_conversations on conversation_participant using (current_member_is_one_of(member_id, other_id));
drop policy if exists reporter_inserts on message_report_copy;
create policy reporter_inserts on message_report_copy for insert with check (current_member_id() = reporter_id);
