-- Files beside pictures, where each file is shown, and uploads on their way.

alter table file drop constraint file_kind_check;
alter table file add check (kind in ('picture', 'avatar', 'attachment'));
alter table file alter column width drop not null, alter column height drop not null;
alter table file add check ((width is null) = (kind = 'attachment') and (height is null) = (kind = 'attachment'));
alter table file add column name text;                            -- what an attachment is called when it is saved
alter table file add check ((name is null) = (kind <> 'attachment'));
alter table file add column moves boolean not null default false; -- an animation: no smaller AVIF is made of it
alter table file add column rendered_at timestamptz;              -- when its smaller ones were made
create index on file (made_at) where kind = 'picture' and rendered_at is null and unused_since is null;   -- the job that makes them

-- Who may see a file is asked of the places that show it.
create table file_use (
  file_id     text not null references file on delete cascade,
  topic_id    bigint not null references topic on delete cascade,
  comment_id  bigint references comment on delete cascade,        -- null: the topic itself
  reply_id    bigint references reply on delete cascade,
  unique nulls not distinct (file_id, topic_id, comment_id, reply_id)   -- also finds the uses of a file
);
create index on file_use (topic_id);      -- deleting one of these for good
create index on file_use (comment_id) where comment_id is not null;
create index on file_use (reply_id) where reply_id is not null;

insert into file_use (file_id, topic_id, comment_id, reply_id)
select distinct file.id, shown.topic_id, shown.comment_id, shown.reply_id
from (
  select id as topic_id, null::bigint as comment_id, null::bigint as reply_id, body from topic
  union all select topic_id, null, null, body from topic_revision
  union all select topic_id, id, null, body from comment
  union all select topic_id, comment_id, null, comment_revision.body from comment_revision join comment on comment.id = comment_id
  union all select topic_id, comment_id, id, body from reply
  union all select topic_id, comment_id, reply_id, reply_revision.body from reply_revision join reply on reply.id = reply_id
) as shown,
  jsonb_path_query(shown.body, '$.**.file') as named
  join file on file.id = named #>> '{}'
where shown.body::text like '%"image"%';

-- A file that a browser may bring, until the upload is finished or given up.
create table upload (
  id        text primary key,               -- of the file it will be
  owner_id  bigint not null references member,
  kind      text not null check (kind in ('picture', 'attachment')),
  name      text not null,
  bytes     int not null check (bytes > 0),
  begun_at  timestamptz not null default now()
);
create index on upload (begun_at);          -- the job that gives up what was not finished
create index on upload (owner_id);          -- how many one member has on their way
