-- Comments that move to another topic, comments that become topics, and topics that become comments.

-- What stood on a floor leaves a row there, erased and closed, that says where to look now; so floors stay dense, and true.
alter table comment
  add column moved_to  bigint references comment,   -- the comment that stood on this floor; this row is only its place
  add column became    bigint references topic;     -- the topic that it opens now; what was replied to it stays under it
alter table comment add check (moved_to is null or purged_at is not null), add check (became is null or purged_at is not null);
alter table topic
  add column merged_as bigint references comment;   -- the comment that its opening post is now
alter table topic add check (merged_as is null or status = 'deleted');

create unique index on comment (moved_to, topic_id) where moved_to is not null;   -- where it stood, if it comes back
create unique index on comment (became) where became is not null;
create unique index on topic (merged_as) where merged_as is not null;
create index on comment (quotes) where quotes is not null;                        -- a place that is given back
create index on comment (topic_id, published_at desc) where status = 'published'; -- the newest: floors are in order of arrival, not of time

-- Whatever lies under a comment names its topic too, and goes with it.
alter table comment add unique (id, topic_id);
alter table reply drop constraint reply_comment_id_fkey,
  add foreign key (comment_id, topic_id) references comment (id, topic_id) on update cascade;
alter table file_use drop constraint file_use_comment_id_fkey,
  add foreign key (comment_id, topic_id) references comment (id, topic_id) on update cascade on delete cascade;
alter table report_case drop constraint report_case_comment_id_fkey,
  add foreign key (comment_id, topic_id) references comment (id, topic_id) on update cascade on delete cascade;

drop trigger search_changed on comment;
create trigger search_changed after update of topic_id, author_id, body, status, published_at on comment for each row
  when ((old.topic_id, old.author_id, old.body, old.status, old.published_at)
    is distinct from (new.topic_id, new.author_id, new.body, new.status, new.published_at))
  execute function search_notes_change('comment');
drop trigger search_changed on reply;
create trigger search_changed after update of topic_id, author_id, body, status, published_at on reply for each row
  when ((old.topic_id, old.author_id, old.body, old.status, old.published_at)
    is distinct from (new.topic_id, new.author_id, new.body, new.status, new.published_at))
  execute function search_notes_change('reply');
