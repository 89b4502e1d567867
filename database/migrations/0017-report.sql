-- Reports of posts, what staff decided about them, and appeals; help pages, terms by version, feedback and links.

create table report_category (
  id            bigint generated always as identity primary key,
  parent_id     bigint references report_category,
  name_zh       text not null check (char_length(name_zh) between 1 and 60),
  name_en       text not null check (char_length(name_en) between 1 and 60),
  needs_reason  boolean not null default false,
  sort          int not null default 0,
  removed_at    timestamptz                     -- nobody chooses it any more; what was reported under it stays
);
create index on report_category (parent_id, sort);

-- All reports on one post that staff decide about together.
create table report_case (
  id            bigint generated always as identity primary key,
  kind          text not null check (kind in ('topic', 'comment', 'reply')),
  thing_id      bigint not null,
  topic_id      bigint not null references topic on delete cascade,
  comment_id    bigint references comment on delete cascade,       -- the comment reported, or the one replied to
  reply_id      bigint references reply on delete cascade,
  author_id     bigint not null references member,
  title         text not null,
  excerpt       text not null,                                     -- what it said when it was reported first
  opened_at     timestamptz not null default now(),
  report_count  int not null default 0 check (report_count >= 0),  -- but for those that staff deleted
  changed_by    bigint references staff,                           -- who made the newest version; null: a member
  version       int not null default 1,                            -- rises with all that staff should see before they decide
  claimed_by    bigint references staff,
  claimed_at    timestamptz,
  outcome       text check (outcome in ('failed', 'succeeded')),
  result        text not null default '',                          -- to those who reported
  remark        text not null default '',                          -- to staff
  decided_by    bigint references staff,
  decided_at    timestamptz,
  check ((outcome is null) = (decided_at is null)),
  check ((claimed_by is null) = (claimed_at is null))
);
create unique index on report_case (kind, thing_id) where outcome is null;   -- one post is decided about once at a time
create index on report_case (opened_at, id) where outcome is null;           -- what waits, the oldest first
create index on report_case (opened_at, id) where outcome is not null;
create index on report_case (author_id, opened_at, id);                      -- against whom
create index on report_case (topic_id);                                      -- deleting one of these for good
create index on report_case (comment_id) where comment_id is not null;
create index on report_case (reply_id) where reply_id is not null;

create table report (
  id                   bigint generated always as identity primary key,
  case_id              bigint not null references report_case on delete cascade,
  reporter_id          bigint not null references member,
  category_id          bigint not null references report_category,
  reason               text not null default '',
  status               text not null default 'pending' check (status in ('pending', 'needsReason', 'reasonSupplied', 'failed', 'succeeded')),
  asked                text not null default '',                   -- what staff want to know
  reported_at          timestamptz not null default now(),
  decided_at           timestamptz,                                -- a fact for whoever tells the reporter
  deleted_by_user_at   timestamptz,                                -- off their own list only
  deleted_by_staff_at  timestamptz,
  unique (case_id, reporter_id),
  check ((status in ('failed', 'succeeded')) = (decided_at is not null))
);
create index on report (reporter_id, reported_at desc, id desc);   -- my reports, newest first
create index on report (category_id);
create index on report (case_id) where deleted_by_staff_at is not null;   -- what staff deleted

create table report_picture (
  report_id  bigint not null references report on delete cascade,
  file_id    text not null references file on delete cascade,   -- it may have been in a post too, and go with that
  position   int not null,
  primary key (report_id, position)
);
create index on report_picture (file_id);   -- a file that goes

-- A post that staff took away after a report: what its author is told, and how they may appeal.
create table removal (
  id              bigint generated always as identity primary key,
  case_id         bigint not null unique references report_case on delete cascade,
  author_id       bigint not null references member,
  why             text not null,
  removed_by      bigint not null references staff,
  removed_at      timestamptz not null default now(),
  appeal          text,
  appealed_at     timestamptz,
  claimed_by      bigint references staff,
  claimed_at      timestamptz,
  version         int not null default 1,
  appeal_outcome  text check (appeal_outcome in ('restored', 'confirmed')),
  answer          text not null default '',                       -- to the author
  appeal_remark   text not null default '',                       -- to staff
  answered_by     bigint references staff,
  answered_at     timestamptz,
  check ((appeal is null) = (appealed_at is null)),
  check ((appeal_outcome is null) = (answered_at is null)),
  check (appeal_outcome is null or appeal is not null)
);
create index on removal (author_id, removed_at desc, id desc);                                        -- what was taken from me
create index on removal (appealed_at, id) where appeal is not null and appeal_outcome is null;        -- appeals that wait, the oldest first
create index on removal (appealed_at, id) where appeal_outcome is not null;

insert into report_category (name_zh, name_en, sort) values ('违法或有害', 'Unlawful or harmful', 10), ('扰乱社区', 'Disturbs the community', 20),
  ('侵害权益', 'Infringes rights', 30), ('其他', 'Something else', 40);
insert into report_category (parent_id, name_zh, name_en, needs_reason, sort)
select parent.id, leaf.zh, leaf.en, leaf.needs_reason, leaf.sort
from (values
  ('Unlawful or harmful', '违法信息', 'Against the law', false, 10),
  ('Unlawful or harmful', '诈骗', 'Fraud', false, 20),
  ('Unlawful or harmful', '色情低俗', 'Sexual content', false, 30),
  ('Unlawful or harmful', '煽动仇恨或暴力', 'Hatred or violence', false, 40),
  ('Disturbs the community', '广告或刷屏', 'Advertising or spam', false, 10),
  ('Disturbs the community', '人身攻击', 'Insults somebody', false, 20),
  ('Disturbs the community', '与主题无关', 'Off topic', false, 30),
  ('Infringes rights', '侵犯隐私', 'Tells of somebody’s private life', true, 10),
  ('Infringes rights', '抄袭或侵权', 'Copied without permission', true, 20),
  ('Something else', '其他问题', 'Another reason', true, 10)
) as leaf (parent, zh, en, needs_reason, sort) join report_category as parent on parent.name_en = leaf.parent and parent.parent_id is null;

create table help_category (
  id         bigint generated always as identity primary key,
  parent_id  bigint references help_category,
  name_zh    text not null check (char_length(name_zh) between 1 and 60),
  name_en    text not null check (char_length(name_en) between 1 and 60),
  sort       int not null default 0
);
create index on help_category (parent_id, sort);

create table help_page (
  id           bigint generated always as identity primary key,
  category_id  bigint not null references help_category,
  title_zh     text not null check (char_length(title_zh) between 1 and 120),
  title_en     text not null check (char_length(title_en) between 1 and 120),
  body_zh      text not null,                  -- Markdown
  body_en      text not null,
  sort         int not null default 0,
  is_visible   boolean not null default true,
  version      int not null default 1,
  changed_by   bigint references staff,
  changed_at   timestamptz not null default now()
);
create index on help_page (category_id, sort);

-- The terms as staff published them, each version for good. While there is none, the settings say what the terms are.
create table terms (
  id            bigint generated always as identity primary key,
  body_zh       text not null,
  body_en       text not null,
  asks_again    boolean not null,              -- members are asked to agree to it
  published_by  bigint references staff,
  published_at  timestamptz not null default now()
);

create table terms_agreement (
  member_id  bigint not null references member,
  terms_id   bigint not null references terms,
  agreed_at  timestamptz not null default now(),
  primary key (member_id, terms_id)
);
create index on terms_agreement (terms_id);    -- how many agreed

create table feedback (
  id          bigint generated always as identity primary key,
  name        text not null,
  contact     text not null,
  content     text not null,
  member_id   bigint references member,        -- null: a visitor
  ip          text not null,
  sent_at     timestamptz not null default now(),
  handled_by  bigint references staff,
  handled_at  timestamptz,
  remark      text not null default '',
  deleted_at  timestamptz
);
create index on feedback (sent_at, id) where deleted_at is null;
create index on feedback (ip, sent_at);        -- how much came from one address

create table friend_link (
  id        bigint generated always as identity primary key,
  name      text not null,
  url       text not null,
  sort      int not null default 0,
  added_at  timestamptz not null default now()
);
create index on friend_link (sort, id);

insert into staff_role_right
select id, right_name from staff_role, unnest(array['report.view', 'report.decide']) as right_name where name_en = 'Moderator'
on conflict do nothing;
