-- Who likes what. How many do is counted beside the post, a few seconds later and many at once, so that what everybody likes is no row that all wait for.

create table liking (
  post_kind  post_kind not null,
  post_id    bigint not null,
  member_id  bigint not null references member,
  at         timestamptz not null default clock_timestamp(),
  primary key (post_kind, post_id, member_id)
);
create index on liking (post_kind, post_id, at desc, member_id);   -- who likes a post, newest first
create index on liking (member_id, at desc, post_id);              -- what a member likes, newest first

alter table topic add column like_count int not null default 0 check (like_count >= 0);
alter table comment add column like_count int not null default 0 check (like_count >= 0);
alter table reply add column like_count int not null default 0 check (like_count >= 0);
-- Answers, best liked first; what is gone comes last.
create index comment_by_likes on comment (topic_id, (case when status = 'published' then like_count else -1 end) desc, floor)
  where thread_kind = 'question' and floor is not null;

-- What the counts do not know yet.
create table like_change (
  id         bigint generated always as identity primary key,
  post_kind  post_kind not null,
  post_id    bigint not null,
  delta      int not null
);

create function note_likes() returns trigger language plpgsql as $$
begin
  insert into like_change (post_kind, post_id, delta)
    select post_kind, post_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed group by post_kind, post_id;
  return null;
end $$;
create trigger noted_when_added after insert on liking referencing new table as changed for each statement execute function note_likes();
create trigger noted_when_removed after delete on liking referencing old table as changed for each statement execute function note_likes();

insert into role_right (role_id, right_name, tag_id)
select distinct role_id, 'post.like', null::bigint from role_right where right_name = 'comment.post';
