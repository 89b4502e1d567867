-- Money that goes back without our asking: refunds made on a provider's own screen, and disputes that staff book.

alter table payment_event drop constraint payment_event_state_check;
alter table payment_event add constraint payment_event_state_check
  check (state in ('new', 'done', 'suspended', 'credited', 'returned', 'booked', 'dismissed'));
create index on payment_event (provider, (facts ->> 'paymentNumber')) where kind in ('refund', 'dispute');   -- what is told of a payment
create index on payment_event (provider, (facts ->> 'providerNumber')) where kind = 'refund';   -- whether a refund has failed before it was booked

alter table payment_refund add column reported_by bigint unique references payment_event;  -- told of a refund that we did not request
drop index payment_refund_provider_provider_number_idx;
create unique index on payment_refund (provider, provider_number) where provider_number is not null;   -- a refund of the provider is booked once

alter table payment_dispute add column respond_by timestamptz;  -- until when the provider takes our response
alter table payment_dispute add column link text;  -- the provider's page of it

alter table money_request drop constraint money_request_kind_check;
alter table money_request add constraint money_request_kind_check check (kind in ('adjustment', 'reversal', 'refund', 'topicRefund', 'bountyChange',
  'adoption', 'orderRefund', 'topUpRefund', 'paymentCredit', 'paymentBooking'));
create unique index on money_request ((detail -> 'event' ->> 'id')) where state = 'waiting' and kind = 'paymentBooking';   -- one request for each event
alter table money_request drop constraint done_by_transaction;
alter table money_request add constraint done_by_transaction check (
  case when kind in ('adjustment', 'reversal', 'refund', 'orderRefund', 'topUpRefund', 'paymentCredit', 'paymentBooking')
      then (state = 'done') = (transaction_id is not null)
    else state = 'done' or transaction_id is null end);
