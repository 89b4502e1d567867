-- What staff do to many members at once goes the way of posts, and members are found by any part of a name or an answer.

alter table staff_batch
  drop constraint staff_batch_kind_check,
  add constraint staff_batch_kind_check check (kind in ('topic', 'comment', 'reply', 'member')),
  add column wish jsonb not null default '{}';   -- what the deed was told beside its reason: where topics go, which role, how long a ban lasts

-- `tag_id` stays for the version before, and is read no more.
update staff_batch set wish = jsonb_build_object('tagId', tag_id::text) where tag_id is not null;

update staff_batch_item set fault = replace(fault, 'content.', 'batch.') where fault in ('content.alreadySo', 'content.undoneAlready');
update staff_batch_item set why_left = replace(why_left, 'content.', 'batch.') where why_left in ('content.alreadySo', 'content.undoneAlready');

-- Every letter of a text, and every two that stand side by side: whoever types a part of it, also of one Chinese character, finds it.
create function parts_of(said text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct part), '{}')
  from generate_series(1, length(said)) as place
  cross join lateral (values (substr(said, place, 1)), (substr(said, place, 2))) as parts(part)
$$;

create index on member using gin (parts_of(account_key || ' ' || coalesce(nickname_key, '')));   -- by any part of a name
create index on member_field using gin (parts_of(lower(answer[1])));                             -- by any part of an answer
