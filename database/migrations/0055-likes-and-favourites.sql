-- Who likes what, and who keeps what as a favourite. How many do is counted beside the post, a few seconds later and many at once, so that what
-- everybody likes is no row that all wait for.

create table liking (
  post_kind  post_kind not null,
  post_id    bigint not null,
  member_id  bigint not null references member,
  at         timestamptz not null default clock_timestamp(),
  primary key (post_kind, post_id, member_id)
);
create index on liking (post_kind, post_id, at desc, member_id);   -- who likes a post, newest first
create index on liking (member_id, at desc, post_id);              -- what a member likes, newest first

create table favourite_folder (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member,
  name       text not null,
  is_public  boolean not null default false,
  unique (member_id, name),
  unique (member_id, id)
);

create table favourite (
  topic_id   bigint not null references topic,
  member_id  bigint not null references member,
  folder_id  bigint,                             -- none: beside all folders, for its member alone
  note       text not null default '',
  at         timestamptz not null default clock_timestamp(),
  primary key (topic_id, member_id),
  foreign key (member_id, folder_id) references favourite_folder (member_id, id) on delete set null (folder_id)
);
create index on favourite (member_id, at desc, topic_id);   -- a member's own, newest first
create index on favourite (folder_id, at desc, topic_id);   -- what lies in a folder, newest first
create index on favourite (topic_id, at desc, member_id);   -- who keeps a topic, newest first

alter table topic add column like_count int not null default 0 check (like_count >= 0);
alter table topic add column favourite_count int not null default 0 check (favourite_count >= 0);
alter table comment add column like_count int not null default 0 check (like_count >= 0);
alter table reply add column like_count int not null default 0 check (like_count >= 0);
-- Answers, best liked first; what is gone comes last.
create index comment_by_likes on comment (topic_id, (case when status = 'published' then like_count else -1 end) desc, floor)
  where thread_kind = 'question' and floor is not null;

-- What the counts do not know yet.
create table tally (
  id         bigint generated always as identity primary key,
  of         text not null check (of in ('like', 'favourite')),
  post_kind  post_kind not null,
  post_id    bigint not null,
  delta      int not null
);

create function tally_likes() returns trigger language plpgsql as $$
begin
  insert into tally (of, post_kind, post_id, delta)
    select 'like', post_kind, post_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed group by post_kind, post_id;
  return null;
end $$;
create trigger tallied_when_added after insert on liking referencing new table as changed for each statement execute function tally_likes();
create trigger tallied_when_removed after delete on liking referencing old table as changed for each statement execute function tally_likes();

create function tally_favourites() returns trigger language plpgsql as $$
begin
  insert into tally (of, post_kind, post_id, delta)
    select 'favourite', 'topic', topic_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed group by topic_id;
  return null;
end $$;
create trigger tallied_when_added after insert on favourite referencing new table as changed for each statement execute function tally_favourites();
create trigger tallied_when_removed after delete on favourite referencing old table as changed for each statement execute function tally_favourites();

insert into role_right (role_id, right_name, tag_id)
select distinct role_id, 'post.like', null::bigint from role_right where right_name = 'comment.post';
