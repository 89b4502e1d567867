-- Hidden parts that go from the page after they were sold: their buyers go on reading them, or get back what they paid.

-- Parts whose buyers get their money back, until a job has done so. One that is back on the page before that is left as it was sold.
create table refund_due (
  part_id     text primary key references hidden.part,
  is_erased   boolean not null,
  since       timestamptz not null default clock_timestamp()
);

-- Says that what these parts cost is due. Locks them all, so that a purchase is done before, or finds them gone.
create function hidden.mark_refund_due(its_topics bigint[], its_comments bigint[], erased boolean) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ids text[] := array(
    select part.id from hidden.part where topic_id = any(its_topics) or comment_id = any(its_comments)
    union
    select part.id from hidden.part join public.comment on comment.id = comment_id
      where part.comment_id is not null and comment.topic_id = any(its_topics) and not erased);
begin
  perform from hidden.part where id = any(ids) order by id for update;
  insert into public.refund_due as due (part_id, is_erased)
    select distinct part_id, erased from hidden.unlock as done
    where part_id = any(ids) and transaction_id is not null and not exists (select from ledger.transaction where reverses = done.transaction_id)
    on conflict (part_id) do update set is_erased = due.is_erased or excluded.is_erased;
end $$;

-- What a part said when somebody paid for it, where that is not what it says now.
create function hidden.as_bought(its_part text, reader bigint) returns jsonb language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
  select earlier.segments from hidden.unlock as done
    join hidden.earlier on earlier.part_id = done.part_id and written_at <= done.at and done.at < replaced_at
    join hidden.part on part.id = done.part_id and part.segments <> earlier.segments
  where done.part_id = its_part and member_id = reader and transaction_id is not null
    and not exists (select from ledger.transaction where reverses = done.transaction_id)
  order by done.id desc limit 1
$$;

revoke all on function hidden.mark_refund_due, hidden.as_bought from public;
