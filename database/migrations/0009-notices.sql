-- What members are told, and how it reaches them.

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

-- Notices: what staff tell everybody, and what the forum tells one member of what became of theirs.
create table notice (
  id          bigint generated always as identity primary key,
  member_id   bigint references member on delete cascade,  -- null: to everybody who was a member when it was sent
  kind        text not null,  -- the program words it when it is read
  facts       jsonb not null default '{}',
  topic_id    bigint references topic on delete cascade,  -- the topic that the facts are about, or are of a post under
  text_zh     text not null default '',  -- what staff wrote to everybody, as Markdown; one language may be left out
  text_en     text not null default '',
  sends_at    timestamptz default now(),  -- nothing has to be done then: it is seen from that moment on; null: not sent yet
  written_by  bigint references staff,
  version     int not null default 1,  -- one more with each edit of staff
  removed_at  timestamptz,  -- staff took it from everybody
  read_at     timestamptz,  -- by the one member it is to
  deleted_at  timestamptz,
  check ((member_id is null) = (kind = 'announcement')),
  check ((member_id is null) = (written_by is not null)),
  check (member_id is null or sends_at is not null),
  check (member_id is not null or (text_zh || text_en) <> ''),
  check (member_id is not null or (read_at is null and deleted_at is null))
);
create index on notice (member_id, sends_at desc, id desc) where member_id is not null and deleted_at is null;   -- mine, newest first
create index on notice (member_id) where read_at is null and deleted_at is null;   -- how many I have not read
create index on notice (sends_at desc, id desc) where member_id is null and removed_at is null;   -- to everybody, newest first
create index on notice (id) where member_id is null;   -- the list of staff
create index on notice (topic_id) where topic_id is not null;   -- words that go for good

-- What became of a notice to everybody with one member. Made when they read or delete it, so that sending costs no write for each member.
create table notice_copy (
  member_id   bigint not null references member on delete cascade,
  notice_id   bigint not null references notice on delete cascade,
  read_at     timestamptz not null default now(),
  deleted_at  timestamptz,
  primary key (member_id, notice_id)
);

-- What members are reminded of: what others did with theirs. Deeds of one kind about one thing are one row until it is read; the deeds
-- themselves lie beside it, so that each can go again and one post tells one member once.
create table reminder (
  id          bigint generated always as identity primary key,
  member_id   bigint not null references member,
  kind        text not null check (kind in ('mentioned', 'quoted', 'replyAnswered', 'replied', 'repliedBeside', 'commented',
  'repliedInThread', 'watched', 'followedWrote', 'liked', 'accepted', 'unlocked', 'bountyEnding', 'followed', 'welcome')),
  group_key   text not null,  -- what it joins others of its kind by: `liked comment 12`
  topic_id    bigint references topic,  -- where: who may not look there is not reminded of it
  count       int not null default 0 check (count >= 0),
  at          timestamptz not null,
  read_at     timestamptz,
  deleted_at  timestamptz check (deleted_at is null or read_at is not null)
);
create unique index on reminder (member_id, group_key) where read_at is null;   -- what another deed joins
create index on reminder (member_id, at desc, id desc) where count > 0 and deleted_at is null;   -- a member's own, newest first
create index on reminder (member_id, topic_id) where read_at is null and count > 0;   -- how many are unread
create index on reminder (topic_id) where topic_id is not null;   -- when a topic goes elsewhere

create table reminder_deed (
  id           bigint generated always as identity primary key,
  reminder_id  bigint not null references reminder on delete cascade,
  member_id    bigint not null,  -- who is reminded
  cause        text not null,  -- `wrote` for all that a post tells, whichever kind says it; otherwise the kind
  actor_id     bigint references member,
  post_kind    post_kind,
  post_id      bigint,
  at           timestamptz not null,
  is_gone      boolean not null default false,  -- its post is not on the page
  unique nulls not distinct (member_id, cause, actor_id, post_kind, post_id)
);
create index on reminder_deed (reminder_id, at desc) where not is_gone;   -- the latest of a row
create index on reminder_deed (post_kind, post_id, cause);   -- when a post goes, or a like of it
create index on reminder_deed (actor_id);   -- when two members become one

-- Of which kinds a member wants to hear nothing.
create table reminder_mute (
  member_id  bigint not null references member,
  kind       text not null,
  primary key (member_id, kind)
);

-- By which ways members are told of what they are reminded of, beside the list in the forum, and what of it waits to be sent.
-- What a member wants to hear of, kind by kind. Nothing is sent that was not chosen.
create table reminder_choice (
  member_id  bigint not null references member on delete cascade,
  kind       text not null,  -- of reminders, or `message` for private messages
  channel    text not null check (channel in ('email', 'push')),
  primary key (member_id, kind, channel)
);

-- How one way is used: when it may next be, and when it is because something waits.
create table reminder_way (
  member_id    bigint not null references member on delete cascade,
  channel      text not null check (channel in ('email', 'push')),
  rhythm       text not null default 'atOnce' check (rhythm in ('atOnce', 'day', 'week')),
  hour         smallint not null default 8 check (hour between 0 and 23),  -- of a digest, where the member is
  rests_until  timestamptz not null default now(),
  next_at      timestamptz,  -- null while nothing waits
  -- Hours of the member's own day in which nothing is pushed. Both are null where there are none.
  quiet_from   smallint check (quiet_from between 0 and 23),
  quiet_to     smallint check (quiet_to between 0 and 23),
  primary key (member_id, channel),
  check (channel = 'push' or quiet_from is null),
  check ((quiet_from is null) = (quiet_to is null) and quiet_from <> quiet_to)
);
create index on reminder_way (next_at) where next_at is not null;   -- whose turn it is

create table reminder_waiting (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member on delete cascade,
  channel    text not null check (channel in ('email', 'push')),
  deed_id    bigint references reminder_deed on delete cascade,
  sender_id  bigint references member on delete cascade,  -- of private messages, whatever they say
  since      timestamptz not null default now(),
  check ((deed_id is null) <> (sender_id is null)),
  unique nulls not distinct (member_id, channel, deed_id, sender_id)
);
create index on reminder_waiting (deed_id) where deed_id is not null;   -- when the deed goes
create index on reminder_waiting (sender_id) where sender_id is not null;   -- when two members become one

-- What ends e-mails without logging in: one for each that was sent.
create table reminder_stop (
  hash       bytea primary key,
  member_id  bigint not null references member on delete cascade,
  kind       text,  -- null: all
  made_at    timestamptz not null default now()
);
create index on reminder_stop (made_at);   -- what is old goes
create index on reminder_stop (member_id);   -- when two members become one

-- Browsers in which members want to be told of reminders, by the push service of each.
create table push_subscription (
  id             bigint generated always as identity primary key,
  member_id      bigint not null references member on delete cascade,
  session_id     bigint not null unique references session on delete cascade,  -- a browser is where somebody is logged in
  endpoint_hash  bytea not null unique,
  sealed         bytea not null,  -- the address at the push service, and the keys that it is written to with
  user_agent     text not null,
  made_at        timestamptz not null default now(),
  used_at        timestamptz,  -- when something was brought there last
  failed_since   timestamptz,  -- until something is brought again
  -- Few reminders at a time are sent to one push service, so that one which never answers holds up no other. The address itself stays sealed.
  host           text not null default ''  -- the site of its push service; empty where it was not kept yet
);
create index on push_subscription (member_id);   -- where one is told
