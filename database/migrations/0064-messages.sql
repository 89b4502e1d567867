-- What two members write to each other. Whoever asks sets `app.member_id` in their transaction, and sees nothing that others wrote among
-- themselves, whatever a statement asks for: the owner of the tables is somebody else than the forum.

create table message (
  id         bigint generated always as identity primary key,   -- taken while the two are locked, so that later ones have higher ones
  low_id     bigint not null references member,     -- the two of them, the lower first
  high_id    bigint not null references member,
  author_id  bigint not null check (author_id in (low_id, high_id)),
  key        uuid not null,                          -- what a browser sent it by: once, however often it tries
  body       jsonb not null,
  segments   jsonb not null,
  text       text not null,
  gone_low   boolean not null default false,         -- the copy of the lower, and of the higher, was deleted
  gone_high  boolean not null default false,
  cleaned_by bigint references member_cleaning,      -- as spam, from whom it was written to; it comes back with what undoes that
  sent_at    timestamptz not null default clock_timestamp(),
  check (low_id < high_id),
  unique (author_id, key)
);
create index on message (low_id, high_id, id desc);                           -- a conversation, latest first
create index on message (author_id, sent_at desc);                            -- when somebody wrote last, and how much lately
create index on message (cleaned_by) where cleaned_by is not null;            -- what comes back

-- A conversation as one of the two has it.
create table message_side (
  member_id  bigint not null references member,
  other_id   bigint not null references member,
  last_id    bigint not null,                        -- the latest that they have of it; nought once it is empty
  unread     int not null default 0 check (unread >= 0),
  read_to    bigint not null default 0,
  request    text check (request in ('mine', 'theirs')),
  sent       int not null default 0,                 -- how many the member sent before it was accepted
  primary key (member_id, other_id),
  check (member_id <> other_id)
);
create index on message_side (member_id, last_id desc) where last_id > 0;                              -- one's own, latest first
create index on message_side (member_id) where unread > 0 and request is distinct from 'theirs';       -- how many are unread
create index on message_side (other_id);                                                               -- when two members become one

create table message_setting (
  member_id  bigint primary key references member,
  senders    text not null check (senders in ('everybody', 'followed', 'nobody'))
);

create function asking_member() returns bigint stable language sql as $$
  select nullif(current_setting('app.member_id', true), '')::bigint
$$;

-- Not in plain SQL, which would stand in the plan as conditions that hardly any row meets, where each row found by its two members meets them.
create function asking_is_one_of(one bigint, other bigint) returns boolean stable language plpgsql as $$
begin
  return coalesce(asking_member() in (one, other), false);
end $$;

alter table message enable row level security;
create policy its_two_read on message for select using (asking_is_one_of(low_id, high_id));
create policy its_two_change on message for update using (asking_is_one_of(low_id, high_id));
create policy its_author_writes on message for insert with check (asking_member() = author_id);
alter table message_side enable row level security;
create policy its_two on message_side using (asking_is_one_of(member_id, other_id));

-- Whether one of the two has it still.
create function message_shown(its message, reader bigint) returns boolean immutable language sql as $$
  select case reader when its.low_id then not its.gone_low when its.high_id then not its.gone_high else false end
    and (its.author_id = reader or its.cleaned_by is null)
$$;

-- How many messages a member has not read, so many at most, and which is the latest: all that is told without being asked as them.
create function unread_messages(reader bigint, most int) returns table (count int, latest bigint)
stable language sql security definer set search_path = pg_catalog, pg_temp as $$
  select least(most, coalesce(sum(unread), 0))::int,
    (select last_id from public.message_side where member_id = reader and last_id > 0 order by last_id desc limit 1)
  from (
    select unread from public.message_side where member_id = reader and unread > 0 and request is distinct from 'theirs' limit most
  ) as few
$$;

-- A file may be seen in a message by the two who have it.
alter table file_use add column message_id bigint references message on delete cascade;
alter table file_use alter column topic_id drop not null;
alter table file_use add constraint file_use_somewhere check ((topic_id is null) = (message_id is not null));
alter table file_use drop constraint file_use_file_id_topic_id_comment_id_reply_id_part_id_key,
  add unique nulls not distinct (file_id, topic_id, comment_id, reply_id, part_id, message_id);
create index on file_use (message_id) where message_id is not null;

-- Whoever may like may write to others.
insert into role_right (role_id, right_name)
select distinct role_id, 'message.send' from role_right where right_name = 'post.like' and tag_id is null;
