-- Polls: a question with options that comes with a thread, and one ballot of each voter.

create table poll (
  topic_id       bigint primary key references topic,
  title          text not null default '',
  max_choices    int not null check (max_choices >= 1),
  is_public      boolean not null,  -- whether everybody may see who voted for what; it never changes, because voters relied on it
  shows_results  text not null check (shows_results in ('always', 'voted', 'ended')),
  results_key    uuid not null default gen_random_uuid(),  -- opens the stream of results that only voters may see
  ends_at        timestamptz,
  ended_at       timestamptz,
  end_reason     text check (end_reason in ('due', 'author', 'staff')),
  created_at     timestamptz not null default clock_timestamp(),
  version        int not null default 1,  -- of title and options
  notified_to    bigint not null default 0,  -- voters up to this member have been notified of the end
  notified_at    timestamptz,  -- when all of them had been
  constraint ended_once check ((ended_at is null) = (end_reason is null)),
  constraint notified_of_end check (notified_at is null or ended_at is not null)
);
create index on poll (ends_at) where ended_at is null;   -- what is due
create index on poll (topic_id) where ended_at is not null and notified_at is null;   -- ended ones whose voters are still being notified

create table poll_option (
  id        bigint generated always as identity primary key,
  topic_id  bigint not null references poll on delete cascade,
  place     int not null,
  label     text not null check (label <> ''),
  -- Options change places and names in one transaction, so the order of its statements does not matter.
  unique (topic_id, place) deferrable initially deferred,
  unique (topic_id, label) deferrable initially deferred
);

-- A ballot is one row with all its choices, so that a changed vote replaces the former one at once. Votes are counted when they are read: a counter beside
-- an option would be a row that all voters wait for.
create table poll_ballot (
  topic_id    bigint not null references poll on delete cascade,
  member_id   bigint not null references member,
  option_ids  bigint[] not null check (cardinality(option_ids) >= 1),
  voted_at    timestamptz not null default clock_timestamp(),
  primary key (topic_id, member_id)  -- one ballot each
);
create index on poll_ballot (member_id);   -- the ballots of a member, to export, merge or erase them
create index on poll_ballot (topic_id, voted_at desc, member_id);   -- voters, newest first
