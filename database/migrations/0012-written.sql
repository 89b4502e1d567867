-- What members have on the page in each tag: a reader is told of it only as far as they may view the tags.

create table written (
  member_id  bigint not null references member,
  tag_id     bigint not null references tag,
  topics     int not null default 0 check (topics >= 0),
  comments   int not null default 0 check (comments >= 0),
  replies    int not null default 0 check (replies >= 0),
  primary key (member_id, tag_id)          -- read by member
);

insert into written (member_id, tag_id, topics, comments, replies)
select author_id, tag_id, sum(topics), sum(comments), sum(replies)
from (
  select author_id, tag_id, 1 as topics, 0 as comments, 0 as replies from topic where status = 'published'
  union all
  select comment.author_id, tag_id, 0, 1, 0 from comment join topic on topic.id = topic_id where comment.status = 'published'
  union all
  select reply.author_id, tag_id, 0, 0, 1 from reply join topic on topic.id = topic_id where reply.status = 'published'
) as post
group by author_id, tag_id;
