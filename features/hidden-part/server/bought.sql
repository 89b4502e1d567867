-- A payment for a hidden part. It is SQL because no payment may be committed that opened nothing, whatever the program says.

-- Whether a payment opened the part that its source names, for the member who paid and at what they paid, and gave its author what the row says.
-- The account that either's went on as counts as theirs.
create or replace function hidden.opened_by(its ledger.transaction) returns boolean stable language plpgsql
security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
begin
  return exists (
    select from hidden.unlock as done
      join ledger.entry as minus on minus.transaction_id = its.id and minus.amount = -done.paid
      join ledger.account as buyer on buyer.id = minus.account_id and buyer.name = 'member' and ledger.living(buyer.owner_id) = ledger.living(done.member_id)
      left join ledger.entry as plus on plus.transaction_id = its.id and plus.amount > 0 and plus.balance_after is not null
    where done.transaction_id = its.id and starts_with(its.source, 'part:' || done.part_id || ':' || buyer.owner_id || ':')
      and coalesce(plus.amount, 0) = done.earned);
end $$;
grant execute on function hidden.opened_by to teahouse_app, teahouse_reader;

-- The same, while the part costs this and is the author's.
create or replace function hidden.allows_unlock(its ledger.transaction) returns boolean stable language plpgsql as $$
begin
  return hidden.opened_by(its) and not exists (
    select from hidden.unlock as done join hidden.placed on placed.id = done.part_id
      join ledger.entry on entry.transaction_id = its.id and amount > 0 join ledger.account on account.id = account_id and account.name = 'member'
    where done.transaction_id = its.id
      and (placed.lock <> done.lock or placed.needs <> done.paid or ledger.living(placed.author_id) <> ledger.living(account.owner_id)));
end $$;
select ledger.declare_kind('unlock', '{member+,member-,platform+}', 'hidden.allows_unlock(ledger.transaction)');
