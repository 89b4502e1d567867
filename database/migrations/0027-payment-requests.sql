-- A repeated request continues the payment that it began, so that none is begun twice.

alter table payment_order add request_key text;   -- the idempotency key of the request; null for a payment booked by hand
