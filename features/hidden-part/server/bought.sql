-- A payment for a hidden part. It is SQL because no payment may be committed that opened nothing, whatever the program says.

-- Whether a payment opened the part that its source names, for the member who paid and at what they paid, and gave its author what the row says.
-- The account that either's went on as counts as theirs.
create or replace function hidden.opened_by(its ledger.transaction) returns boolean stable language plpgsql
security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  done hidden.unlock;
  payer bigint;
  payment bigint;
  gets bigint;
begin
  select * into done from hidden.unlock where transaction_id = its.id;
  select owner_id, -amount into payer, payment from ledger.entry join ledger.account on account.id = account_id
    where transaction_id = its.id and amount < 0 and name = 'member';
  select coalesce(sum(amount), 0) into gets from ledger.entry where transaction_id = its.id and amount > 0 and balance_after is not null;
  return coalesce(payment = done.paid and gets = done.earned and starts_with(its.source, 'part:' || done.part_id || ':' || payer || ':')
    and (payer = done.member_id or ledger.living(payer) = ledger.living(done.member_id)), false);
end $$;
grant execute on function hidden.opened_by to teahouse_app, teahouse_reader;

-- The same, while the part costs this and is the author's.
create or replace function hidden.allows_unlock(its ledger.transaction) returns boolean stable language plpgsql as $$
declare
  done hidden.unlock;
  part hidden.placed;
  seller bigint;
begin
  select * into done from hidden.unlock where transaction_id = its.id;
  select * into part from hidden.placed where id = done.part_id;
  select owner_id into seller from ledger.entry join ledger.account on account.id = account_id
    where transaction_id = its.id and amount > 0 and name = 'member';
  return hidden.opened_by(its) and coalesce(part.lock = done.lock and part.needs = done.paid
    and (seller is null or seller = part.author_id or ledger.living(seller) = ledger.living(part.author_id)), false);
end $$;
select ledger.declare_kind('unlock', '{member+,member-,platform+}', 'hidden.allows_unlock(ledger.transaction)');
