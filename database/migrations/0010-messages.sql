-- What two members write to each other.

create sequence message_revision;

-- What two members write to each other. Whoever asks sets `app.member_id` in their transaction, and sees nothing that others wrote among
-- themselves, whatever a statement asks for: the owner of the tables is somebody else than the forum.
create table message (
  id          bigint generated always as identity primary key,  -- taken while the two are locked, so that later ones have higher ones
  low_id      bigint not null references member,  -- the two of them, the lower first
  high_id     bigint not null references member,
  author_id   bigint not null check (author_id in (low_id, high_id)),
  key         uuid not null,  -- what a browser sent it by: once, however often it tries
  body        jsonb not null,
  segments    jsonb not null,
  text        text not null,
  gone_low    boolean not null default false,  -- the copy of the lower, and of the higher, was deleted
  gone_high   boolean not null default false,
  cleaned_by  bigint references member_cleaning,  -- as spam, from whom it was written to; it comes back with what undoes that
  sent_at     timestamptz not null default clock_timestamp(),
  check (low_id < high_id),
  unique (author_id, key)
);
alter table message enable row level security;
create index on message (low_id, high_id, id desc);   -- a conversation, latest first
create index on message (author_id, sent_at desc);   -- when somebody wrote last, and how much lately
create index on message (cleaned_by) where cleaned_by is not null;   -- what comes back
alter table file_use add foreign key (message_id) references message on delete cascade;

-- A conversation as one of the two has it.
create table message_side (
  member_id  bigint not null references member,
  other_id   bigint not null references member,
  last_id    bigint not null,  -- the latest that they have of it; nought once it is empty
  unread     int not null default 0 check (unread >= 0),
  read_to    bigint not null default 0,
  request    text check (request in ('mine', 'theirs')),
  sent       int not null default 0,  -- how many the member sent before it was accepted
  revision   bigint not null default nextval('message_revision'),  -- higher with each change; of before this, nought
  primary key (member_id, other_id),
  check (member_id <> other_id)
);
alter table message_side enable row level security;
create index on message_side (member_id, last_id desc) where last_id > 0;   -- one's own, latest first
create index on message_side (member_id) where unread > 0 and request is distinct from 'theirs';   -- how many are unread
create index on message_side (other_id);   -- when two members become one
create index on message_side (member_id, revision desc);   -- what changed last

create table message_setting (
  member_id  bigint primary key references member,
  senders    text not null check (senders in ('everybody', 'followed', 'nobody'))
);

-- What members report of what was written to them, and what happens to the messages of many at once. What a report says lies apart, and is read by
-- nothing but the function that opens it.
create table message_report (
  id           bigint generated always as identity primary key,
  message_id   bigint not null references message,
  message_ids  bigint[] not null,  -- with those before and after it that staff may read
  author_id    bigint not null references member,  -- who wrote the message
  reporter_id  bigint not null references member,  -- to whom
  reason       text not null,
  reported_at  timestamptz not null default clock_timestamp(),
  outcome      text check (outcome in ('upheld', 'dismissed')),
  result       text,  -- a word to the reporter
  decided_by   bigint references staff,
  decided_at   timestamptz,
  check ((outcome is null) = (decided_at is null) and (outcome is null) = (decided_by is null) and (outcome is null) = (result is null)),
  unique (message_id, reporter_id)
);
create index on message_report (id desc) where outcome is null;   -- those that wait
create index on message_report (author_id, id desc);   -- what is reported of one member
create index on message_report (reporter_id);   -- when two members become one
create index on message_report using gin (message_ids);   -- whether files of a message are staff's to see still

-- The message and the few around it, as the reporter had them then.
create table message_report_copy (
  report_id    bigint primary key references message_report,
  reporter_id  bigint not null references member,
  messages     jsonb not null
);
alter table message_report_copy enable row level security;

-- Where the forum has one, who registers is written to by this member, or by the first official one.
create table welcome_message (
  member_id  bigint references member,
  body       jsonb not null,
  segments   jsonb not null,
  text       text not null,
  unique nulls not distinct (member_id)
);

alter sequence message_revision owned by message_side.revision;
