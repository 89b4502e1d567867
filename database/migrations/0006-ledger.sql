-- Points and balance, in double entries.

create schema ledger;

-- Types and few checks: each check of a table is prepared anew for each statement that writes to it.
create type ledger.currency as enum ('cny', 'points');
create type ledger.account_name as enum ('member', 'escrow', 'platform', 'promotion', 'clearing', 'adjustment', 'fee', 'payout', 'membership', 'unclaimed');
create type ledger.actor_kind as enum ('member', 'staff', 'forum');

-- A closed list of the kinds of transactions, written by the `.sql` file of the feature that each belongs to.
create table ledger.kind (
  name      text primary key check (name ~ '^[a-z][A-Za-z]{1,39}$'),
  legs      text[] not null,  -- the accounts that it may move, each with the direction: `member-`, `platform+`
  may_owe   boolean not null default false,  -- whether it may take an account below zero
  document  text  -- answers whether there is the row that allows a transaction of this kind
);

-- An account of a member, of a hold, or of the site. The site's keep no balance, so that no two members wait for each other.
create table ledger.account (
  id          bigint generated always as identity primary key,
  name        ledger.account_name not null,
  owner_id    bigint,  -- the member; of an escrow account its hold
  label       text not null default '',  -- one of several accounts of the site, such as that of a provider
  currency    ledger.currency not null,
  balance     bigint,  -- below zero it is a debt, which everything that comes in pays off first
  earned      bigint not null default 0,  -- the part of the money that came from other members
  given       bigint not null default 0,  -- the part of the money that the site gave; the rest was paid in
  share_rest  smallint not null default 0,  -- hundredths of the smallest unit that the site has yet to take of sales
  -- A closed account went on as another: a booking on it is refused, and finds the other one when it is done again.
  is_closed   boolean not null default false,
  unique nulls not distinct (name, owner_id, label, currency),
  constraint balance_is_right check (abs(balance) < 1000000000000000 and (balance >= 0 or name = 'member') and earned >= 0 and given >= 0
    and earned + given <= greatest(balance, 0) and share_rest between 0 and 99 and (not is_closed or balance = 0))
);

create table ledger.transaction (
  id               bigint generated always as identity primary key,
  kind             text not null,
  source           text not null,
  reverses         bigint references ledger.transaction,
  actor_kind       ledger.actor_kind not null,
  actor_id         bigint,
  request          text,  -- the key of the call
  reason           text,
  group_name       text,  -- transactions that are reversed together
  provider_number  text,
  at               timestamptz not null,
  digest           bytea not null,  -- of this row and its entries
  check ((actor_kind = 'forum') = (actor_id is null)),
  unique (kind, source)  -- one for each cause, for ever
);
create unique index on ledger.transaction (reverses) where reverses is not null;   -- each is reversed once; few are, so payments need not be in it
create index on ledger.transaction (at);   -- where a time begins and ends
create index on ledger.transaction (group_name) where group_name is not null;
create index on ledger.transaction (provider_number) where provider_number is not null;

create table ledger.entry (
  -- A trigger demands both in place of foreign keys, which would lock the accounts of the site that all share.
  transaction_id  bigint not null,
  account_id      bigint not null,
  kind            text not null,
  currency        ledger.currency not null,
  amount          bigint not null,
  balance_after   bigint,
  earned          bigint not null,  -- how the two parts of the balance changed
  given           bigint not null,
  primary key (transaction_id, account_id)
);
create index on ledger.entry (account_id, transaction_id, kind);   -- a member's log, newest first; of a kind, without a look at others
create index on ledger.entry (currency, kind, transaction_id desc) where amount > 0;   -- all transactions of a kind or a currency, newest first

-- An amount that is taken from a member for a while, and is paid, drawn from in parts, or given back.
create table ledger.hold (
  id           bigint generated always as identity primary key,
  kind         text not null,
  source       text not null,
  owner_id     bigint not null,
  currency     ledger.currency not null,
  amount       bigint not null check (amount > 0),
  state        text not null default 'open' check (state in ('open', 'paid', 'returned')),
  opened_by    bigint not null unique references ledger.transaction,
  resolved_by  bigint unique references ledger.transaction,
  check ((state = 'open') = (resolved_by is null)),
  unique (kind, source)
);
create index on ledger.hold (owner_id) where state = 'open';   -- what of a member's is held

-- Nothing is written while a freezing has no end.
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

-- Sums of each account by month, for entries that a check of the books has found right. Neither checks nor pages add up the whole history.
create table ledger.month_sum (
  account_id  bigint not null,
  month       date not null,  -- its first day, in the time zone of the site
  incoming    bigint not null,
  outgoing    bigint not null,
  entries     bigint not null,
  balance     bigint,  -- after the last entry
  earned      bigint not null,
  given       bigint not null,
  from_site   bigint not null,  -- points that the site gave, less those it took back
  primary key (account_id, month)
);

-- The last transaction in the sums. When the time zone of the site changes, they are computed again.
create table ledger.summed (
  is_one  boolean primary key default true check (is_one),
  upto    bigint not null default 0,
  zone    text not null
);

-- Checks of the books: of what is new, or a full round, which goes in pieces and continues after its last piece when a process dies. A row without an
-- end is running or did not finish.
create table books_check (
  id         bigint generated always as identity primary key,
  began_at   timestamptz not null default clock_timestamp(),
  ended_at   timestamptz,
  is_full    boolean not null,
  at_table   text,  -- the table of the next piece of a round
  at_id      bigint,  -- the last row of the last piece; of a check of what is new, the transaction before its first
  breaches   jsonb not null default '[]',
  check (is_full or at_table is null and at_id is not null)
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

-- Manual transactions of staff: booked at once, or on the approval of a second account.
create table money_request (
  id              bigint generated by default as identity primary key,  -- the source of an adjustment in the ledger names it before the row is written
  kind            text not null check (kind in ('adjustment', 'reversal', 'refund', 'topicRefund', 'bountyChange', 'adoption', 'orderRefund',
    'topUpRefund', 'paymentCredit')),
  member_id       bigint references member,  -- the account that is adjusted, or the buyer that is refunded
  topic_id        bigint references topic,
  reverses        bigint references ledger.transaction,
  points          bigint not null,  -- the amount moved; negative where an adjustment takes it
  cents           bigint not null,
  input           jsonb not null,  -- the input as it was asked for, checked again on approval
  detail          jsonb not null default '{}',  -- facts for the list
  reason          text not null,
  asked_by        bigint not null references staff,
  asked_at        timestamptz not null default clock_timestamp(),
  state           text not null default 'waiting' check (state in ('waiting', 'done', 'declined')),
  decided_by      bigint references staff,  -- null without approval
  decided_at      timestamptz,
  answer          text,
  transaction_id  bigint unique references ledger.transaction,  -- null where there are several, or none of its own
  constraint moves_something check (points <> 0 or cents <> 0),
  constraint is_about_something check (coalesce(member_id, topic_id, reverses) is not null),
  constraint done_by_transaction check (
    case when kind in ('adjustment', 'reversal', 'refund', 'orderRefund', 'topUpRefund', 'paymentCredit') then (state = 'done') = (transaction_id is not null)
      else state = 'done' or transaction_id is null end),
  constraint decided_once check ((state = 'waiting') = (decided_at is null)),
  constraint decided_by_somebody check (state = 'done' or (decided_by is null) = (state = 'waiting')),
  constraint two_agree check (state <> 'done' or decided_by <> asked_by)  -- no approval of one's own request
);
create index on money_request (id) where state = 'waiting';   -- the queue
create index on money_request (asked_by, asked_at) where state = 'done' and decided_by is null;   -- amounts moved without approval today
create index on money_request (member_id, id);   -- requests about a member
create unique index on money_request (reverses) where state = 'waiting';   -- one request for each transaction
create unique index on money_request (kind, topic_id) where state = 'waiting' and reverses is null;   -- and for each topic
create unique index on money_request ((detail -> 'event' ->> 'id')) where state = 'waiting' and kind = 'paymentCredit';   -- and for each payment

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
  currency        ledger.currency not null,
  member_id       bigint not null references member,
  amount          bigint not null check (amount >= 0),
  transaction_id  bigint not null,
  at              timestamptz not null default clock_timestamp(),
  primary key (topic_id, comment_id, currency)
);
create index on bounty_share (comment_id);   -- transfer of an answer to another member
create index on bounty_share (transaction_id);   -- the check of the books
