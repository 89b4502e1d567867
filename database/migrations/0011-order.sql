-- Moderation: sensitive words, review, reports, appeals, and feedback.

-- Lists of sensitive words, with the action on a match.
create table sensitive_list (
  id          bigint generated always as identity primary key,
  name        text not null check (char_length(name) between 1 and 16 * 60),
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
  key          text not null check (key <> ''),  -- letters alone, which tell words apart
  hits         bigint not null default 0 check (hits >= 0),
  last_hit_at  timestamptz,
  unique (list_id, key)
);
create index on sensitive_word (hits desc, id desc);   -- most matched words
create index on sensitive_word (list_id, hits desc, id desc);   -- most matched words of a list
create index on sensitive_word (list_id, id desc);   -- newest words of a list
create index on sensitive_word (key);   -- words by their first letters

-- Reviews of posts, one row for each time a post waits. A new post is pending in its own table; an edit waits here, and the published version stays.
create table review (
  id             bigint generated always as identity primary key,
  kind           post_kind not null,
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
  words          text[] not null default '{}',  -- matched sensitive words
  state          text not null default 'waiting' check (state in ('waiting', 'rejected', 'approved')),
  asked_at       timestamptz not null default clock_timestamp(),
  version        int not null default 1,  -- counts changes by author and staff, so that no decision covers an unread text
  claimed_by     bigint references staff,
  claimed_until  timestamptz,
  decided_by     bigint references staff,
  decided_at     timestamptz,
  reason_zh      text,
  reason_en      text,
  edited_by      bigint references member,  -- last editor of the waiting text; null: the author
  own_title      text,  -- the author's own text, until approval
  own_body       jsonb,
  tag_id         bigint references tag on delete set null,  -- the tag that an edit moves a topic to
  tag_ids        bigint[],
  ai_generated   boolean,  -- the declaration with a waiting edit; null: the label stays as it is
  check (is_edit or body is null),
  check ((state = 'rejected') <= (reason_zh is not null and reason_en is not null)),
  check (own_body is null or edited_by is not null)
);
create unique index on review (kind, post_id) where state <> 'approved';   -- one open review for each post
create index on review (asked_at, id) where state = 'waiting';   -- the queue, oldest first
create index on review (topic_id, author_id) where state <> 'approved';   -- open reviews of an author under a topic
create index on review (author_id, id desc);   -- earlier reviews of an author
create index on review (decided_at desc, id desc) where state <> 'waiting';   -- decisions, newest first
create index on review using gin (members_named(body)) where members_named(body) <> '{}';   -- renames
create index on review using gin (members_named(own_body)) where members_named(own_body) <> '{}';   -- renames

-- Categories of reports, in two levels.
create table report_category (
  id            bigint generated always as identity primary key,
  parent_id     bigint references report_category,
  name_zh       text not null check (char_length(name_zh) between 1 and 16 * 60),
  name_en       text not null check (char_length(name_en) between 1 and 16 * 60),
  needs_reason  boolean not null default false,
  sort          int not null default 0,
  removed_at    timestamptz,  -- not offered from then on; earlier reports keep it
  version       int not null default 1
);
create index on report_category (parent_id, sort);   -- children of a category, in order

-- All reports on one post, decided together.
create table report_case (
  id            bigint generated always as identity primary key,
  kind          post_kind not null,
  thing_id      bigint not null,
  topic_id      bigint not null references topic on delete cascade,
  comment_id    bigint,  -- the reported comment, or the comment of the reported reply
  reply_id      bigint references reply on delete cascade,
  author_id     bigint not null references member,
  title         text not null,
  excerpt       text not null,  -- text at the first report
  opened_at     timestamptz not null default now(),
  report_count  int not null default 0 check (report_count >= 0),  -- without those deleted by staff
  changed_by    bigint references staff,  -- staff account behind the latest version; null: a member
  version       int not null default 1,  -- counts changes that staff must see before a decision
  claimed_by    bigint references staff,
  claimed_at    timestamptz,
  outcome       text check (outcome in ('failed', 'succeeded')),
  result        text not null default '',  -- to the reporters
  remark        text not null default '',  -- to staff
  decided_by    bigint references staff,
  decided_at    timestamptz,
  check ((outcome is null) = (decided_at is null)),
  check ((claimed_by is null) = (claimed_at is null)),
  foreign key (comment_id, topic_id) references comment (id, topic_id) on update cascade on delete cascade
);
create unique index on report_case (kind, thing_id) where outcome is null;   -- one open case for each post
create index on report_case (opened_at, id) where outcome is null;   -- the queue, oldest first
create index on report_case (opened_at, id) where outcome is not null;   -- decided cases
create index on report_case (author_id, opened_at, id);   -- cases about a member
create index on report_case (topic_id);   -- deletion of the topic
create index on report_case (comment_id) where comment_id is not null;   -- deletion of the comment
create index on report_case (reply_id) where reply_id is not null;   -- deletion of the reply
create index on report_case (kind, thing_id);   -- all cases of a post
alter table member_cleanup_item add foreign key (case_id) references report_case on delete set null;

create table report (
  id                   bigint generated always as identity primary key,
  case_id              bigint not null references report_case on delete cascade,
  reporter_id          bigint not null references member,
  category_id          bigint not null references report_category,
  reason               text not null default '',
  status               text not null default 'pending' check (status in ('pending', 'needsReason', 'reasonSupplied', 'failed', 'succeeded')),
  asked                text not null default '',  -- question of staff to the reporter
  reported_at          timestamptz not null default now(),
  decided_at           timestamptz,
  deleted_by_user_at   timestamptz,  -- hidden from the reporter's own list
  deleted_by_staff_at  timestamptz,
  decided_from         text check (decided_from in ('pending', 'needsReason', 'reasonSupplied')),  -- status to restore when the decision is taken back
  unique (case_id, reporter_id),
  check ((status in ('failed', 'succeeded')) = (decided_at is not null))
);
create index on report (reporter_id, reported_at desc, id desc);   -- reports of a member, newest first
create index on report (category_id);   -- reports in a category
create index on report (case_id) where deleted_by_staff_at is not null;   -- reports deleted by staff

create table report_picture (
  report_id  bigint not null references report on delete cascade,
  file_id    text not null references file on delete cascade,  -- possibly in a post, too, and deleted with that
  position   int not null,
  primary key (report_id, position)
);
create index on report_picture (file_id);   -- deletion of a file

-- Posts that staff removed after a report, or moderators in the forum: the reason for the author, and the author's appeal.
create table removal (
  id                 bigint generated always as identity primary key,
  case_id            bigint references report_case on delete cascade,
  author_id          bigint not null references member,
  why                text not null,
  removed_by         bigint references staff,
  removed_at         timestamptz not null default now(),
  appeal             text,
  appealed_at        timestamptz,
  claimed_by         bigint references staff,
  claimed_at         timestamptz,
  version            int not null default 1,
  appeal_outcome     text check (appeal_outcome in ('restored', 'confirmed')),
  answer             text not null default '',  -- to the author
  appeal_remark      text not null default '',  -- to staff
  answered_by        bigint references staff,
  answered_at        timestamptz,
  kind               post_kind not null,
  thing_id           bigint not null,
  topic_id           bigint not null references topic on delete cascade,
  comment_id         bigint references comment on delete cascade,
  reply_id           bigint references reply on delete cascade,
  title              text not null,
  excerpt            text not null,
  removed_by_member  bigint references member,
  taken_back_at      timestamptz,  -- with the decision about the reports
  put_back_at        timestamptz,  -- by the appeal; null where the post was back already
  check ((appeal is null) = (appealed_at is null)),
  check ((appeal_outcome is null) = (answered_at is null)),
  check (appeal_outcome is null or appeal is not null),
  check (num_nonnulls(removed_by, removed_by_member) = 1),
  check (put_back_at is null or appeal_outcome = 'restored')
);
create index on removal (author_id, removed_at desc, id desc);   -- removed posts of an author
create index on removal (appealed_at, id) where appeal is not null and appeal_outcome is null;   -- open appeals, oldest first
create index on removal (appealed_at, id) where appeal_outcome is not null;   -- decided appeals
create index on removal (kind, thing_id, id desc);   -- the newest removal of a post is in force
create index on removal (topic_id);   -- deletion or move of the topic
create index on removal (comment_id) where comment_id is not null;   -- deletion of the comment
create index on removal (reply_id) where reply_id is not null;   -- deletion of the reply
create index on removal (removed_by_member) where removed_by_member is not null;   -- merge of two accounts
create unique index on removal (case_id) where taken_back_at is null;   -- one removal for each decision
create index on removal (case_id) where case_id is not null;   -- deletion of a case

-- Decisions that were taken back, shown before the next decision.
create table decision_taken_back (
  id             bigint generated always as identity primary key,
  case_id        bigint references report_case on delete cascade,
  removal_id     bigint references removal on delete cascade,  -- for a decision on an appeal
  outcome        text not null check (outcome in ('failed', 'succeeded', 'restored', 'confirmed')),
  said           text not null,  -- to the reporters, or to the author
  remark         text not null,  -- to staff
  decided_by     bigint references staff,
  decided_at     timestamptz not null,
  taken_back_by  bigint not null references staff,
  taken_back_at  timestamptz not null default now(),
  reason         text not null,
  check (num_nonnulls(case_id, removal_id) = 1)
);
create index on decision_taken_back (case_id, id) where case_id is not null;   -- page of a case
create index on decision_taken_back (removal_id, id) where removal_id is not null;   -- page of an appeal

-- Messages to staff, from members and visitors.
create table feedback (
  id          bigint generated always as identity primary key,
  name        text not null,
  contact     text not null,
  content     text not null,
  member_id   bigint references member,  -- null: a visitor
  ip          text not null,
  sent_at     timestamptz not null default now(),
  handled_by  bigint references staff,
  handled_at  timestamptz,
  remark      text not null default '',
  deleted_at  timestamptz,
  version     int not null default 1
);
create index on feedback (sent_at, id) where deleted_at is null;   -- list for staff
create index on feedback (ip, sent_at);   -- recent messages from one address

-- Hints of collusion, for staff: points, balance or likes that go round between members, or one way between linked accounts.
-- Payments and likes between two members by day, as far back as hints look.
create table collusion_flow (
  from_id          bigint not null references member,
  to_id            bigint not null references member,
  measure          text not null check (measure in ('points', 'cny', 'likes')),
  day              date not null,  -- in UTC
  amount           bigint not null,  -- points, cents or likes; below zero where more was reversed that day than paid
  times            int not null,
  transaction_ids  bigint[] not null,  -- newest first
  first_at         timestamptz not null,
  last_at          timestamptz not null,
  primary key (from_id, measure, to_id, day),
  check (from_id <> to_id)
);
create index on collusion_flow (to_id, measure, day) include (from_id, amount, times);   -- income of a member
create index on collusion_flow (day);   -- job that removes days before the period of hints

-- Watermark of the ledger and the likes.
create table collusion_progress (
  is_one          boolean primary key default true check (is_one),
  transaction_id  bigint not null default 0,
  liked_at        timestamptz not null default '-infinity'
);

create table collusion_hint (
  id              bigint generated always as identity primary key,
  members         bigint[] not null unique check (cardinality(members) between 2 and 4),  -- sorted
  patterns        jsonb not null,
  flows           jsonb not null,
  shared          jsonb not null,  -- kinds of facts in common, without the address or number itself
  found_at        timestamptz not null default clock_timestamp(),
  updated_at      timestamptz not null default clock_timestamp(),
  dismissed_at    timestamptz,
  dismissed_by    bigint references staff,
  dismiss_reason  text,
  counted_until   bigint,  -- last transaction known to the dismissal
  returned_at     timestamptz,  -- new facts since the dismissal
  check (num_nonnulls(dismissed_at, dismissed_by, dismiss_reason, counted_until) in (0, 4)),
  check (returned_at is null or dismissed_at is not null)
);
create index on collusion_hint (updated_at, id);   -- list for staff
create index on collusion_hint using gin (members);   -- hints about a member
