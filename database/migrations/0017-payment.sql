-- Payments by providers: orders, what providers said, and refunds.

-- What a provider said, as it came. Nothing is credited without a row here that was verified.
create table payment_event (
  id           bigint generated always as identity primary key,
  provider     text not null check (provider ~ '^[a-z]{3,20}$'),
  event_id     text not null,  -- the provider's own number of it; of an answer to a query one of ours
  headers      jsonb not null,
  body         bytea not null,
  received_at  timestamptz not null default clock_timestamp(),
  state        text not null default 'new' check (state in ('new', 'done', 'suspended', 'dismissed')),
  kind         text not null check (kind in ('paid', 'closed', 'refunded', 'other')),
  facts        jsonb not null,  -- what it says, after its signature was verified
  problem      text,  -- why it was suspended
  handled_at   timestamptz,
  handled_by   bigint references staff,
  answer       text,  -- what staff say of one that they dismiss
  unique (provider, event_id),
  constraint handled_once check ((state = 'new') = (handled_at is null)),
  constraint suspended_for_something check ((state in ('suspended', 'dismissed')) = (problem is not null))
);
create index on payment_event (id) where state = 'new';   -- the inbox
create index on payment_event (id) where state = 'suspended';   -- what waits for staff

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
  paid_at          timestamptz,
  closed_at        timestamptz,
  provider_number  text,  -- of the payment, as the provider calls it
  event_id         bigint unique references payment_event,  -- what it was credited by
  transaction_id   bigint unique references ledger.transaction,
  query_at         timestamptz,  -- when the provider is asked next; null where there is nothing to ask
  queries          smallint not null default 0,
  constraint credited_when_paid check ((state = 'paid') = (transaction_id is not null) and (state = 'paid') = (event_id is not null)
    and (state = 'paid') = (paid_at is not null) and (state <> 'paid' or provider_number is not null)),
  constraint closed_at_once check (state <> 'closed' or closed_at is not null)
);
create unique index on payment_order (provider, provider_number) where provider_number is not null;   -- a payment is credited once
create index on payment_order (member_id, id);   -- orders of a member, newest first
create index on payment_order (query_at) where query_at is not null;   -- orders to ask for
create index on payment_order (created_at);   -- orders of a day

-- The sandbox's own memory of payments, as a provider has one on its side.
create table payment_sandbox (
  number   text primary key,
  cents    bigint not null,
  outcome  text not null default 'waiting' check (outcome in ('waiting', 'paid', 'failed', 'closed')),
  paid_at  timestamptz
);
