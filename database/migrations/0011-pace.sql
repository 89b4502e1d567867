-- When members wrote last and what they said lately, so that nobody writes too fast or the same again and again.

alter table member
  add column last_topic_at timestamptz,
  add column last_remark_at timestamptz;   -- a comment or a reply

create table said (
  member_id  bigint not null references member,
  hash       bytea not null,               -- of the words alone, however they were written
  said_at    timestamptz not null,
  kind       text not null check (kind in ('topic', 'comment', 'reply')),
  post_id    bigint not null,              -- the topic, comment or reply that says it
  primary key (member_id, hash)            -- the same once only
);
create index on said (said_at);            -- the job that forgets
