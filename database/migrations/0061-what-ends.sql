create index on bounty (ends_at, topic_id desc) where state = 'open';   -- questions with a bounty of any kind, those first that end first

-- Staff read what is hidden in the order in which it stands; what stands nowhere any more comes last.
create or replace function hidden.for_staff(its_thread bigint)
returns table (id text, stands text, lock text, needs bigint, segments jsonb, at timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  with its as (
    select * from hidden.placed where topic_id = its_thread
    union all
    select placed.* from hidden.placed join public.comment on comment.id = placed.comment_id
      where placed.comment_id is not null and comment.topic_id = its_thread),
  said as (
    select its.id, case when position is null then 'takenOut' else 'shown' end as stands, its.lock, its.needs, its.segments, written_at, comment_id, position
      from its
    union all
    select part_id, 'earlier', earlier.lock, earlier.needs, earlier.segments, earlier.written_at, comment_id, position
      from hidden.earlier join its on its.id = part_id
    union all
    select waiting.id, 'waiting', waiting.lock, waiting.needs, waiting.segments, null, null, waiting.position from hidden.waiting
      where waiting.topic_id = its_thread and waiting.document is not null)
  select said.id, said.stands, said.lock, said.needs, said.segments, written_at from said
  order by comment_id nulls first, position nulls last, said.id, written_at desc nulls first
$$;
