-- Whom a post reminds of what. It is worked out where the posts are: one trip, however many are reminded.

-- Every process hears of it when it looks: whoever has their line open is told.
create or replace function tell_inboxes(members bigint[]) returns void language sql as $$
  insert into touched (by, tags) select gen_random_uuid(), array_agg('inbox:' || member) from (select distinct unnest(members)) as told (member)
    having count(*) > 0
$$;
grant execute on function tell_inboxes to teahouse_app;

create or replace function count_reminder_deeds() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and not old.is_gone then
    update reminder set count = count - 1 where id = old.reminder_id;
  end if;
  if tg_op <> 'DELETE' and not new.is_gone then
    update reminder set count = count + 1 where id = new.reminder_id;
  end if;
  return null;
end $$;
create or replace trigger counted_when_changed after delete or update of is_gone, reminder_id on reminder_deed
  for each row execute function count_reminder_deeds();

-- Deeds about posts that went from the page, or are on it again.
create or replace function reminders_are_gone(posts json, gone boolean) returns void language sql as $$
  with changed as (
    update reminder_deed set is_gone = gone from json_to_recordset(posts) as its (kind post_kind, id bigint)
    where post_kind = its.kind and post_id = its.id and is_gone <> gone returning member_id
  )
  select tell_inboxes(array_agg(member_id)) from changed
$$;
grant execute on function reminders_are_gone to teahouse_app;

create or replace function remind(reader bigint, says text, grouped text, place bigint, about post_kind, about_id bigint, actor bigint, since timestamptz)
returns void language sql as $$
  select remind_all(array[row(reader, says, grouped, place, actor, about, about_id, since)::reminding])
$$;
grant execute on function remind to teahouse_app;

-- Reminds whoever may be, of each deed once: by the first of its kinds that they want to hear of. Gives whose inboxes changed.
create or replace function remind_all(remindings reminding[]) returns bigint[] language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  joined bigint[];
  noted bigint[];
  told bigint[];
begin
  with asked as (
    select its.*, case when kind in ('mentioned', 'quoted', 'replyAnswered', 'replied', 'repliedBeside', 'commented', 'repliedInThread', 'watched',
      'followedWrote') then 'wrote' else kind end as cause
    from unnest(remindings) with ordinality as its (member_id, kind, group_key, topic_id, actor_id, post_kind, post_id, at, nth)
    where member_id is distinct from actor_id
  ), wanted as (
    select distinct on (member_id, cause, actor_id, post_kind, post_id) * from asked
    where not exists (select from reminder_mute as mute where mute.member_id = asked.member_id and mute.kind = asked.kind)
      and not exists (select from blocking where blocking.member_id = asked.member_id and other_id = actor_id)
      -- What nobody did is told all the same. A level of the thread stands above that of its tag.
      and (actor_id is null or topic_id is null or coalesce(
        (select level from following where of = 'topic' and of_id = topic_id and following.member_id = asked.member_id),
        (select level from topic join tag on tag.id = topic.tag_id join following on of = 'tag' and of_id in (tag.id, tag.parent_id)
          where topic.id = topic_id and following.member_id = asked.member_id order by of_id = tag.id desc limit 1), 'normal') <> 'muted')
      -- Each of these is one look into an index, as an `is not distinct from` would not be.
      and not exists (select from reminder_deed as its where its.member_id = asked.member_id and its.cause = asked.cause
        and its.actor_id = asked.actor_id and its.post_kind = asked.post_kind and its.post_id = asked.post_id)
      and not (asked.post_id is null and exists (select from reminder_deed as its where its.member_id = asked.member_id
        and its.cause = asked.cause and its.actor_id = asked.actor_id and its.post_kind is null and its.post_id is null))
      and not (asked.actor_id is null and exists (select from reminder_deed as its where its.member_id = asked.member_id
        and its.cause = asked.cause and its.actor_id is null and its.post_kind = asked.post_kind and its.post_id = asked.post_id))
    order by member_id, cause, actor_id, post_kind, post_id, nth
  ), raised as (
    insert into reminder (member_id, kind, group_key, topic_id, at, count)
    select member_id, min(kind), group_key, min(topic_id), max(at), count(*) from wanted group by member_id, group_key order by member_id, group_key
    on conflict (member_id, group_key) where read_at is null
      do update set at = greatest(reminder.at, excluded.at), count = reminder.count + excluded.count
    returning id, member_id, group_key
  ), added as (
    insert into reminder_deed (reminder_id, member_id, cause, actor_id, post_kind, post_id, at)
    select raised.id, member_id, cause, actor_id, post_kind, post_id, at from wanted join raised using (member_id, group_key)
    on conflict do nothing returning reminder_id
  )
  select (select array_agg(raised.id) from wanted join raised using (member_id, group_key)), (select array_agg(reminder_id) from added),
    (select array_agg(distinct member_id) from raised) into joined, noted, told;
  -- Somebody noted the same at this very moment, and counted it.
  if cardinality(joined) > coalesce(cardinality(noted), 0) then
    update reminder set count = reminder.count - more from (
      select id, count(*) as more from (select unnest(joined) as id except all select unnest(noted)) as twice group by id) as counted
    where reminder.id = counted.id;
  end if;
  return coalesce(told, '{}');
end $$;
grant execute on function remind_all to teahouse_app;

-- What a post tells, and whom: each once, by what says most to them. What lies on the page alone tells anything. Who wrote it tracks the thread.
create or replace function remind_of_post(its_kind post_kind, its_id bigint, only_mentioned boolean) returns void language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  post record;
  remindings reminding[];
begin
  if its_kind = 'topic' then
    select topic.id as topic_id, author_id, published_at, body, null::bigint as quotes, null::bigint as comment_id, null::bigint as answers,
      null::bigint as opener into post from topic where topic.id = its_id and status = 'published';
  elsif its_kind = 'comment' then
    select comment.topic_id, comment.author_id, comment.published_at, comment.body, quotes, null::bigint as comment_id, null::bigint as answers,
      topic.author_id as opener into post
    from comment join topic on topic.id = comment.topic_id where comment.id = its_id and comment.status = 'published';
  else
    select reply.topic_id, reply.author_id, reply.published_at, reply.body, null::bigint as quotes, comment_id, answers,
      topic.author_id as opener into post
    from reply join topic on topic.id = reply.topic_id where reply.id = its_id and reply.status = 'published';
  end if;
  if not found then return; end if;
  if its_kind = 'topic' or not only_mentioned then
    insert into following (of, of_id, member_id, level) values ('topic', post.topic_id, post.author_id, 'tracking') on conflict do nothing;
  end if;
  with reader (id, says, grouped, rank) as (
    select (named #>> '{}')::bigint, 'mentioned', 'mentioned ' || its_kind || ' ' || its_id, 1
      from jsonb_path_query(post.body, 'strict $.** ? (@.type == "mention").attrs.id') as named
    union all
    select author_id, 'quoted', 'quoted ' || id, 2 from comment where id = post.quotes
    union all
    select author_id, 'replyAnswered', 'replyAnswered ' || id, 3 from reply where id = post.answers
    union all
    select author_id, 'replied', 'replied ' || id, 4 from comment where id = post.comment_id
    union all
    select author_id, 'repliedBeside', 'repliedBeside ' || post.comment_id, 5 from (
      select author_id from reply where comment_id = post.comment_id and id <> its_id and status = 'published' order by id desc limit 20
    ) as beside
    union all
    select post.opener, case its_kind when 'comment' then 'commented' else 'repliedInThread' end,
      case its_kind when 'comment' then 'commented ' else 'repliedInThread ' end || post.topic_id, 6 where post.opener is not null
  )
  select array_agg(row(id, says, grouped, post.topic_id, post.author_id, its_kind, its_id, post.published_at)::reminding order by rank)
    into remindings from reader where rank = 1 or not only_mentioned;
  perform tell_inboxes(remind_all(remindings));
end $$;
grant execute on function remind_of_post to teahouse_app;

create or replace function welcome_member() returns trigger language plpgsql as $$
begin
  perform remind(new.id, 'welcome', 'welcome', topic_id, 'topic', topic_id, null, new.joined_at) from welcome;
  return null;
end $$;
create or replace trigger welcomed_when_added after insert on member for each row execute function welcome_member();

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
