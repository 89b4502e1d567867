-- Rules that hold for the rows of notifications, regardless of the statement that writes them. Their recipients are computed in
-- TypeScript: recipients.ts.

-- A notification counts those of its events whose posts are published. A new event is counted in the statement that raises the
-- notification; other changes are counted here. It is SQL because these have many causes: retractions, posts that are removed and
-- restored, members who are merged.
create or replace function count_notification_events() returns trigger language plpgsql as $$
begin
  if not old.is_gone then
    update notification set count = count - 1 where id = old.notification_id;
  end if;
  if tg_op <> 'DELETE' and not new.is_gone then
    update notification set count = count + 1 where id = new.notification_id;
  end if;
  return null;
end $$;
create or replace trigger counted_when_changed after delete or update of is_gone on notification_event
  for each row execute function count_notification_events();

-- An event that two transactions noted at the same moment was counted by both, and belongs to the notification of the second.
create or replace function correct_notification_count() returns trigger language plpgsql as $$
begin
  update notification set count = count - 1 where id = case when old.is_gone then new.notification_id else old.notification_id end;
  return null;
end $$;
create or replace trigger count_corrected after update of notification_id on notification_event
  for each row execute function correct_notification_count();

-- It is SQL because members are made by features that do not know of notifications. A new one mutes and blocks nobody yet.
create or replace function add_welcome_notification() returns trigger language plpgsql as $$
begin
  with greeting as (
    insert into notification (member_id, kind, group_key, topic_id, at, count)
    select new.id, 'welcome', 'welcome', min(topic_id), new.joined_at, count(*) from welcome having count(*) > 0 returning id
  )
  insert into notification_event (notification_id, member_id, cause, post_kind, post_id, at)
    select greeting.id, new.id, 'welcome', 'topic', topic_id, new.joined_at from greeting, welcome;
  return null;
end $$;
create or replace trigger adds_welcome_notification after insert on member for each row execute function add_welcome_notification();

-- It is SQL because a post notifies many, each through channels of their own, in the round trip of its commit. The time is set even if it
-- was set before: a concurrent sender is waited for, and events that it did not see stay queued.
create or replace function queue_notifications() returns trigger language plpgsql as $$
begin
  with noted as (
    insert into public.notification_queue (member_id, channel, event_id)
    select action.member_id, choice.channel, action.id from added as action
      join public.notification on notification.id = action.notification_id
      join public.notification_preference as choice on choice.member_id = action.member_id and choice.kind = notification.kind
    where not action.is_gone on conflict do nothing returning member_id, channel
  )
  update public.notification_channel as way set next_at = coalesce(next_at, greatest(rests_until, now()))
  from (select distinct member_id, channel from noted) as its where way.member_id = its.member_id and way.channel = its.channel;
  return null;
end $$;
create or replace trigger queues_notifications after insert on notification_event referencing new table as added
  for each statement execute function queue_notifications();
