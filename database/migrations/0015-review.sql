-- Words that a forum does not want, and posts that wait until staff have looked at them.

create table sensitive_list (
  id          bigint generated always as identity primary key,
  name        text not null check (char_length(name) between 1 and 60),
  action      text not null check (action in ('replace', 'review', 'refuse')),
  is_enabled  boolean not null default true,
  word_count  int not null default 0 check (word_count >= 0),
  changed_at  timestamptz not null default clock_timestamp(),
  changed_by  bigint references staff
);

create table sensitive_word (
  id           bigint generated always as identity primary key,
  list_id      bigint not null references sensitive_list on delete cascade,
  word         text not null check (char_length(word) between 1 and 60),
  key          text not null check (key <> ''),     -- its letters alone, which tell words apart
  hits         bigint not null default 0 check (hits >= 0),
  last_hit_at  timestamptz,
  unique (list_id, key)
);
create index on sensitive_word (hits desc, id desc);           -- what is hit most
create index on sensitive_word (list_id, hits desc, id desc);  -- the same of one list
create index on sensitive_word (list_id, id desc);             -- what was added last
create index on sensitive_word (key);                          -- what begins with these letters

-- One row for each time a post waited. What was never on the page lies in its own table, as pending; what is on the page stays as it is,
-- and what is to come in its place lies here.
create table review (
  id             bigint generated always as identity primary key,
  kind           text not null check (kind in ('topic', 'comment', 'reply')),
  post_id        bigint not null,
  topic_id       bigint not null references topic on delete cascade,
  author_id      bigint not null references member,
  is_edit        boolean not null,
  title          text,
  body           jsonb,
  segments       jsonb,
  summary        text,
  pictures       jsonb,
  file_ids       text[] not null default '{}',
  why            text not null check (why in ('everybody', 'members', 'words')),
  words          text[] not null default '{}',     -- the sensitive ones in it
  state          text not null default 'waiting' check (state in ('waiting', 'rejected', 'approved')),
  asked_at       timestamptz not null default clock_timestamp(),
  version        int not null default 1,           -- counts what the author and staff write, so that nobody decides about what they have not seen
  claimed_by     bigint references staff,
  claimed_until  timestamptz,
  decided_by     bigint references staff,
  decided_at     timestamptz,
  reason_zh      text,
  reason_en      text,
  check (is_edit or body is null),
  check ((state = 'rejected') <= (reason_zh is not null and reason_en is not null))
);
create unique index on review (kind, post_id) where state <> 'approved';   -- a post waits once
create index on review (asked_at, id) where state = 'waiting';             -- the queue, oldest first
create index on review (topic_id, author_id) where state <> 'approved';    -- what an author sees of their own under a topic
create index on review (author_id, id desc);                               -- how an author fared before

-- A comment gets its floor when it is published.
alter table comment alter column floor drop not null;
alter table comment add constraint comment_floor_when_published check (floor is not null or status <> 'published');

insert into role_right (role_id, right_name, tag_id)
select role_id, unreviewed, tag_id
from role_right, unnest(array['topic.unreviewed', 'comment.unreviewed', 'reply.unreviewed']) as unreviewed
where right_name = 'content.edit.any'
on conflict do nothing;

insert into staff_role_right (role_id, right_name)
select id, 'content.review' from staff_role where name_en = 'Moderator' and not is_administrator;
