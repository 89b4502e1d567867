-- Comments of every thread, best liked first; what is gone comes last.
drop index comment_by_likes;
create index comment_by_likes on comment (topic_id, (case when status = 'published' then like_count else -1 end) desc, floor)
  where floor is not null;

-- How many of the comments and replies that a thread counts are replies.
alter table topic add column reply_count int not null default 0 check (reply_count >= 0);
update topic set reply_count = its.replies
  from (select topic_id, count(*) as replies from reply where status = 'published' group by topic_id) as its
  where its.topic_id = topic.id;
