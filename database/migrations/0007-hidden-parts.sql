-- Hidden parts of topics, and their unlocks.

create schema hidden;

-- A part belongs to the opening post of a topic, or to a comment that was one.
create table hidden.part (
  id             text primary key check (id ~ '^[\w-]{1,40}$'),
  topic_id       bigint references topic,
  comment_id     bigint references comment,
  position       int,  -- null: removed from the post
  lock           text not null check (lock in ('password', 'comment', 'level', 'points', 'balance')),
  needs          bigint check (needs >= 0),  -- points of the level, or the price in points or cents
  password_hash  text,
  document       jsonb not null,
  segments       jsonb not null,
  file_ids       text[] not null,
  version        int not null default 1,
  written_at     timestamptz not null default clock_timestamp(),
  check (num_nonnulls(topic_id, comment_id) = 1),
  check ((lock in ('level', 'points', 'balance')) = (needs is not null)),
  check ((lock = 'password') = (password_hash is not null))
);
create index on hidden.part (topic_id);   -- parts of a topic
create index on hidden.part (comment_id) where comment_id is not null;   -- parts of a comment
create index on hidden.part using gin (members_named(document)) where members_named(document) <> '{}';   -- renames

-- Earlier versions of parts.
create table hidden.earlier (
  part_id      text not null references hidden.part,
  version      int not null,
  lock         text not null,
  needs        bigint,
  document     jsonb not null,
  segments     jsonb not null,
  file_ids     text[] not null,
  written_at   timestamptz not null,
  replaced_at  timestamptz not null default clock_timestamp(),
  primary key (part_id, version)
);
create index on hidden.earlier using gin (members_named(document)) where members_named(document) <> '{}';   -- renames

-- Parts of an edit that waits for approval. A part without a document stays as it is.
create table hidden.waiting (
  topic_id       bigint not null references topic,
  id             text not null,
  position       int not null,
  lock           text not null,
  needs          bigint,
  password_hash  text,
  document       jsonb,
  segments       jsonb,
  file_ids       text[],
  primary key (topic_id, id)
);
create index on hidden.waiting using gin (members_named(document)) where members_named(document) <> '{}';   -- renames

-- Permanent unlocks, by password or by payment. A reversed payment unlocks nothing.
create table hidden.unlock (
  id              bigint generated always as identity primary key,
  part_id         text not null references hidden.part,
  member_id       bigint not null references member,
  at              timestamptz not null default clock_timestamp(),
  lock            text not null check (lock in ('password', 'points', 'balance')),
  paid            bigint not null default 0 check (paid >= 0),
  earned          bigint not null default 0 check (earned between 0 and paid),  -- share of the author
  transaction_id  bigint unique references ledger.transaction,
  unique nulls not distinct (part_id, member_id, transaction_id),  -- one unlock by password, and one for each payment
  check ((lock = 'password') = (transaction_id is null)),
  check ((lock = 'password') = (paid = 0))
);
create index on hidden.unlock (part_id, id desc) include (lock, earned, transaction_id);   -- unlocks of a part, newest first, with what sums and counts of them ask
create index on hidden.unlock (member_id, id desc);   -- unlocks by a member, newest first

-- Password attempts, right and wrong.
create table hidden.try (
  topic_id   bigint not null,
  member_id  bigint not null references member,
  at         timestamptz not null default clock_timestamp()
);
create index on hidden.try (member_id, topic_id, at);   -- recent attempts of a member

-- Parts whose buyers are due a refund, until a job has paid it. A part that returns to the page before that stays sold.
create table refund_due (
  part_id    text primary key references hidden.part,
  is_erased  boolean not null,
  since      timestamptz not null default clock_timestamp()
);
