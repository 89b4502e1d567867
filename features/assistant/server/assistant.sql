-- Conversations with the assistant. It is SQL so that the database shows them to their member alone, whatever a statement of the program asks for: the
-- program only says which member asks. Functions that need the conversations of members who do not ask stand here as well.

-- Deletes conversations that have rested since a moment, the oldest first. Answers how many.
create or replace function forget_conversations(resting_since timestamptz, most int) returns int
language sql security definer set search_path = pg_catalog, pg_temp as $$
  with gone as (
    delete from public.assistant_conversation where id = any(array(
      select id from public.assistant_conversation where updated_at < resting_since order by updated_at limit most)) returning id)
  select count(*)::int from gone
$$;
grant execute on function forget_conversations to teahouse_app;

-- Gives the conversations of one account, and what its answers cost, to another.
create or replace function merge_conversations(old bigint, new bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update public.assistant_conversation set member_id = new where member_id = old;
  update public.assistant_use set member_id = new where member_id = old;
$$;
grant execute on function merge_conversations to teahouse_app;

drop policy if exists its_member on assistant_conversation;
create policy its_member on assistant_conversation using (member_id = asking_member());
drop policy if exists its_member on assistant_turn;
create policy its_member on assistant_turn using (exists (select from assistant_conversation where assistant_conversation.id = conversation_id));
