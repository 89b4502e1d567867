-- What two members write to each other. Whoever asks sets `app.member_id` in their transaction, and sees nothing that others wrote among
-- themselves, whatever a statement asks for: the owner of the tables is somebody else than the forum.

create table message (
  id         bigint generated always as identity primary key,
  low_id     bigint not null references member,     -- the two of them, the lower first
  high_id    bigint not null references member,
  author_id  bigint not null check (author_id in (low_id, high_id)),
  key        uuid not null,                          -- what a browser sent it by: once, however often it tries
  body       jsonb not null,
  segments   jsonb not null,
  text       text not null,
  gone_low   boolean not null default false,         -- the copy of the lower, and of the higher, was deleted
  gone_high  boolean not null default false,
  sent_at    timestamptz not null default now(),
  check (low_id < high_id),
  unique (author_id, key)
);
create index on message (low_id, high_id, id desc);

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
create index on message_side (member_id, last_id desc) where last_id > 0;
create index on message_side (member_id) where unread > 0 and request is distinct from 'theirs';

create table message_setting (
  member_id  bigint primary key references member,
  senders    text not null check (senders in ('everybody', 'followed', 'nobody'))
);

create function asking_member() returns bigint stable language sql as $$
  select nullif(current_setting('app.member_id', true), '')::bigint
$$;

alter table message enable row level security;
create policy its_two_read on message for select using (asking_member() in (low_id, high_id));
create policy its_two_change on message for update using (asking_member() in (low_id, high_id));
create policy its_author_writes on message for insert with check (asking_member() = author_id);
alter table message_side enable row level security;
create policy its_two on message_side using (asking_member() in (member_id, other_id));
