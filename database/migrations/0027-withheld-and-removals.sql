-- Since when staff keep a version from members that was on the page. What never was there is withheld without a moment.
alter table topic_revision add column withheld_at timestamptz check (withheld_at is null or is_withheld);
alter table comment_revision add column withheld_at timestamptz check (withheld_at is null or is_withheld);
alter table reply_revision add column withheld_at timestamptz check (withheld_at is null or is_withheld);

-- What staff take away by any door may be appealed against, so a removal says itself what it took.
alter table removal
  alter column case_id drop not null,
  add column kind        text check (kind in ('topic', 'comment', 'reply')),
  add column thing_id    bigint,
  add column topic_id    bigint references topic on delete cascade,
  add column comment_id  bigint references comment on delete cascade,
  add column reply_id    bigint references reply on delete cascade,
  add column title       text,
  add column excerpt     text;
update removal set kind = report_case.kind, thing_id = report_case.thing_id, topic_id = report_case.topic_id,
  comment_id = report_case.comment_id, reply_id = report_case.reply_id, title = report_case.title, excerpt = report_case.excerpt
from report_case where report_case.id = case_id;
alter table removal
  alter column kind set not null,
  alter column thing_id set not null,
  alter column topic_id set not null,
  alter column title set not null,
  alter column excerpt set not null;
create index on removal (kind, thing_id, id desc);                       -- the newest of a post is the one that holds
create index on removal (topic_id);                                      -- deleting one of these for good, or moving it
create index on removal (comment_id) where comment_id is not null;
create index on removal (reply_id) where reply_id is not null;
