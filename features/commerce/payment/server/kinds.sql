-- Rules for the entries of payments, refunds and disputes. They are SQL because no money may come in without a provider's event,
-- and none may go back twice, whatever the program does.

-- Whether a transaction credited only this member with the amount, and debited the provider's clearing account; a negative amount is the
-- other way round.
create or replace function is_moved_by_provider(its_transaction bigint, its_member bigint, its_cents bigint, its_provider text)
returns boolean stable language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  return not exists (
      select from (
        select member_id, currency, amount from ledger.member_amounts(its_transaction)
        union all select ledger.current_member(its_member), 'cny', -its_cents
      ) as side group by member_id, currency having sum(amount) <> 0)
    and exists (
      select from ledger.entry join ledger.account on account.id = account_id
      where transaction_id = its_transaction and name = 'clearing' and label = its_provider and amount = -its_cents);
end $$;
grant execute on function is_moved_by_provider to teahouse_app, teahouse_reader;

-- Whether staff have settled a payment by another event of it. A payment may have several events.
create or replace function is_settled_by_hand(its_provider text, its_number text, but_event bigint default null) returns boolean stable language sql
set search_path = public, pg_catalog, pg_temp as $$
  select exists (
    select from payment_event as event where event.provider = its_provider and event.facts ->> 'providerNumber' = its_number
      and event.state in ('credited', 'returned') and event.id is distinct from but_event)
$$;
grant execute on function is_settled_by_hand to teahouse_app, teahouse_reader;

-- Whether an order was paid, and its member was credited with the amount in a verified event: of this order, or of one that staff
-- credited.
create or replace function is_credited_payment(paid payment_order) returns boolean stable language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (
      select from ledger.transaction as its join payment_event as event on event.id = paid.event_id
      where its.id = paid.transaction_id and its.provider_number = paid.provider_number and event.provider = paid.provider and event.kind = 'paid'
        and case event.state
          when 'done' then its.kind = 'topUp' and its.source = 'payment:' || paid.number and event.facts ->> 'number' = paid.number
          when 'credited' then its.kind = 'topUpByHand' and its.source = 'event:' || event.id and event.transaction_id = its.id
          else false end
        and event.facts ->> 'currency' = 'CNY' and event.facts ->> 'providerNumber' = paid.provider_number
        and (event.facts ->> 'cents')::bigint = paid.cents)
    and not is_settled_by_hand(paid.provider, paid.provider_number, paid.event_id)
    and is_moved_by_provider(paid.transaction_id, paid.member_id, paid.cents, paid.provider);
end $$;
grant execute on function is_credited_payment to teahouse_app, teahouse_reader;

create or replace function allows_top_up(its ledger.transaction) returns boolean stable language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (select from payment_order as paid where paid.transaction_id = its.id and paid.state = 'paid' and is_credited_payment(paid));
end $$;
select ledger.declare_kind('topUp', '{member+,clearing-}', 'allows_top_up(ledger.transaction)');

-- Whether staff credited the amount in a verified event that could not be credited automatically, as a payment of its own.
create or replace function is_credited_event(event payment_event) returns boolean stable language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  return event.kind = 'paid' and event.facts ->> 'currency' = 'CNY'
    and not exists (select from payment_refund where event_id = event.id)
    and exists (
      select from payment_order as paid where paid.event_id = event.id and paid.transaction_id = event.transaction_id and paid.provider = event.provider
        and paid.provider_number = event.facts ->> 'providerNumber' and paid.state = 'paid')
    and not is_settled_by_hand(event.provider, event.facts ->> 'providerNumber', event.id)
    and exists (select from ledger.transaction as its where its.id = event.transaction_id and its.kind = 'topUpByHand' and its.source = 'event:' || event.id)
    and is_moved_by_provider(event.transaction_id, event.credited_to, (event.facts ->> 'cents')::bigint, event.provider);
end $$;
grant execute on function is_credited_event to teahouse_app, teahouse_reader;

create or replace function allows_top_up_by_hand(its ledger.transaction) returns boolean stable language plpgsql
set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (select from payment_event as event where event.transaction_id = its.id and event.state = 'credited' and is_credited_event(event));
end $$;
select ledger.declare_kind('topUpByHand', '{member+,clearing-}', 'allows_top_up_by_hand(ledger.transaction)');

-- The refundable amount of an order: paid, less refunds and disputes.
create or replace function refundable_cents(its_order bigint) returns bigint stable language sql set search_path = public, pg_catalog, pg_temp as $$
  select case state when 'paid' then cents else 0 end
    - (select coalesce(sum(back.cents), 0)::bigint from payment_refund as back where order_id = its_order and back.state <> 'failed')
    - (select coalesce(sum(disputed.cents), 0)::bigint from payment_dispute as disputed where order_id = its_order and disputed.state <> 'won')
  from payment_order where id = its_order
$$;
grant execute on function refundable_cents to teahouse_app, teahouse_reader;

-- Whether neither the refunds nor the disputes of an order exceed its paid amount. A bank may dispute an amount that was already
-- refunded.
create or replace function is_within_payment(its_order bigint) returns boolean stable language sql set search_path = public, pg_catalog, pg_temp as $$
  select case state when 'paid' then cents else 0 end >= greatest(
      (select coalesce(sum(back.cents), 0) from payment_refund as back where order_id = its_order and back.state <> 'failed'),
      (select coalesce(sum(disputed.cents), 0) from payment_dispute as disputed where order_id = its_order and disputed.state <> 'won'))
  from payment_order where id = its_order
$$;
grant execute on function is_within_payment to teahouse_app, teahouse_reader;

-- Whether a refund debited the member of its order with its amount. One that we did not request was reported by an event; one more
-- under the same number bears the event's too.
create or replace function is_debited_refund(back payment_refund) returns boolean stable language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  paid payment_order := (select its from payment_order as its where its.id = back.order_id);
begin
  return (back.reported_by is null or exists (
      select from payment_event as event where event.id = back.reported_by and event.kind = 'refund' and event.provider = back.provider
        and back.provider_number in (event.facts ->> 'providerNumber', (event.facts ->> 'providerNumber') || '/' || event.id)))
    and case when back.order_id is null then
    back.transaction_id is null and exists (
      select from payment_event as event where event.id = back.event_id and event.state = 'returned' and event.kind = 'paid' and event.provider = back.provider
        and event.facts ->> 'currency' = 'CNY' and (event.facts ->> 'cents')::bigint = back.cents)
    else
    back.provider = paid.provider
      and exists (select from ledger.transaction as its where its.id = back.transaction_id and its.kind = 'topUpRefund' and its.source = 'refund:' || back.number)
      and is_moved_by_provider(back.transaction_id, paid.member_id, -back.cents, paid.provider)
      and (back.undone_by is null or exists (
          select from ledger.transaction as its where its.id = back.undone_by and its.kind = 'topUpRefundFailed' and its.source = 'refund:' || back.number)
        and is_moved_by_provider(back.undone_by, paid.member_id, back.cents, paid.provider)) end;
end $$;
grant execute on function is_debited_refund to teahouse_app, teahouse_reader;

-- A job requests from the provider whatever refunds stand here. So a row is committed only with what it returns: the debit of the payer; or,
-- of a payment that was never credited, the decision of staff with its entry in the audit log. What a provider has refunded already is
-- not requested.
create or replace function require_refund_cause() returns trigger language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  if is_debited_refund(new) is not true or new.order_id is null and (new.reported_by is null or new.state = 'asked') and not exists (
    select from (select at, after from audit_log where about = 'paymentEvent ' || new.event_id order by id desc limit 100) as entry
    where at >= transaction_timestamp() and after ->> 'refund' = new.number) then
    raise exception 'Nothing allows refund %', new.number using errcode = 'TL009';
  end if;
  return null;
end $$;
drop trigger if exists requires_cause on payment_refund;
create constraint trigger requires_cause after insert on payment_refund deferrable initially deferred
  for each row execute function require_refund_cause();

-- A provider may have refunded what is disputed; we do not.
create or replace function allows_top_up_refund(its ledger.transaction) returns boolean stable language plpgsql
set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (
    select from payment_refund as back where back.transaction_id = its.id and is_debited_refund(back)
      and case when back.reported_by is null then refundable_cents(back.order_id) >= 0 else is_within_payment(back.order_id) end);
end $$;
select ledger.declare_kind('topUpRefund', '{member-,clearing+}', 'allows_top_up_refund(ledger.transaction)', its_may_owe => true);

create or replace function allows_top_up_refund_failed(its ledger.transaction) returns boolean stable language plpgsql
set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (select from payment_refund as back where back.undone_by = its.id and back.state = 'failed' and is_debited_refund(back));
end $$;
select ledger.declare_kind('topUpRefundFailed', '{member+,clearing-}', 'allows_top_up_refund_failed(ledger.transaction)');

-- Whether a dispute debited the member of its order, and credited them if it was won.
create or replace function is_debited_dispute(disputed payment_dispute) returns boolean stable language plpgsql
set search_path = public, pg_catalog, pg_temp as $$
declare
  paid payment_order := (select its from payment_order as its where its.id = disputed.order_id);
  its_source text := 'dispute:' || disputed.provider || ':' || disputed.provider_number;
begin
  return disputed.provider = paid.provider
    and case when disputed.transaction_id is null then disputed.state = 'won' else
      exists (select from ledger.transaction as its where its.id = disputed.transaction_id and its.kind = 'chargeback' and its.source = its_source)
        and is_moved_by_provider(disputed.transaction_id, paid.member_id, -disputed.cents, paid.provider) end
    and (disputed.undone_by is null or
      exists (select from ledger.transaction as its where its.id = disputed.undone_by and its.kind = 'chargebackWon' and its.source = its_source)
        and is_moved_by_provider(disputed.undone_by, paid.member_id, disputed.cents, paid.provider));
end $$;
grant execute on function is_debited_dispute to teahouse_app, teahouse_reader;

create or replace function allows_chargeback(its ledger.transaction) returns boolean stable language plpgsql
set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (
    select from payment_dispute as disputed where its.id in (disputed.transaction_id, disputed.undone_by) and is_debited_dispute(disputed)
      and (its.kind = 'chargebackWon') = (its.id is not distinct from disputed.undone_by) and is_within_payment(disputed.order_id));
end $$;
select ledger.declare_kind('chargeback', '{member-,clearing+}', 'allows_chargeback(ledger.transaction)', its_may_owe => true);
select ledger.declare_kind('chargebackWon', '{member+,clearing-}', 'allows_chargeback(ledger.transaction)');

-- Events are immutable; so are the requested amounts of orders, refunds and disputes, and their transactions.
create or replace function refuse_payment_change() returns trigger language plpgsql as $$
begin
  raise exception 'What a provider said never changes' using errcode = 'TL007';
end $$;
create or replace trigger immutable_columns before update of id, provider, event_id, headers, body, received_at, kind, facts on payment_event
  for each statement execute function refuse_payment_change();
create or replace trigger immutable before delete or truncate on payment_event for each statement execute function refuse_payment_change();
create or replace trigger handled_once before update on payment_event for each row when (old.state not in ('new', 'suspended'))
  execute function refuse_payment_change();
create or replace trigger immutable_columns before update of id, number, member_id, provider, method, cents, created_at on payment_order
  for each statement execute function refuse_payment_change();
create or replace trigger immutable before delete or truncate on payment_order for each statement execute function refuse_payment_change();
create or replace trigger credited_once before update on payment_order for each row when (old.state = 'paid' and (new.state, new.transaction_id, new.event_id,
  new.provider_number, new.taken_at) is distinct from (old.state, old.transaction_id, old.event_id, old.provider_number, old.taken_at))
  execute function refuse_payment_change();
create or replace trigger immutable_columns before update of id, number, order_id, event_id, provider, cents, reason, asked_at, transaction_id, reported_by on payment_refund
  for each statement execute function refuse_payment_change();
create or replace trigger immutable before delete or truncate on payment_refund for each statement execute function refuse_payment_change();
-- A completed refund may fail to reach the payer and come back days later: it is then requested again, if it was ours.
create or replace trigger ended_once before update on payment_refund for each row
  when (old.state = 'failed' or old.state = 'done' and new.state <> case when old.reported_by is null then 'asked' else 'failed' end)
  execute function refuse_payment_change();
create or replace trigger immutable_columns before update of id, provider, provider_number, order_id, cents, opened_at, transaction_id on payment_dispute
  for each statement execute function refuse_payment_change();
create or replace trigger immutable before delete or truncate on payment_dispute for each statement execute function refuse_payment_change();
-- A lost dispute may be won on appeal.
create or replace trigger ended_once before update on payment_dispute for each row
  when (old.state = 'won' or old.state = 'lost' and (new.state <> 'won' or new.reason <> old.reason)) execute function refuse_payment_change();
