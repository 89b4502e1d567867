-- Comments of every thread, best liked first; what is gone comes last.
drop index comment_by_likes;
create index comment_by_likes on comment (topic_id, (case when status = 'published' then like_count else -1 end) desc, floor)
  where floor is not null;
