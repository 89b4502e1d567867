-- Days whose statement could not be taken, lines of a statement that we do not know, and disputes that are compared.

create table payment_statement_failure (
  provider  text not null,
  day       date not null,
  problem   text not null check (problem in ('unreadable', 'noAnswer', 'notReady')),
  detail    text not null,  -- what was wrong with it
  tries     int not null default 1,
  first_at  timestamptz not null default clock_timestamp(),
  last_at   timestamptz not null default clock_timestamp(),
  primary key (provider, day)
);

alter table payment_statement_line drop constraint payment_statement_line_kind_check;
alter table payment_statement_line add constraint payment_statement_line_kind_check
  check (kind in ('payment', 'refund', 'refundFailure', 'dispute', 'disputeReversal', 'fee', 'other'));
alter table payment_statement_line add column payment_number text;  -- the provider's, of the payment that went back

alter table payment_difference drop constraint payment_difference_kind_check;
alter table payment_difference add constraint payment_difference_kind_check check (kind in ('notHere', 'notThere', 'otherAmount', 'refundNotHere',
  'refundNotThere', 'refundOtherAmount', 'refundFailedThere', 'disputeNotHere', 'disputeNotThere', 'disputeOtherAmount', 'reversalNotHere', 'unknownLine'));
