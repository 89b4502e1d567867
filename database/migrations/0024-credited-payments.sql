-- A payment that staff credited is a payment like any other, with its provider's number: it can be refunded and disputed, and has a
-- receipt. Earlier ones become so.

insert into payment_order (number, member_id, provider, method, cents, state, created_at, expires_at, paid_at, taken_at, provider_number, event_id, transaction_id)
select to_char(handled_at at time zone 'UTC', 'YYYYMMDD') || lpad(id::text, 12, '0'), credited_to, provider, 'byHand', (facts ->> 'cents')::bigint, 'paid',
  handled_at, handled_at, handled_at, coalesce((facts ->> 'paidAt')::timestamptz, handled_at), facts ->> 'providerNumber', id, transaction_id
from payment_event where state = 'credited';
