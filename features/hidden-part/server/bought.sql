-- A payment for a hidden part. It is SQL because no payment may be committed that opened nothing, whatever the program says.

-- A payment opened the part that its source names, for the member who paid and at what they paid, gave its author what the row says, and the part
-- costs this and is the author's.
create or replace function hidden.allows_unlock(its ledger.transaction) returns boolean stable language plpgsql as $$
declare
  done hidden.unlock;
  part hidden.placed;
  payer bigint;
  payment bigint;
  seller bigint;
  gets bigint;
begin
  select * into done from hidden.unlock where transaction_id = its.id;
  select * into part from hidden.placed where id = done.part_id;
  select owner_id, -amount into payer, payment from ledger.entry join ledger.account on account.id = account_id
    where transaction_id = its.id and amount < 0 and name = 'member';
  select owner_id, amount into seller, gets from ledger.entry join ledger.account on account.id = account_id
    where transaction_id = its.id and amount > 0 and name = 'member';
  return coalesce(payment = done.paid and coalesce(gets, 0) = done.earned and starts_with(its.source, 'part:' || done.part_id || ':' || payer || ':')
    and ledger.are_one(payer, done.member_id) and part.lock = done.lock and part.needs = done.paid
    and (seller is null or ledger.are_one(seller, part.author_id)), false);
end $$;
select ledger.declare_kind('unlock', '{member+,member-,platform+}', 'hidden.allows_unlock(ledger.transaction)');
