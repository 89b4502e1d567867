-- Private messages.

-- Messages between two members. A transaction that reads them sets `app.member_id` and sees the messages of that member alone, whatever a statement asks
-- for: the program does not own the tables.
create table message (
  id          bigint generated always as identity primary key,  -- assigned while the two are locked, so in the order of sending
  low_id      bigint not null references member,  -- the two members, the lower id first
  high_id     bigint not null references member,
  author_id   bigint not null check (author_id in (low_id, high_id)),
  key         uuid not null,  -- made by the browser: a repeated attempt sends nothing twice
  body        jsonb not null,
  segments    jsonb not null,
  text        text not null,
  gone_low    boolean not null default false,  -- deleted by low_id; gone_high likewise
  gone_high   boolean not null default false,
  cleaned_by  bigint references member_cleanup,  -- hidden from its recipient as spam, until the clean-up is undone
  sent_at     timestamptz not null default clock_timestamp(),
  check (low_id < high_id),
  unique (author_id, key)
);
alter table message enable row level security;
create index on message (low_id, high_id, id desc);   -- a conversation, latest first
create index on message (author_id, sent_at desc);   -- last and recent messages of a member
create index on message (cleaned_by) where cleaned_by is not null;   -- undo of a clean-up
alter table file_use add foreign key (message_id) references message on delete cascade;

create sequence message_revision;

-- A conversation from the side of one member.
create table conversation_participant (
  member_id  bigint not null references member,
  other_id   bigint not null references member,
  last_id    bigint not null,  -- latest message of this side; 0: none
  unread     int not null default 0 check (unread >= 0),
  read_to    bigint not null default 0,
  request    text check (request in ('mine', 'theirs')),
  sent       int not null default 0,  -- messages sent before the request was accepted
  revision   bigint not null default nextval('message_revision'),  -- higher with each change
  primary key (member_id, other_id),
  check (member_id <> other_id)
);
alter table conversation_participant enable row level security;
create index on conversation_participant (member_id, last_id desc) where last_id > 0;   -- conversations of a member, latest first
create index on conversation_participant (member_id) where unread > 0 and request is distinct from 'theirs';   -- number of unread messages
create index on conversation_participant (other_id);   -- merge of two accounts
create index on conversation_participant (member_id, revision desc);   -- latest changes
alter sequence message_revision owned by conversation_participant.revision;

create table message_setting (
  member_id  bigint primary key references member,
  senders    text not null check (senders in ('everybody', 'followed', 'nobody'))
);

-- Reports of messages. The text of a report is in message_report_copy, which the function reported_messages alone reads.
create table message_report (
  id           bigint generated always as identity primary key,
  message_id   bigint not null references message,
  message_ids  bigint[] not null,  -- the message with its neighbours, open to staff
  author_id    bigint not null references member,  -- author of the message
  reporter_id  bigint not null references member,  -- recipient of the message
  reason       text not null,
  reported_at  timestamptz not null default clock_timestamp(),
  outcome      text check (outcome in ('upheld', 'dismissed')),
  result       text,  -- answer to the reporter
  decided_by   bigint references staff,
  decided_at   timestamptz,
  check ((outcome is null) = (decided_at is null) and (outcome is null) = (decided_by is null) and (outcome is null) = (result is null)),
  unique (message_id, reporter_id)
);
create index on message_report (id desc) where outcome is null;   -- the queue
create index on message_report (author_id, id desc);   -- reports about a member
create index on message_report (reporter_id);   -- merge of two accounts
create index on message_report using gin (message_ids);   -- access of staff to files in messages

-- The message and its neighbours, as the reporter had them at that time.
create table message_report_copy (
  report_id    bigint primary key references message_report,
  reporter_id  bigint not null references member,
  messages     jsonb not null
);
alter table message_report_copy enable row level security;

-- The message that greets new members, where the forum has one: from this member, or the first official one.
create table welcome_message (
  member_id  bigint references member,
  body       jsonb not null,
  segments   jsonb not null,
  text       text not null,
  unique nulls not distinct (member_id)
);
