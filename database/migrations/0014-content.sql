-- What staff do with what was written: who changed it, why it was taken down, and many things done at once.

alter table topic
  add column version         int not null default 1,           -- one more with each edit, so that two who edit at once notice
  add column edited_by       bigint references member,         -- null: its author
  add column deleted_from    text check (deleted_from in ('pending', 'published')),   -- what it was before; null: published
  add column deleted_at      timestamptz,
  add column deleted_reason  text,
  add column purged_at       timestamptz,                      -- its words are gone for good
  add column sunk_at         timestamptz;                      -- what is said from then on does not bring it up
alter table topic add check (purged_at is null or status = 'deleted');
alter table topic_revision add column written_by bigint references member;   -- null: its author

alter table comment
  add column version         int not null default 1,
  add column edited_by       bigint references member,
  add column deleted_from    text check (deleted_from in ('pending', 'published')),
  add column deleted_at      timestamptz,
  add column deleted_reason  text,
  add column purged_at       timestamptz;
alter table comment add check (purged_at is null or status = 'deleted');
alter table comment_revision add column written_by bigint references member;

alter table reply
  add column version         int not null default 1,
  add column edited_by       bigint references member,
  add column deleted_from    text check (deleted_from in ('pending', 'published')),
  add column deleted_at      timestamptz,
  add column deleted_reason  text,
  add column purged_at       timestamptz;
alter table reply add check (purged_at is null or status = 'deleted');
alter table reply_revision add column written_by bigint references member;

-- The lists of staff: all there is, newest first; of one tag; of one author; what waits or was deleted.
create index on topic (published_at desc, id desc);
create index on topic (tag_id, published_at desc, id desc);
create index on topic (author_id);
create index on topic (published_at desc, id desc) where status <> 'published';
create index on comment (published_at desc, id desc);
create index on comment (author_id);
create index on comment (published_at desc, id desc) where status <> 'published';
create index on reply (published_at desc, id desc);
create index on reply (author_id);
create index on reply (published_at desc, id desc) where status <> 'published';

alter table tag
  add column description_zh  text not null default '' check (char_length(description_zh) <= 300),
  add column description_en  text not null default '' check (char_length(description_en) <= 300),
  add column version         int not null default 1;   -- one more with each edit

-- One deed done to many things at once, with what is needed to undo it.
create table staff_batch (
  id         bigint generated always as identity primary key,
  staff_id   bigint not null references staff,
  kind       text not null check (kind in ('topic', 'comment', 'reply')),
  deed       text not null,
  reason     text,
  made_at    timestamptz not null default now(),
  undone_at  timestamptz,
  undone_by  bigint references staff,
  check ((undone_at is null) = (undone_by is null))
);
create index on staff_batch (made_at desc, id desc);   -- newest first

create table staff_batch_item (
  batch_id  bigint not null references staff_batch on delete cascade,
  item_id   bigint not null,            -- a topic, a comment or a reply, as the batch says
  fault     text,                       -- why nothing was done to it
  before    jsonb,                      -- what was changed, as it was; null where nothing was
  after     jsonb,
  undone    text check (undone in ('undone', 'left', 'refused')),
  primary key (batch_id, item_id)
);
