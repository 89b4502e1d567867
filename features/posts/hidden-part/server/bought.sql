-- The rule for payments for a hidden part. It is SQL because no payment may be committed that opened nothing, whatever the program does.

-- The payment opened the part named in its source, for the payer and at the price paid, and credited the author with the amount in the
-- row. The part has this price and this author.
create or replace function hidden.allows_unlock(its ledger.transaction) returns boolean stable language plpgsql as $$
declare
  done record;
  moved record;
begin
  select unlock.*, part.lock as its_lock, needs, author_id into done from hidden.unlock join hidden.placed as part on part.id = part_id
    where transaction_id = its.id;
  select min(owner_id) filter (where amount < 0) as payer, -sum(amount) filter (where amount < 0) as payment,
      min(owner_id) filter (where amount > 0) as seller, coalesce(sum(amount) filter (where amount > 0), 0) as gets, count(*) as members
    into moved from ledger.side where transaction_id = its.id and name = 'member';
  return coalesce(moved.payment = done.paid and moved.gets = done.earned and moved.members <= 2
    and starts_with(its.source, 'part:' || done.part_id || ':' || moved.payer || ':') and ledger.is_same_member(moved.payer, done.member_id)
    and done.its_lock = done.lock and done.needs = done.paid and (moved.seller is null or ledger.is_same_member(moved.seller, done.author_id)), false);
end $$;
select ledger.declare_kind('unlock', '{member+,member-,platform+}', 'hidden.allows_unlock(ledger.transaction)');
