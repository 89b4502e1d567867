-- What solved a question when it went from its page, so that it solves it again once it is back, unless another was adopted meanwhile.
create table former_adoption (
  topic_id    bigint primary key references topic,
  comment_id  bigint not null unique references comment,
  adopted_at  timestamptz not null,
  staff_id    bigint references staff
);
insert into former_adoption (topic_id, comment_id, adopted_at, staff_id)
select item_id, (after #>> '{solved,adopted}')::bigint, (after #>> '{solved,adoptedAt}')::timestamptz, (after #>> '{solved,adoptedBy}')::bigint
from staff_batch_item where after #>> '{solved,adopted}' is not null and undone is distinct from 'undone'
on conflict do nothing;
