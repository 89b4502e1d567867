-- What holds of reminders by whatever their rows are written. Whom they reach is TypeScript: recipients.ts.

-- A reminder counts what of it is on the page. Who notes something new counts it in the statement that raises the reminder; the rest is counted
-- here. It is SQL because that changes in many ways: what is undone, posts that go and come back, members who become one.
create or replace function count_reminder_deeds() returns trigger language plpgsql as $$
begin
  if not old.is_gone then
    update reminder set count = count - 1 where id = old.reminder_id;
  end if;
  if tg_op <> 'DELETE' and not new.is_gone then
    update reminder set count = count + 1 where id = new.reminder_id;
  end if;
  return null;
end $$;
create or replace trigger counted_when_changed after delete or update of is_gone on reminder_deed
  for each row execute function count_reminder_deeds();

-- What two transactions note at the same moment was counted by both, and stands in the reminder of the second.
create or replace function count_reminder_once() returns trigger language plpgsql as $$
begin
  update reminder set count = count - 1 where id = case when old.is_gone then new.reminder_id else old.reminder_id end;
  return null;
end $$;
create or replace trigger counted_once_when_noted_twice after update of reminder_id on reminder_deed
  for each row execute function count_reminder_once();

-- It is SQL because members are made by features that know nothing of reminders. A new one mutes and blocks nobody yet.
create or replace function welcome_member() returns trigger language plpgsql as $$
begin
  with greeting as (
    insert into reminder (member_id, kind, group_key, topic_id, at, count)
    select new.id, 'welcome', 'welcome', min(topic_id), new.joined_at, count(*) from welcome having count(*) > 0 returning id
  )
  insert into reminder_deed (reminder_id, member_id, cause, post_kind, post_id, at)
    select greeting.id, new.id, 'welcome', 'topic', topic_id, new.joined_at from greeting, welcome;
  return null;
end $$;
create or replace trigger welcomed_when_added after insert on member for each row execute function welcome_member();

-- It is SQL because a post reminds many, each by ways of their own, in the trip that it leaves with anyhow.
-- The time is set whether or not it was: who sends at this moment is waited for, and what they did not see is not forgotten.
create or replace function wait_for_sending() returns trigger language plpgsql as $$
begin
  with noted as (
    insert into public.reminder_waiting (member_id, channel, deed_id)
    select deed.member_id, choice.channel, deed.id from added as deed
      join public.reminder on reminder.id = deed.reminder_id
      join public.reminder_choice as choice on choice.member_id = deed.member_id and choice.kind = reminder.kind
    where not deed.is_gone on conflict do nothing returning member_id, channel
  )
  update public.reminder_way as way set next_at = coalesce(next_at, greatest(rests_until, now()))
  from (select distinct member_id, channel from noted) as its where way.member_id = its.member_id and way.channel = its.channel;
  return null;
end $$;
create or replace trigger waits_for_sending after insert on reminder_deed referencing new table as added
  for each statement execute function wait_for_sending();
