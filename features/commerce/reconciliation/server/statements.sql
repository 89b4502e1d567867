-- Rules for the entries of fees, and for statements. They are SQL because fees move money, and a statement never changes, whatever the program
-- does.

-- Whether the fees of a day match the lines of its statement, and were booked.
create or replace function is_booked_statement(told payment_statement) returns boolean stable language plpgsql
set search_path = public, pg_catalog, pg_temp as $$
begin
  return told.fee_cents = (select coalesce(sum(line.fee_cents), 0) from payment_statement_line as line where statement_id = told.id)
    and (told.fee_cents = 0 or exists (
      select from ledger.transaction as its join ledger.entry on entry.transaction_id = its.id
        join ledger.account on account.id = account_id and name = 'clearing' and label = told.provider
      where its.id = told.transaction_id and its.kind = 'paymentFee' and entry.currency = 'cny' and entry.amount = told.fee_cents
        and its.source = 'fee:' || told.provider || ':' || to_char(told.day, 'YYYY-MM-DD')));
end $$;
grant execute on function is_booked_statement to teahouse_app, teahouse_reader;

create or replace function allows_payment_fee(its ledger.transaction) returns boolean stable language plpgsql
set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (select from payment_statement as told where told.transaction_id = its.id and is_booked_statement(told));
end $$;
select ledger.declare_kind('paymentFee', '{clearing+,clearing-,fee+,fee-}', 'allows_payment_fee(ledger.transaction)');

-- Statements are immutable; a difference is settled once.
create or replace trigger immutable before update or delete or truncate on payment_statement for each statement execute function refuse_payment_change();
create or replace trigger immutable before update or delete or truncate on payment_statement_line for each statement execute function refuse_payment_change();
create or replace trigger immutable before delete or truncate on payment_difference for each statement execute function refuse_payment_change();
create or replace trigger settled_once before update on payment_difference for each row when (old.state <> 'open') execute function refuse_payment_change();
