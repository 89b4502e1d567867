-- Whose words are in a post that waits: its author's, or those of somebody who wrote it anew for them.

alter table review
  add column edited_by  bigint references member,   -- who wrote last what waits; null: its author
  add column own_title  text,                       -- what its author had written, until it is approved
  add column own_body   jsonb,
  add check (own_body is null or edited_by is not null);

-- What was written but never on the page: staff look at it, and nobody else.
alter table topic_revision add column is_withheld boolean not null default false;
alter table comment_revision add column is_withheld boolean not null default false;
alter table reply_revision add column is_withheld boolean not null default false;

create index on review (decided_at desc, id desc) where state <> 'waiting';   -- what was decided, the newest first
