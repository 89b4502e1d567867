-- What an asker offers for an answer. It lies in the ledger while it is open; whoever asked pays it and gets back what is not paid.
create table bounty (
  topic_id     bigint primary key references topic,
  state        text not null default 'waiting' check (state in ('waiting', 'open', 'paid', 'returned')),
  points       bigint not null default 0 check (points >= 0),
  cents        bigint not null default 0 check (cents >= 0),
  days         smallint not null check (days > 0),   -- how long it is open from the moment the question is on the page
  ends_at      timestamptz,                           -- of one that waits, since when it is only the books that it waits for
  times        smallint not null default 0,           -- how often something was taken for it: each has a source of its own in the ledger
  points_hold  bigint unique,
  cents_hold   bigint unique,
  check (state = 'waiting' or ends_at is not null),
  check (state <> 'open' or (points > 0 or cents > 0) and (points > 0) = (points_hold is not null) and (cents > 0) = (cents_hold is not null))
);
create index on bounty (ends_at) where state in ('waiting', 'open');                         -- what ends now
create index on bounty (points desc, topic_id desc) where state = 'open' and points > 0;     -- questions with points, the highest first
create index on bounty (cents desc, topic_id desc) where state = 'open' and cents > 0;       -- the same with money

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
create index on bounty_share (comment_id);       -- when an answer becomes another member's
create index on bounty_share (transaction_id);   -- when the books are proved

-- Questions are searched by whether something is offered.
create function search_notes_bounty() returns trigger language plpgsql as $$
begin
  insert into search_change (kind, source_id) values ('topic', new.topic_id);
  return null;
end $$;
create trigger search_changed after update of state on bounty for each row when (old.state is distinct from new.state)
  execute function search_notes_bounty();
