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

-- A question that moves into a tag that it was asked under beside the one it lay in stays under that tag when it moves on.
alter table question_tag add column is_further boolean not null default true;
update question_tag set is_further = false where tag_id = place_id;

create or replace function question_is_listed() returns trigger language plpgsql as $$
begin
  if new.kind = 'question' then
    delete from question_tag where topic_id = new.id and tag_id = place_id and tag_id <> new.tag_id and not is_further;
    insert into question_tag (topic_id, tag_id, place_id, state, last_reply_at, is_listed, is_further)
      values (new.id, new.tag_id, new.tag_id, new.question_state, new.last_reply_at, new.status = 'published', false)
      on conflict do nothing;
    update question_tag set place_id = new.tag_id, state = new.question_state, last_reply_at = new.last_reply_at,
      is_listed = new.status = 'published' where topic_id = new.id;
  else
    update question_tag set is_listed = false where topic_id = new.id;
  end if;
  return null;
end $$;

-- What a member wrote counts for them as long as the thread it stands in is on the page.
with hidden as (
  select remark.author_id, tag_id, kind, sum(comments)::int as comments, sum(replies)::int as replies
  from (
    select topic_id, author_id, 1 as comments, 0 as replies from comment where status = 'published'
    union all select topic_id, author_id, 0, 1 from reply where status = 'published'
  ) as remark join topic on topic.id = topic_id
  where topic.status <> 'published' group by 1, 2, 3
), counted as (
  update written set comments = written.comments - hidden.comments, replies = written.replies - hidden.replies from hidden
  where written.member_id = author_id and written.tag_id = hidden.tag_id and thread_kind = kind
)
update member set comment_count = comment_count - its.comments, reply_count = reply_count - its.replies
from (select author_id, sum(comments) as comments, sum(replies) as replies from hidden group by 1) as its where member.id = author_id;
