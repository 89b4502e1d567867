-- What a payment credits. It is SQL because no money may come in that a provider has not told of, whatever the program says.

-- Whether an order was paid, and its member got what a verified event says that the provider took.
create or replace function is_credited_payment(paid payment_order) returns boolean stable language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (
      select from ledger.transaction as its join payment_event as event on event.id = paid.event_id
      where its.id = paid.transaction_id and its.kind = 'topUp' and its.source = 'payment:' || paid.number
        and its.provider_number = paid.provider_number and event.provider = paid.provider and event.kind = 'paid'
        and event.facts ->> 'number' = paid.number and event.facts ->> 'providerNumber' = paid.provider_number
        and (event.facts ->> 'cents')::bigint = paid.cents)
    and not exists (
      select from (
        select member_id, currency, amount from ledger.members_of(paid.transaction_id)
        union all select ledger.living(paid.member_id), 'cny', -paid.cents
      ) as side group by member_id, currency having sum(amount) <> 0)
    and exists (
      select from ledger.entry join ledger.account on account.id = account_id
      where transaction_id = paid.transaction_id and name = 'clearing' and label = paid.provider and amount = -paid.cents);
end $$;
grant execute on function is_credited_payment to teahouse_app, teahouse_reader;

create or replace function allows_top_up(its ledger.transaction) returns boolean stable language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (select from payment_order as paid where paid.transaction_id = its.id and paid.state = 'paid' and is_credited_payment(paid));
end $$;
select ledger.declare_kind('topUp', '{member+,clearing-}', 'allows_top_up(ledger.transaction)');

-- What a provider said stays as it came; of an order what was asked for, and what it was credited by.
create or replace function refuse_payment_change() returns trigger language plpgsql as $$
begin
  raise exception 'What a provider said never changes' using errcode = 'TL007';
end $$;
create or replace trigger stays_itself before update of id, provider, event_id, headers, body, received_at, kind, facts on payment_event
  for each statement execute function refuse_payment_change();
create or replace trigger stays before delete or truncate on payment_event for each statement execute function refuse_payment_change();
create or replace trigger stays_itself before update of id, number, member_id, provider, method, cents, created_at on payment_order
  for each statement execute function refuse_payment_change();
create or replace trigger stays before delete or truncate on payment_order for each statement execute function refuse_payment_change();
create or replace trigger credited_once before update on payment_order for each row when (old.state = 'paid' and (new.state, new.transaction_id, new.event_id,
  new.provider_number) is distinct from (old.state, old.transaction_id, old.event_id, old.provider_number)) execute function refuse_payment_change();
