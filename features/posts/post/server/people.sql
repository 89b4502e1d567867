-- The number of members in a thread beside its author, up to a limit, with one who writes now. It is SQL because each member is
-- found by one step in an index: in one call, a long thread costs as much as a short one.

create or replace function count_participants(thread bigint, author bigint, writing bigint, enough int) returns int language sql stable as $$
  with recursive person (id, nth) as (
    select 0::bigint, 0
    union all
    select least(
      (select author_id from comment where topic_id = thread and author_id > person.id and status = 'published' order by author_id limit 1),
      (select author_id from reply where topic_id = thread and author_id > person.id and status = 'published' order by author_id limit 1)
    ), nth + 1
    from person where person.id is not null and nth <= enough + 1
  )
  select least(enough, count(distinct every.id))::int
  from (select id from person where nth > 0 union all select writing) as every where every.id <> author
$$;
grant execute on function count_participants to teahouse_app, teahouse_reader;
