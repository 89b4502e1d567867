-- What is read without being opened, and how many people are heard in a thread.

-- Up to when a member said that all is read: everywhere, or in a tag and the tags below it.
create table all_read (
  member_id  bigint not null references member,
  tag_id     bigint references tag on delete cascade,    -- null: everywhere
  at         timestamptz not null,
  before     timestamptz check (before < at),            -- what was said before, for who takes it back; null: nothing
  unique nulls not distinct (member_id, tag_id)          -- a list is looked up here in one statement
);

-- How many members other than its author wrote in a thread, up to so many, with one who is writing there now. Each is found by a step in the
-- indexes of who spoke where, so that a long thread costs what a short one does.
create function people_in(thread bigint, author bigint, writing bigint, enough int) returns int language sql stable as $$
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
