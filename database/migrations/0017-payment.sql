-- Payments by providers: orders, what providers said, refunds, disputes, and what their statements say.

-- What a provider said, as it came. Nothing is credited without a row here that was verified.
create table payment_event (
  id           bigint generated always as identity primary key,
  provider     text not null check (provider ~ '^[a-z]{3,20}$'),
  event_id     text not null,  -- the provider's own number of it; of an answer to a query one of ours
  headers      jsonb not null,
  body         bytea not null,
  received_at  timestamptz not null default clock_timestamp(),
  state        text not null default 'new' check (state in ('new', 'done', 'suspended', 'credited', 'returned', 'dismissed')),
  kind         text not null check (kind in ('paid', 'closed', 'refund', 'dispute', 'other')),
  facts        jsonb not null,  -- what it says, after its signature was verified
  problem      text,  -- why it was suspended
  handled_at   timestamptz,
  handled_by   bigint references staff,
  answer       text,  -- what staff say of one that they settle
  credited_to  bigint references member,
  transaction_id  bigint unique references ledger.transaction,  -- what staff credited by it
  unique (provider, event_id),
  constraint handled_once check ((state = 'new') = (handled_at is null)),
  constraint suspended_for_something check ((state not in ('new', 'done')) = (problem is not null)),
  constraint credited_with_transaction check ((state = 'credited') = (transaction_id is not null) and (state = 'credited') = (credited_to is not null))
);
create index on payment_event (id) where state = 'new';   -- the inbox
create index on payment_event (id) where state = 'suspended';   -- what waits for staff
create index on payment_event (credited_to) where credited_to is not null;
create index on payment_event (received_at, id);   -- newest first, and by each filter
create index on payment_event (provider, received_at, id);
create index on payment_event (state, received_at, id);
create index on payment_event (kind, received_at, id);
create index on payment_event (problem, received_at, id) where problem is not null;
create index on payment_event ((facts ->> 'number') collate "C");   -- of one order
create index on payment_event (provider, (facts ->> 'providerNumber')) where kind = 'paid';   -- a payment that a statement names
create index on payment_event (provider, id) where state = 'credited';   -- what staff credited, which statements must name
create unique index on payment_event (provider, (facts ->> 'providerNumber')) where state in ('credited', 'returned');   -- staff settle a payment once, however often it was told

create table payment_order (
  id               bigint generated always as identity primary key,
  number           text not null unique check (number ~ '^\d{20}$'),
  member_id        bigint not null references member,
  provider         text not null check (provider ~ '^[a-z]{3,20}$'),
  method           text not null,
  cents            bigint not null check (cents > 0),
  state            text not null default 'open' check (state in ('open', 'paid', 'closed')),
  return_to        text,  -- the page that the member goes on to
  started          jsonb,  -- where the provider sends the member, or what its QR code holds; null until it has answered
  created_at       timestamptz not null default clock_timestamp(),
  expires_at       timestamptz not null,
  paid_at          timestamptz,  -- when it was credited
  taken_at         timestamptz,  -- when the provider took the money, by its clock
  closed_at        timestamptz,
  provider_number  text,  -- of the payment, as the provider calls it
  event_id         bigint unique references payment_event,  -- what it was credited by
  transaction_id   bigint unique references ledger.transaction,
  query_at         timestamptz,  -- when the provider is asked next; null where there is nothing to ask
  queries          smallint not null default 0,
  constraint credited_when_paid check ((state = 'paid') = (transaction_id is not null) and (state = 'paid') = (event_id is not null)
    and (state = 'paid') = (paid_at is not null) and (state = 'paid') = (taken_at is not null) and (state <> 'paid' or provider_number is not null)),
  constraint closed_at_once check (state <> 'closed' or closed_at is not null)
);
create unique index on payment_order (provider, provider_number) where provider_number is not null;   -- a payment is credited once
create index on payment_order (member_id, id);   -- orders of a member, newest first
create index on payment_order (query_at) where query_at is not null;   -- orders to ask for
create index on payment_order (created_at, id);   -- orders of a day, newest first, and by each filter
create index on payment_order (provider, created_at, id);
create index on payment_order (state, created_at, id);
create index on payment_order (provider_number) where provider_number is not null;
create index on payment_order (provider, taken_at) where taken_at is not null;   -- a day of a provider's statement
create index on payment_order (provider, paid_at) where paid_at is not null;   -- what was credited on it, and who paid in a time

-- Refunds by the provider. The amount leaves the balance when it is asked for, and comes back if the provider refuses.
create table payment_refund (
  id               bigint generated always as identity primary key,
  number           text not null unique check (number ~ '^\d{20}$'),
  order_id         bigint references payment_order,
  event_id         bigint unique references payment_event,  -- a payment that was never credited
  provider         text not null,
  cents            bigint not null check (cents > 0),
  reason           text not null,
  state            text not null default 'asked' check (state in ('asked', 'done', 'failed')),
  asked_at         timestamptz not null default clock_timestamp(),
  ended_at         timestamptz,
  returned_at      timestamptz,  -- when the provider gave it back, by its clock
  provider_number  text,  -- of the refund, as the provider calls it
  problem          text,  -- what the provider says of one that failed
  transaction_id   bigint unique references ledger.transaction,  -- takes it from the member
  undone_by        bigint unique references ledger.transaction,  -- gives it back to them
  try_at           timestamptz default clock_timestamp(),  -- when the provider is asked next
  tries            smallint not null default 0,
  constraint of_something check (num_nonnulls(order_id, event_id) = 1),
  constraint ended_once check ((state = 'asked') = (ended_at is null) and (state = 'asked' or try_at is null)),
  constraint undone_when_failed check ((undone_by is not null) = (state = 'failed' and transaction_id is not null))
);
create index on payment_refund (order_id);
create index on payment_refund (try_at) where try_at is not null;   -- refunds to ask for
create index on payment_refund (asked_at, id);   -- newest first, and by each filter
create index on payment_refund (provider, asked_at, id);
create index on payment_refund (state, asked_at, id);
create index on payment_refund (ended_at) where state = 'failed';   -- failed within a week
create index on payment_refund (provider, returned_at) where returned_at is not null;   -- a day of a provider's statement
create index on payment_refund (provider, ended_at) where ended_at is not null;   -- what ended on it
create index on payment_refund (provider, provider_number) where provider_number is not null;   -- a refund that a statement names

-- A payer who wants their money back by their bank. What it takes leaves the balance at once, and comes back if it is won.
create table payment_dispute (
  id              bigint generated always as identity primary key,
  provider        text not null,
  provider_number text not null,
  order_id        bigint not null references payment_order,
  cents           bigint not null check (cents > 0),
  reason          text not null,
  state           text not null check (state in ('open', 'won', 'lost')),
  opened_at       timestamptz not null default clock_timestamp(),
  ended_at        timestamptz,
  transaction_id  bigint unique references ledger.transaction,
  undone_by       bigint unique references ledger.transaction,
  unique (provider, provider_number),
  constraint ended_once check ((state = 'open') = (ended_at is null)),
  constraint undone_when_won check ((undone_by is not null) = (state = 'won' and transaction_id is not null))
);
create index on payment_dispute (order_id);
create index on payment_dispute (opened_at, id);   -- newest first, and by each filter
create index on payment_dispute (provider, opened_at, id);
create index on payment_dispute (state, opened_at, id);

-- How a provider does: what its keys came to when they were last tried, and how many calls failed since one that did not.
create table payment_provider (
  name          text primary key check (name ~ '^[a-z]{3,20}$'),
  tried_at      timestamptz,
  problem       text check (problem in ('notSet', 'wrongKey', 'refused', 'noAnswer')),
  detail        text,  -- what the provider says of it
  endings       jsonb not null default '[]',  -- certificates and keys that end, and when
  failures      int not null default 0
);

-- A day of a provider by its own clock, as its statement tells of it.
create table payment_statement (
  id              bigint generated always as identity primary key,
  provider        text not null,
  day             date not null,
  fetched_at      timestamptz not null default clock_timestamp(),
  paid_count      int not null,
  paid_cents      bigint not null,
  refunded_count  int not null,
  refunded_cents  bigint not null,
  fee_cents       bigint not null,
  transaction_id  bigint unique references ledger.transaction,  -- books the fees; null where there are none
  unique (provider, day),
  constraint fees_are_booked check ((fee_cents <> 0) = (transaction_id is not null))
);
create index on payment_statement (day, id);   -- newest first, and a month

create table payment_statement_line (
  statement_id     bigint not null references payment_statement,
  place            int not null,
  kind             text not null check (kind in ('payment', 'refund', 'dispute', 'fee')),
  number           text,  -- ours, of the order or the refund
  provider_number  text not null,
  cents            bigint not null,  -- what it moved before fees, always positive
  fee_cents        bigint not null,  -- what the provider took; below zero where it gave it back
  at               timestamptz not null,
  primary key (statement_id, place)
);
create index on payment_statement_line (number) where number is not null;   -- a refund on any day
create index on payment_statement_line (provider_number);   -- a payment on any day

-- Differences between a statement and our rows.
create table payment_difference (
  id              bigint generated always as identity primary key,
  statement_id    bigint not null references payment_statement,
  kind            text not null check (kind in ('notHere', 'notThere', 'otherAmount', 'refundNotHere', 'refundNotThere', 'refundOtherAmount')),
  number          text not null,  -- of the order or the refund; the provider's own where it names none of ours
  cents_here      bigint,
  cents_there     bigint,
  state           text not null default 'open' check (state in ('open', 'settled', 'cleared')),  -- cleared: another day's statement explains it
  found_at        timestamptz not null default clock_timestamp(),
  settled_at      timestamptz,
  settled_by      bigint references staff,
  answer          text,
  unique (statement_id, kind, number),
  constraint settled_once check ((state = 'open') = (settled_at is null) and (state = 'settled') = (settled_by is not null))
);
create index on payment_difference (statement_id) where state = 'open';   -- what is looked at again, and what waits for staff
create index on payment_difference (found_at, id);   -- newest first
create index on payment_difference (number);   -- whether another statement found it

-- The sandbox's own memory of payments, as a provider has one on its side.
create table payment_sandbox (
  number   text primary key,
  cents    bigint not null,
  outcome  text not null default 'waiting' check (outcome in ('waiting', 'paid', 'failed', 'closed')),
  paid_at  timestamptz
);
create table payment_sandbox_refund (
  number       text primary key,
  paid_number  text not null references payment_sandbox,
  cents        bigint not null,
  at           timestamptz not null default clock_timestamp()
);
