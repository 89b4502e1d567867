-- What members are reminded of: what others did with theirs. Deeds of one kind about one thing are one row until it is read; the deeds
-- themselves lie beside it, so that each can go again and one post tells one member once.

create table reminder (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member,
  kind       text not null check (kind in ('mentioned', 'quoted', 'replyAnswered', 'replied', 'repliedBeside', 'commented', 'repliedInThread',
               'liked', 'accepted', 'unlocked', 'bountyEnding', 'followed', 'welcome')),
  group_key  text not null,                      -- what it joins others of its kind by: `liked comment 12`
  topic_id   bigint references topic,            -- where: who may not look there is not reminded of it
  count      int not null default 0 check (count >= 0),
  at         timestamptz not null,
  read_at    timestamptz,
  deleted_at timestamptz check (deleted_at is null or read_at is not null)
);
create unique index on reminder (member_id, group_key) where read_at is null;                          -- what another deed joins
create index on reminder (member_id, at desc, id desc) where count > 0 and deleted_at is null;         -- a member's own, newest first
create index on reminder (member_id, topic_id) where read_at is null and count > 0;                    -- how many are unread
create index on reminder (topic_id) where topic_id is not null;                                        -- when a topic goes elsewhere

create table reminder_deed (
  id           bigint generated always as identity primary key,
  reminder_id  bigint not null references reminder on delete cascade,
  member_id    bigint not null references member,   -- who is reminded
  cause        text not null,                       -- `wrote` for all that a post tells, whichever kind says it; otherwise the kind
  actor_id     bigint references member,
  post_kind    post_kind,
  post_id      bigint,
  at           timestamptz not null,
  is_gone      boolean not null default false,      -- its post is not on the page
  unique nulls not distinct (member_id, cause, actor_id, post_kind, post_id)
);
create index on reminder_deed (reminder_id, at desc) where not is_gone;   -- the latest of a row
create index on reminder_deed (post_kind, post_id, cause);                -- when a post goes, or a like of it
create index on reminder_deed (actor_id);                                 -- when two members become one

-- Of which kinds a member wants to hear nothing.
create table reminder_mute (
  member_id  bigint not null references member,
  kind       text not null,
  primary key (member_id, kind)
);

-- Where the forum has one, who registers is greeted with this topic.
create table welcome (
  topic_id  bigint primary key references topic
);

create function count_reminder_deeds() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and not old.is_gone then
    update reminder set count = count - 1 where id = old.reminder_id;
  end if;
  if tg_op <> 'DELETE' and not new.is_gone then
    update reminder set count = count + 1 where id = new.reminder_id;
  end if;
  return null;
end $$;
create trigger counted_when_changed after insert or delete or update of is_gone, reminder_id on reminder_deed
  for each row execute function count_reminder_deeds();

-- Every process hears of it when it looks: whoever has their line open is told.
create function tell_inboxes(members bigint[]) returns void language sql as $$
  insert into touched (by, tags) select gen_random_uuid(), array_agg('inbox:' || member) from (select distinct unnest(members)) as told (member)
    having count(*) > 0
$$;

create function may_remind(reader bigint, actor bigint, says text) returns boolean stable language sql as $$
  select reader is distinct from actor and not exists (select from reminder_mute where member_id = reader and kind = says)
$$;

-- Reminds one member of one deed; what was done already is done still.
create function remind(reader bigint, says text, grouped text, place bigint, about post_kind, about_id bigint, actor bigint, since timestamptz)
returns void language plpgsql as $$
declare
  caused text := case when says in ('mentioned', 'quoted', 'replyAnswered', 'replied', 'repliedBeside', 'commented', 'repliedInThread')
    then 'wrote' else says end;
  its bigint;
begin
  if not may_remind(reader, actor, says) or exists (
    select from reminder_deed where member_id = reader and cause = caused and actor_id is not distinct from actor
      and post_kind is not distinct from about and post_id is not distinct from about_id)
  then return; end if;
  insert into reminder (member_id, kind, group_key, topic_id, at) values (reader, says, grouped, place, since)
    on conflict (member_id, group_key) where read_at is null do update set at = greatest(reminder.at, excluded.at)
    returning id into its;
  insert into reminder_deed (reminder_id, member_id, cause, actor_id, post_kind, post_id, at)
    values (its, reader, caused, actor, about, about_id, since) on conflict do nothing;
end $$;

-- What a post tells, and whom: each once, by what says most to them. What lies on the page alone tells anything.
create function remind_of_post(its_kind post_kind, its_id bigint, only_mentioned boolean) returns void language plpgsql as $$
declare
  told record;
  members bigint[] := '{}';
begin
  for told in
    with post as (
      select topic.id as topic_id, topic.author_id, topic.published_at, topic.body, null::bigint as quotes, null::bigint as comment_id, null::bigint as answers,
        null::bigint as opener
      from topic where its_kind = 'topic' and topic.id = its_id and topic.status = 'published'
      union all
      select comment.topic_id, comment.author_id, comment.published_at, comment.body, comment.quotes, null, null, topic.author_id
      from comment join topic on topic.id = comment.topic_id where its_kind = 'comment' and comment.id = its_id and comment.status = 'published'
      union all
      select reply.topic_id, reply.author_id, reply.published_at, reply.body, null, reply.comment_id, reply.answers, topic.author_id
      from reply join topic on topic.id = reply.topic_id where its_kind = 'reply' and reply.id = its_id and reply.status = 'published'
    ), reader (id, says, grouped, rank) as (
      select (named #>> '{}')::bigint, 'mentioned', 'mentioned ' || its_kind || ' ' || its_id, 1
      from post, jsonb_path_query(post.body, 'strict $.** ? (@.type == "mention").attrs.id') as named
      union all
      select comment.author_id, 'quoted', 'quoted ' || comment.id, 2 from post join comment on comment.id = post.quotes
      union all
      select reply.author_id, 'replyAnswered', 'replyAnswered ' || reply.id, 3 from post join reply on reply.id = post.answers
      union all
      select comment.author_id, 'replied', 'replied ' || comment.id, 4 from post join comment on comment.id = post.comment_id
      union all
      select beside.author_id, 'repliedBeside', 'repliedBeside ' || post.comment_id, 5 from post cross join lateral (
        select reply.author_id from reply where reply.comment_id = post.comment_id and reply.id <> its_id and reply.status = 'published' order by reply.id desc limit 100
      ) as beside
      union all
      select opener, case its_kind when 'comment' then 'commented' else 'repliedInThread' end,
        case its_kind when 'comment' then 'commented ' else 'repliedInThread ' end || topic_id, 6 from post where opener is not null
    )
    select distinct on (reader.id) reader.id as member, says, grouped, post.topic_id, post.author_id, post.published_at
    from reader, post
    where (rank = 1 or not only_mentioned) and may_remind(reader.id, post.author_id, says)
    order by reader.id, rank
  loop
    perform remind(told.member, told.says, told.grouped, told.topic_id, its_kind, its_id, told.author_id, told.published_at);
    members := members || told.member;
  end loop;
  perform tell_inboxes(members);
end $$;

-- Deeds about posts that went from the page, or are on it again.
create function reminders_are_gone(posts json, gone boolean) returns void language sql as $$
  with changed as (
    update reminder_deed set is_gone = gone from json_to_recordset(posts) as its (kind post_kind, id bigint)
    where post_kind = its.kind and post_id = its.id and is_gone <> gone returning member_id
  )
  select tell_inboxes(array_agg(member_id)) from changed
$$;

create function welcome_member() returns trigger language plpgsql as $$
begin
  perform remind(new.id, 'welcome', 'welcome', topic_id, 'topic', topic_id, null, new.joined_at) from welcome;
  return null;
end $$;
create trigger welcomed_when_added after insert on member for each row execute function welcome_member();
