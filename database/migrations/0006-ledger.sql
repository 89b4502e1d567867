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

-- Results of the checks of the books.
create table books_check (
  id        bigint generated always as identity primary key,
  began_at  timestamptz not null,
  ended_at  timestamptz not null default clock_timestamp(),
  is_full   boolean not null,
  breaches  jsonb not null
);

-- Points for posts: given when a post appears, taken back when it goes.
create table reward (
  post_kind    post_kind not null,
  post_id      bigint not null,
  is_adoption  boolean not null default false,  -- for an accepted answer, beside its reward as an answer
  member_id    bigint not null references member,
  rule         text not null check (rule in ('topic', 'comment', 'reply', 'question', 'answer', 'answerReply', 'adopted', 'liked')),
  points       bigint not null check (points >= 0),
  day          date,  -- the daily limits that it counts towards; null: none
  round        int not null default 0,  -- counts grants: each has a source of its own in the ledger
  is_due       boolean not null,  -- the post is on the page
  is_given     boolean not null,  -- differs from is_due only until frozen books are thawed
  -- A reward for likes is given once for each liker of a post, however often the post is liked and unliked.
  liker_id     bigint references member,
  constraint reward_once unique nulls not distinct (post_kind, post_id, is_adoption, liker_id),
  constraint likes_have_likers check ((rule = 'liked') = (liker_id is not null))
);
create index on reward (member_id, day) include (rule, points);   -- earnings of a member in a day
create index on reward (post_kind, post_id) where is_due <> is_given;   -- rewards to settle after a thaw
create index on reward (liker_id, member_id, day) where liker_id is not null;   -- points through one member's likes in a day

-- Adjustments of an account by staff: booked at once, or on the approval of a second account.
create table adjustment (
  id              bigint generated always as identity primary key,
  member_id       bigint not null references member,
  currency        text not null check (currency in ('cny', 'points')),
  amount          bigint not null check (amount <> 0),
  reason          text not null,
  asked_by        bigint not null references staff,
  asked_at        timestamptz not null default clock_timestamp(),
  state           text not null default 'waiting' check (state in ('waiting', 'done', 'declined')),
  decided_by      bigint references staff,  -- null without approval
  decided_at      timestamptz,
  answer          text,
  transaction_id  bigint unique references ledger.transaction,
  check ((state = 'done') = (transaction_id is not null)),
  check ((state = 'waiting') = (decided_at is null)),
  check (state = 'done' or (decided_by is null) = (state = 'waiting')),
  check (state <> 'done' or decided_by <> asked_by)  -- no approval of one's own request
);
create index on adjustment (id) where state = 'waiting';   -- the queue
create index on adjustment (member_id, asked_by, asked_at);   -- adjustments by one account for a member today

-- Bounties of askers. The amount is held in the ledger while the bounty is open; the rest goes back to the asker.
create table bounty (
  topic_id     bigint primary key references topic,
  state        text not null default 'waiting' check (state in ('waiting', 'open', 'paid', 'returned')),
  points       bigint not null default 0 check (points >= 0),
  cents        bigint not null default 0 check (cents >= 0),
  days         smallint not null check (days > 0),  -- length, from the publication of the question
  ends_at      timestamptz,  -- the end; of a waiting bounty, since when frozen books alone delay it
  times        smallint not null default 0,  -- counts holds: each has a source of its own in the ledger
  points_hold  bigint unique,
  cents_hold   bigint unique,
  check (state = 'waiting' or ends_at is not null),
  check (state <> 'open' or (points > 0 or cents > 0) and (points > 0) = (points_hold is not null) and (cents > 0) = (cents_hold is not null))
);
create index on bounty (ends_at) where state in ('waiting', 'open');   -- bounties that end now
create index on bounty (points desc, topic_id desc) where state = 'open' and points > 0;   -- questions with points, the highest first
create index on bounty (cents desc, topic_id desc) where state = 'open' and cents > 0;   -- questions with money, the highest first
create index on bounty (ends_at, topic_id desc) where state = 'open';   -- questions with any bounty, the next to end first

-- Shares of a bounty by answer, less the fee of the forum.
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
create index on bounty_share (comment_id);   -- transfer of an answer to another member
create index on bounty_share (transaction_id);   -- the check of the books
