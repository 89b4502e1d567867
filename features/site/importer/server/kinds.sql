-- Balances that members brought along from another program. They are SQL because a transaction without its row must not be committed.

-- Once for each member and currency of an import, with the amount of its row. A debt there is a debt here.
create or replace function allows_imported(its ledger.transaction) returns boolean stable language plpgsql
set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (
    select from import_credit as credit join ledger.side on side.transaction_id = its.id and name = 'member' and owner_id = credit.member_id
      and side.currency = credit.currency and side.amount = credit.amount
    where credit.transaction_id = its.id and its.source = 'import:' || import_id || ':' || credit.member_id || ':' || credit.currency);
end $$;
select ledger.declare_kind('imported', '{member+,member-,adjustment+,adjustment-}', 'allows_imported(ledger.transaction)', its_may_owe => true);

-- The opposite of it, once, when the import is undone.
create or replace function allows_import_undone(its ledger.transaction) returns boolean stable language plpgsql
set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (
    select from import_credit as credit join import on import.id = import_id and undone_at is not null
      join ledger.side on side.transaction_id = its.id and name = 'member' and ledger.is_same_member(owner_id, credit.member_id)
      and side.currency = credit.currency and side.amount = -credit.amount
    where credit.undone_by = its.id and its.source = 'import:' || import_id || ':' || credit.member_id || ':' || credit.currency);
end $$;
select ledger.declare_kind('importUndone', '{member+,member-,adjustment+,adjustment-}', 'allows_import_undone(ledger.transaction)',
  its_may_owe => true);
