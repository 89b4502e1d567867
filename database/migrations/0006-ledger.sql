-- Points and balance, in double entries.

create schema ledger;

-- A member's points or balance, what they owe, what is held for a while; and the forum's own, which keep no balance so that nobody waits.
create table ledger.account (
  id         bigint generated always as identity primary key,
  name       text not null check (name in ('member', 'owed', 'escrow', 'platform', 'promotion', 'clearing', 'adjustment')),
  owner_id   bigint,  -- the member; of an escrow account its hold
  currency   text not null check (currency in ('cny', 'points')),
  balance    bigint check (abs(balance) < 1000000000000000),
  -- An account that went on as another takes nothing any more: whoever is about to book something on it finds out, once that is committed, and does
  -- their deed again, which then finds the other one.
  is_closed  boolean not null default false,
  check ((name in ('member', 'owed', 'escrow')) = (owner_id is not null)),
  check ((owner_id is not null) = (balance is not null)),
  check (case when name = 'owed' then balance <= 0 else balance >= 0 end),
  unique nulls not distinct (name, owner_id, currency),
  constraint closed_is_empty check (not is_closed or balance = 0)
);

create table ledger.transaction (
  id          bigint generated always as identity primary key,
  kind        text not null check (kind ~ '^[a-z][A-Za-z]{1,39}$'),
  source      text not null check (char_length(source) between 1 and 200),
  reverses    bigint unique references ledger.transaction,
  actor_kind  text not null check (actor_kind in ('member', 'staff', 'forum')),
  actor_id    bigint,
  request     text,
  reason      text,
  at          timestamptz not null default clock_timestamp(),
  check ((actor_kind = 'forum') = (actor_id is null)),
  unique (kind, source)  -- one for each cause, for ever
);
create index on ledger.transaction using brin (at);   -- what is new since the books were checked

create table ledger.entry (
  transaction_id  bigint not null references ledger.transaction,
  account_id      bigint not null,  -- no foreign key: each would lock the forum's accounts, which all share; must_balance looks instead
  currency        text not null check (currency in ('cny', 'points')),
  amount          bigint not null check (amount <> 0),
  balance_after   bigint,
  primary key (transaction_id, account_id)
);
create index on ledger.entry (account_id, transaction_id desc);   -- a member's log, newest first

-- What is taken from a member for a while, and paid or given back once.
create table ledger.hold (
  id           bigint generated always as identity primary key,
  kind         text not null,
  source       text not null,
  owner_id     bigint not null,
  currency     text not null check (currency in ('cny', 'points')),
  amount       bigint not null check (amount > 0),
  state        text not null default 'open' check (state in ('open', 'paid', 'returned')),
  opened_by    bigint not null unique references ledger.transaction,
  resolved_by  bigint unique references ledger.transaction,
  check ((state = 'open') = (resolved_by is null)),
  unique (kind, source)
);
create index on ledger.hold (owner_id) where state = 'open';   -- what of a member's is held

-- While one stands that has no end, nothing is written.
create table ledger.freezing (
  id           bigint generated always as identity primary key,
  at           timestamptz not null default clock_timestamp(),
  staff_id     bigint,
  reason       text not null,
  thawed_at    timestamptz,
  thawed_by    bigint,
  thaw_reason  text,
  check ((thawed_at is null) = (thawed_by is null))
);
create unique index on ledger.freezing ((true)) where thawed_at is null;   -- one at a time

-- What came of each look at the books.
create table books_check (
  id        bigint generated always as identity primary key,
  began_at  timestamptz not null,
  ended_at  timestamptz not null default clock_timestamp(),
  is_full   boolean not null,
  breaches  jsonb not null
);

-- What members earn for what they write: points that come when a post does, and go when it goes.
create table reward (
  post_kind    post_kind not null,
  post_id      bigint not null,
  is_adoption  boolean not null default false,  -- for the answer that solved a question, beside what it earned as an answer
  member_id    bigint not null references member,
  rule         text not null check (rule in ('topic', 'comment', 'reply', 'question', 'answer', 'answerReply', 'adopted', 'liked')),
  points       bigint not null check (points >= 0),
  day          date,  -- whose limits it counts towards; null where it was written before there were any
  round        int not null default 0,  -- how often it was given; what was given at the opening of the books is none
  is_due       boolean not null,  -- the post is on the page
  is_given     boolean not null,  -- other than due only until books that were frozen are thawed
  -- Points for likes, where staff give any: for each like of a post at most once, however often it is liked and unliked. And what notices need to know.
  liker_id     bigint references member,  -- whose like it is for
  constraint reward_once unique nulls not distinct (post_kind, post_id, is_adoption, liker_id),
  constraint likes_have_likers check ((rule = 'liked') = (liker_id is not null))
);
create index on reward (member_id, day) include (rule, points);   -- what a member earned in a day
create index on reward (post_kind, post_id) where is_due <> is_given;   -- what is to be done after a thaw
create index on reward (liker_id, member_id, day) where liker_id is not null;   -- what one member's likes gave another in a day

-- What staff add to an account or take from it: at once, or when a second member of staff agrees.
create table adjustment (
  id              bigint generated always as identity primary key,
  member_id       bigint not null references member,
  currency        text not null check (currency in ('cny', 'points')),
  amount          bigint not null check (amount <> 0),
  reason          text not null,
  asked_by        bigint not null references staff,
  asked_at        timestamptz not null default clock_timestamp(),
  state           text not null default 'waiting' check (state in ('waiting', 'done', 'declined')),
  decided_by      bigint references staff,  -- null where nobody had to agree
  decided_at      timestamptz,
  answer          text,
  transaction_id  bigint unique references ledger.transaction,
  check ((state = 'done') = (transaction_id is not null)),
  check ((state = 'waiting') = (decided_at is null)),
  check (state = 'done' or (decided_by is null) = (state = 'waiting')),
  check (state <> 'done' or decided_by <> asked_by)  -- nobody agrees with themselves
);
create index on adjustment (id) where state = 'waiting';   -- what waits
create index on adjustment (member_id, asked_by, asked_at);   -- what one member of staff gave a member today

-- What an asker offers for an answer. It lies in the ledger while it is open; whoever asked pays it and gets back what is not paid.
create table bounty (
  topic_id     bigint primary key references topic,
  state        text not null default 'waiting' check (state in ('waiting', 'open', 'paid', 'returned')),
  points       bigint not null default 0 check (points >= 0),
  cents        bigint not null default 0 check (cents >= 0),
  days         smallint not null check (days > 0),  -- how long it is open from the moment the question is on the page
  ends_at      timestamptz,  -- of one that waits, since when it is only the books that it waits for
  times        smallint not null default 0,  -- how often something was taken for it: each has a source of its own in the ledger
  points_hold  bigint unique,
  cents_hold   bigint unique,
  check (state = 'waiting' or ends_at is not null),
  check (state <> 'open' or (points > 0 or cents > 0) and (points > 0) = (points_hold is not null) and (cents > 0) = (cents_hold is not null))
);
create index on bounty (ends_at) where state in ('waiting', 'open');   -- what ends now
create index on bounty (points desc, topic_id desc) where state = 'open' and points > 0;   -- questions with points, the highest first
create index on bounty (cents desc, topic_id desc) where state = 'open' and cents > 0;   -- the same with money
create index on bounty (ends_at, topic_id desc) where state = 'open';   -- questions with a bounty of any kind, those first that end first

-- What each answer got of it, less what the forum took.
create table bounty_share (
  topic_id        bigint not null references bounty,
  comment_id      bigint not null references comment,
  currency        text not null check (currency in ('points', 'cny')),
  member_id       bigint not null references member,
  amount          bigint not null check (amount >= 0),
  transaction_id  bigint not null,
  at              timestamptz not null default clock_timestamp(),
  primary key (topic_id, comment_id, currency)
);
create index on bounty_share (comment_id);   -- when an answer becomes another member's
create index on bounty_share (transaction_id);   -- when the books are proved
