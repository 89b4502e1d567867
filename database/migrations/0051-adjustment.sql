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
  decided_by      bigint references staff,   -- null where nobody had to agree
  decided_at      timestamptz,
  answer          text,
  transaction_id  bigint unique references ledger.transaction,
  check ((state = 'done') = (transaction_id is not null)),
  check ((state = 'waiting') = (decided_at is null)),
  check (state = 'done' or (decided_by is null) = (state = 'waiting')),
  check (state <> 'done' or decided_by <> asked_by)   -- nobody agrees with themselves
);
create index on adjustment (id) where state = 'waiting';      -- what waits
create index on adjustment (member_id, asked_by, asked_at);   -- what one member of staff gave a member today
