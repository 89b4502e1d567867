-- Members ask for a refund of a payment; staff refund it, or say why not.

create table payment_refund_request (
  id          bigint generated always as identity primary key,
  order_id    bigint not null references payment_order,
  reason      text not null,
  state       text not null default 'waiting' check (state in ('waiting', 'refunded', 'declined', 'withdrawn')),
  asked_at    timestamptz not null default clock_timestamp(),
  ended_at    timestamptz,
  decided_by  bigint references staff,
  answer      text,  -- what staff say of one that they decline
  constraint ended_once check ((state = 'waiting') = (ended_at is null)),
  constraint decided_by_staff check ((state in ('refunded', 'declined')) = (decided_by is not null) and (state = 'declined') = (answer is not null))
);
create unique index on payment_refund_request (order_id) where state = 'waiting';   -- one at a time
create index on payment_refund_request (order_id, id);   -- the last one of a payment
create index on payment_refund_request (asked_at, id) where state = 'waiting';   -- what waits for staff
