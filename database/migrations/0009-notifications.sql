-- Notices, notifications, and their way to members by e-mail and push.

-- Announcements by staff to all members, and notices of the forum to one.
create table notice (
  id          bigint generated always as identity primary key,
  member_id   bigint references member on delete cascade,  -- null: everybody who was a member when it was sent
  kind        text not null,  -- worded by the program for each reading
  facts       jsonb not null default '{}',
  topic_id    bigint references topic on delete cascade,  -- topic of the facts, or of the post in them
  text_zh     text not null default '',  -- Markdown of an announcement; one language may be empty
  text_en     text not null default '',
  sends_at    timestamptz default now(),  -- visible from that moment on, without a job; null: a draft
  written_by  bigint references staff,
  version     int not null default 1,  -- counts edits by staff
  removed_at  timestamptz,  -- withdrawn by staff
  read_at     timestamptz,  -- by the one recipient
  deleted_at  timestamptz,
  check ((member_id is null) = (kind = 'announcement')),
  check ((member_id is null) = (written_by is not null)),
  check (member_id is null or sends_at is not null),
  check (member_id is not null or (text_zh || text_en) <> ''),
  check (member_id is not null or (read_at is null and deleted_at is null))
);
create index on notice (member_id, sends_at desc, id desc) where member_id is not null and deleted_at is null;   -- notices of a member, newest first
create index on notice (member_id) where read_at is null and deleted_at is null;   -- unread notices of a member
create index on notice (sends_at desc, id desc) where member_id is null and removed_at is null;   -- announcements, newest first
create index on notice (id) where member_id is null;   -- list for staff
create index on notice (topic_id) where topic_id is not null;   -- erasure of a topic

-- State of an announcement for one member: written when it is read or deleted, so that sending costs no write for each member.
create table notice_copy (
  member_id   bigint not null references member on delete cascade,
  notice_id   bigint not null references notice on delete cascade,
  read_at     timestamptz not null default now(),
  deleted_at  timestamptz,
  primary key (member_id, notice_id)
);

-- Notifications of what others did with posts of a member. Actions of one kind on one thing share a row until it is read. Each action is a notification_event, so
-- that it can be withdrawn, and one post reminds a member once.
create table notification (
  id          bigint generated always as identity primary key,
  member_id   bigint not null references member,
  kind        text not null check (kind ~ '^[a-z][A-Za-z]{0,39}$'),  -- declared in the notification-kinds.ts of a feature
  group_key   text not null,  -- shared by the actions of one row: `liked comment 12`
  topic_id    bigint references topic,  -- place: a member who may not view it gets no notification
  count       int not null default 0 check (count >= 0),
  at          timestamptz not null,
  read_at     timestamptz,
  deleted_at  timestamptz check (deleted_at is null or read_at is not null)
);
create unique index on notification (member_id, group_key) where read_at is null;   -- the unread row that another action joins
create index on notification (member_id, at desc, id desc) where count > 0 and deleted_at is null;   -- notifications of a member, newest first
create index on notification (member_id, topic_id) where read_at is null and count > 0;   -- number of unread notifications
create index on notification (topic_id) where topic_id is not null;   -- move of a topic

create table notification_event (
  id           bigint generated always as identity primary key,
  notification_id  bigint not null references notification on delete cascade,
  member_id    bigint not null,  -- the recipient
  cause        text not null,  -- `wrote` for all notifications of one post, of any kind; otherwise the kind
  actor_id     bigint references member,
  post_kind    post_kind,
  post_id      bigint,
  at           timestamptz not null,
  is_gone      boolean not null default false,  -- its post is off the page
  unique nulls not distinct (member_id, cause, actor_id, post_kind, post_id)
);
create index on notification_event (notification_id, at desc) where not is_gone;   -- latest action of a notification
create index on notification_event (post_kind, post_id, cause);   -- removal of a post, or of a like
create index on notification_event (actor_id);   -- merge of two accounts

-- Kinds of notifications that a member muted.
create table notification_mute (
  member_id  bigint not null references member,
  kind       text not null,
  primary key (member_id, kind)
);

-- Kinds of notifications that a member gets by e-mail or push. Without a row nothing is sent.
create table notification_preference (
  member_id  bigint not null references member on delete cascade,
  kind       text not null,  -- of notifications, or `message` for private messages
  channel    text not null check (channel in ('email', 'push')),
  primary key (member_id, kind, channel)
);

-- A channel of a member: its rhythm, its earliest next use, and its next delivery.
create table notification_channel (
  member_id    bigint not null references member on delete cascade,
  channel      text not null check (channel in ('email', 'push')),
  rhythm       text not null default 'atOnce' check (rhythm in ('atOnce', 'day', 'week')),
  hour         smallint not null default 8 check (hour between 0 and 23),  -- of the digest, in the member's time zone
  rests_until  timestamptz not null default now(),
  next_at      timestamptz,  -- null: nothing waits
  -- Quiet hours of push, in the member's time zone; null: none.
  quiet_from   smallint check (quiet_from between 0 and 23),
  quiet_to     smallint check (quiet_to between 0 and 23),
  primary key (member_id, channel),
  check (channel = 'push' or quiet_from is null),
  check ((quiet_from is null) = (quiet_to is null) and quiet_from <> quiet_to)
);
create index on notification_channel (next_at) where next_at is not null;   -- deliveries that are due

-- Notifications, and senders of private messages, that wait for the next delivery.
create table notification_queue (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member on delete cascade,
  channel    text not null check (channel in ('email', 'push')),
  event_id    bigint references notification_event on delete cascade,
  sender_id  bigint references member on delete cascade,  -- sender of private messages, whose content is not sent
  since      timestamptz not null default now(),
  check ((event_id is null) <> (sender_id is null)),
  unique nulls not distinct (member_id, channel, event_id, sender_id)
);
create index on notification_queue (event_id) where event_id is not null;   -- withdrawal of an action
create index on notification_queue (sender_id) where sender_id is not null;   -- merge of two accounts

-- Unsubscribe tokens, one for each e-mail.
create table unsubscribe_token (
  hash       bytea primary key,
  member_id  bigint not null references member on delete cascade,
  kind       text,  -- null: all kinds
  made_at    timestamptz not null default now()
);
create index on unsubscribe_token (made_at);   -- the job that deletes old rows
create index on unsubscribe_token (member_id);   -- merge of two accounts

-- Browsers that receive push messages, by the push service of each.
create table push_subscription (
  id             bigint generated always as identity primary key,
  member_id      bigint not null references member on delete cascade,
  session_id     bigint not null unique references session on delete cascade,  -- ends with the login
  endpoint_hash  bytea not null unique,
  sealed         bytea not null,  -- address at the push service, and the keys for it
  user_agent     text not null,
  made_at        timestamptz not null default now(),
  used_at        timestamptz,  -- last success
  failed_since   timestamptz,  -- null after a success
  -- The site of the push service, since the address is sealed: few messages at a time go to one site, so that a silent one delays no other.
  host           text not null
);
create index on push_subscription (member_id);   -- browsers of a member
