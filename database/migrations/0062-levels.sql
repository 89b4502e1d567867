-- How much a member wants to hear of a thread or a tag, and reminders that are written in one statement, however many they remind.

-- Watching tells of all that is new, tracking counts it, muted tells of nothing. Normal is kept only so that a thread in which one wrote is
-- not tracked again.
alter table following add column level text not null default 'watching' check (level in ('watching', 'tracking', 'normal', 'muted'));
alter table following add constraint members_have_no_levels check (of <> 'member' or level = 'watching');
update following set level = 'tracking' where of = 'tag';

-- Up to when it was looked what was written where a member watches, and by whom they follow.
create table followed_until (
  member_id  bigint primary key references member,
  at         timestamptz not null
);

alter table reminder drop constraint reminder_kind_check;
alter table reminder add constraint reminder_kind_check check (kind in ('mentioned', 'quoted', 'replyAnswered', 'replied', 'repliedBeside', 'commented',
  'repliedInThread', 'watched', 'followedWrote', 'liked', 'accepted', 'unlocked', 'bountyEnding', 'followed', 'welcome'));

-- What is new is counted where its row is written: a trigger would write that row once more, and all of its indexes.
drop trigger counted_when_changed on reminder_deed;
create trigger counted_when_changed after delete or update of is_gone, reminder_id on reminder_deed
  for each row execute function count_reminder_deeds();
-- Whoever has the reminder is there.
alter table reminder_deed drop constraint reminder_deed_member_id_fkey;

-- Somebody to be reminded of something, unless they want to hear nothing of it.
create type reminding as (
  member_id  bigint,
  kind       text,
  group_key  text,
  topic_id   bigint,
  actor_id   bigint,
  post_kind  post_kind,
  post_id    bigint,
  at         timestamptz
);

-- Reminds whoever may be, of each deed once: by the first of its kinds that they want to hear of. Gives whose inboxes changed.
create function remind_all(remindings reminding[]) returns bigint[] language plpgsql as $$
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
alter function remind_all(reminding[]) set plan_cache_mode = force_generic_plan;
alter function remind_all(reminding[]) set enable_seqscan = off;

drop function remind(bigint, text, text, bigint, post_kind, bigint, bigint, timestamptz);
create function remind(reader bigint, says text, grouped text, place bigint, about post_kind, about_id bigint, actor bigint, since timestamptz)
returns void language sql as $$
  select remind_all(array[row(reader, says, grouped, place, actor, about, about_id, since)::reminding])
$$;
drop function may_remind(bigint, bigint, text);

-- What a post tells, and whom: each once, by what says most to them. What lies on the page alone tells anything. Who wrote it tracks the thread.
create or replace function remind_of_post(its_kind post_kind, its_id bigint, only_mentioned boolean) returns void language plpgsql as $$
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
alter function remind_of_post(post_kind, bigint, boolean) set plan_cache_mode = force_generic_plan;
alter function remind_of_post(post_kind, bigint, boolean) set enable_seqscan = off;
