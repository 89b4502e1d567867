-- Conversations with the assistant. It is SQL because row-level security restricts each member to their own conversations, whatever
-- statement the application sends: the application only sets the current member. Functions that need conversations across members are here
-- as well.

-- Deletes conversations idle since a time, oldest first. Returns the number.
create or replace function delete_conversations(resting_since timestamptz, most int) returns int
language sql security definer set search_path = pg_catalog, pg_temp as $$
  with gone as (
    delete from public.assistant_conversation where id = any(array(
      select id from public.assistant_conversation where updated_at < resting_since order by updated_at limit most)) returning id)
  select count(*)::int from gone
$$;
grant execute on function delete_conversations to teahouse_app;

-- The only access of staff to a conversation: the copy that its member made by reporting an answer.
create or replace function reported_turns(report bigint) returns jsonb
stable language sql security definer set search_path = pg_catalog, pg_temp as $$
  select turns from public.assistant_report_copy where report_id = report
$$;
grant execute on function reported_turns to teahouse_app;

-- Deletes copies whose reports were handled before a time. Returns the number.
create or replace function delete_reported_turns(handled_before timestamptz, most int) returns int
language sql security definer set search_path = pg_catalog, pg_temp as $$
  with gone as (
    delete from public.assistant_report_copy where report_id = any(array(
      select report_id from public.assistant_report_copy join public.assistant_report on assistant_report.id = report_id
      where handled_at < handled_before order by report_id limit most)) returning report_id)
  select count(*)::int from gone
$$;
grant execute on function delete_reported_turns to teahouse_app;

-- Moves the conversations, reports and usage of an account to another.
create or replace function merge_conversations(old bigint, new bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update public.assistant_conversation set member_id = new where member_id = old;
  update public.assistant_report set member_id = new where member_id = old;
  update public.assistant_report_copy set member_id = new where member_id = old;
  update public.assistant_usage set member_id = new where member_id = old;
$$;
grant execute on function merge_conversations to teahouse_app;

-- Unsettled answers whose process has been silent since a time, with the stored input and output of the model: the last turns of the
-- conversation, and the part of this one. The rows stay locked until the transaction ends.
create or replace function interrupted_uses(silent_since timestamptz, most int)
returns table (id bigint, job text, input_tokens int, output_tokens int, read text, written text)
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select used.id, used.job, used.input_tokens, used.output_tokens, coalesce((
      select string_agg(prompt || case when last.id < turn.id then answer else '' end, ' ') from (
        select its.id, its.prompt, its.answer from public.assistant_turn as its
        where its.conversation_id = turn.conversation_id and its.id <= turn.id order by its.id desc limit 20
      ) as last), ''), coalesce(turn.answer, '')
  from public.assistant_usage as used left join public.assistant_turn as turn on turn.id = used.turn_id
  where used.ended_at is null and used.beat_at < silent_since
  order by used.began_at limit most for update of used skip locked
$$;
grant execute on function interrupted_uses to teahouse_app;

-- Deletes the usage of answers begun before a time. Returns the number.
create or replace function delete_uses(began_before timestamptz, most int) returns int
language sql security definer set search_path = pg_catalog, pg_temp as $$
  with gone as (
    delete from public.assistant_usage where id = any(array(
      select id from public.assistant_usage where began_at < began_before and ended_at is not null order by began_at limit most)) returning id)
  select count(*)::int from gone
$$;
grant execute on function delete_uses to teahouse_app;

-- Ends turns begun before a time that no process writes any more.
create or replace function end_interrupted_turns(began_before timestamptz) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update public.assistant_turn set state = 'stopped', ended_at = clock_timestamp()
  where state = 'running' and created_at < began_before and not exists (
    select from public.assistant_usage where turn_id = assistant_turn.id and ended_at is null)
$$;
grant execute on function end_interrupted_turns to teahouse_app;

drop policy if exists own_rows on assistant_conversation;
create policy own_rows on assistant_conversation using (member_id = current_member_id());
drop policy if exists own_rows on assistant_turn;
create policy own_rows on assistant_turn using (exists (select from assistant_conversation where assistant_conversation.id = conversation_id));
drop policy if exists own_rows on assistant_report_copy;
create policy own_rows on assistant_report_copy using (member_id = current_member_id());
