-- Parts of topics that are locked, and who opened them.

create schema hidden;

-- A part stands in the opening of a topic, or in a comment that was the opening of one.
create table hidden.part (
  id             text primary key check (id ~ '^[\w-]{1,40}$'),
  topic_id       bigint references topic,
  comment_id     bigint references comment,
  position       int,  -- null: it was taken out
  lock           text not null check (lock in ('password', 'comment', 'level', 'points', 'balance')),
  needs          bigint check (needs >= 0),  -- the points that a level needs, or the price in points or cents
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
create index on hidden.part (topic_id);   -- what a thread hides
create index on hidden.part (comment_id) where comment_id is not null;
create index on hidden.part using gin (members_named(document)) where members_named(document) <> '{}';

-- What a part said before.
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
create index on hidden.earlier using gin (members_named(document)) where members_named(document) <> '{}';

-- What the parts of a topic shall be once staff approve an edit of it. Without a document: as it is.
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
create index on hidden.waiting using gin (members_named(document)) where members_named(document) <> '{}';

-- Who opened a part for good: by its password, or for what they paid. A payment that was reversed opens nothing.
create table hidden.unlock (
  id              bigint generated always as identity primary key,
  part_id         text not null references hidden.part,
  member_id       bigint not null references member,
  at              timestamptz not null default clock_timestamp(),
  lock            text not null check (lock in ('password', 'points', 'balance')),
  paid            bigint not null default 0 check (paid >= 0),
  earned          bigint not null default 0 check (earned between 0 and paid),  -- what of it was the author's
  transaction_id  bigint unique references ledger.transaction,
  unique nulls not distinct (part_id, member_id, transaction_id),  -- once
  check ((lock = 'password') = (transaction_id is null)),
  check ((lock = 'password') = (paid = 0))
);
create index on hidden.unlock (part_id, id desc);   -- who opened what is mine
create index on hidden.unlock (member_id, id desc);   -- what I opened

-- Passwords that were tried, right or wrong.
create table hidden.try (
  topic_id   bigint not null,
  member_id  bigint not null references member,
  at         timestamptz not null default clock_timestamp()
);
create index on hidden.try (member_id, topic_id, at);

-- Hidden parts that go from the page after they were sold: their buyers go on reading them, or get back what they paid.
-- Parts whose buyers get their money back, until a job has done so. One that is back on the page before that is left as it was sold.
create table refund_due (
  part_id    text primary key references hidden.part,
  is_erased  boolean not null,
  since      timestamptz not null default clock_timestamp()
);
