-- Staff: accounts, sessions and roles, the audit log, bulk actions, and what staff decide about members.

-- Staff log in to the administration apart from members. Each account posts in the forum as one official member.
create table staff (
  id              bigint generated always as identity primary key,
  account         text not null,
  account_key     text not null unique,
  password_hash   text not null,
  speaks_as       bigint not null references member,
  made_at         timestamptz not null default now(),
  disabled_at     timestamptz,
  last_seen_at    timestamptz,
  totp_secret     bytea,  -- sealed; null without a second factor
  totp_confirmed  boolean not null default false,
  totp_step       bigint not null default 0,  -- time step of the last accepted code: no code is accepted twice
  owes_password   boolean not null default false  -- the password was set by another account, and must be changed at the next login
);
alter table invitation add foreign key (staff_id) references staff;

create table staff_session (
  id             bigint generated always as identity primary key,
  staff_id       bigint not null references staff,
  hash           bytea not null unique,  -- of the cookie
  ip             text not null,
  user_agent     text not null,
  began_at       timestamptz not null default now(),
  last_used_at   timestamptz not null default now(),
  proved_at      timestamptz not null default now(),  -- last confirmation of the password
  ended_at       timestamptz,
  ended_because  text
);
create index on staff_session (staff_id, began_at desc);   -- sessions of an account, newest first

create table staff_recovery_code (
  staff_id  bigint not null references staff,
  hash      bytea not null,
  used_at   timestamptz,
  primary key (staff_id, hash)
);

create table staff_role (
  id                bigint generated always as identity primary key,
  name_zh           text not null,
  name_en           text not null,
  is_administrator  boolean not null default false,  -- has every right, also those of later versions
  made_at           timestamptz not null default now()
);
create unique index on staff_role (is_administrator) where is_administrator;   -- one administrator role

create table staff_role_right (
  role_id     bigint not null references staff_role on delete cascade,
  right_name  text not null,
  primary key (role_id, right_name)
);

create table staff_role_holding (
  staff_id  bigint not null references staff,
  role_id   bigint not null references staff_role,
  primary key (staff_id, role_id)
);
create index on staff_role_holding (role_id);   -- accounts with a role

-- The audit log. Each row has a hash over the row before it, so that a changed or missing row is detected.
create table audit_log (
  id        bigint primary key,  -- without gaps; counted by audit_log_head
  at        timestamptz not null,
  staff_id  bigint references staff,  -- null: the operator's command line
  account   text not null,  -- account name at that time
  ip        text not null,
  action      text not null,
  about     text,  -- kind and id, such as `topic 42`
  reason    text,
  before    jsonb,
  after     jsonb,
  hash      bytea not null
);
create index on audit_log (staff_id, id desc);   -- actions of an account
create index on audit_log (about, id desc);   -- actions on one thing

-- The last row of the audit log.
create table audit_log_head (
  is_one  boolean primary key default true check (is_one),
  id      bigint not null,
  hash    bytea not null
);

-- Bulk actions, with the data to undo them.
create table staff_batch (
  id           bigint generated always as identity primary key,
  staff_id     bigint not null references staff,
  kind         text not null check (kind in ('topic', 'comment', 'reply', 'member', 'review')),
  action         text not null,
  reason       text,
  made_at      timestamptz not null default now(),
  undone_at    timestamptz,
  undone_by    bigint references staff,
  -- Progress, since a job runs a bulk action step by step.
  state        text not null default 'done' check (state in ('doing', 'done', 'stopped', 'undoing', 'undone')),
  why_stopped  text check (why_stopped in ('right', 'failure')),
  ended_at     timestamptz,  -- last time it was done, undone or stopped
  reached      bigint not null default 0,  -- highest id handled in this state: items are taken in the order of ids
  filter       jsonb,  -- filter of the list, where all matches were selected
  undo_reason  text,
  ip           text not null,  -- address of the request, for the audit log
  total        int not null default 0,
  done         int not null default 0,  -- things changed; items that move together are one item, and count each
  faults       int not null default 0,
  undone       int not null default 0,
  left_alone   int not null default 0,  -- items left as they were by the undo
  wish         jsonb not null default '{}',  -- parameters beside the reason: target tag, role, length of a ban
  check ((undone_at is null) = (undone_by is null))
);
create index on staff_batch (made_at desc, id desc);   -- newest first
create index on staff_batch (id) where state in ('doing', 'undoing');   -- unfinished bulk actions, for the job

create table staff_batch_item (
  batch_id  bigint not null references staff_batch on delete cascade,
  item_id   bigint not null,  -- id within the kind of the bulk action
  fault     text,  -- why the action refused it
  before    jsonb,  -- the changed values as they were; null where nothing changed
  after     jsonb,
  undone    text check (undone in ('undone', 'left', 'refused')),
  why_left  text,
  primary key (batch_id, item_id)
);

-- Registrations that staff approve or refuse. An account from a time without approval has no row.
create table registration_request (
  member_id   bigint primary key references member on delete cascade,
  asked_at    timestamptz not null default now(),
  outcome     text check (outcome in ('approved', 'refused')),  -- null: waiting
  reason      text not null default '',
  decided_at  timestamptz,
  decided_by  bigint references staff,
  check ((outcome is null) = (decided_at is null))
);
create index on registration_request (asked_at, member_id) where outcome is null;   -- the queue, oldest first, and its length
create index on registration_request (asked_at, member_id) where outcome is not null;   -- decisions

create table member_ban (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member,
  function   text not null,  -- the program maps it to rights
  reason     text not null,
  given_at   timestamptz not null default now(),
  given_by   bigint not null references staff,
  ends_at    timestamptz,  -- null: permanent
  lifted_at  timestamptz,
  lifted_by  bigint references staff
);
create index on member_ban (member_id, id desc);   -- bans of a member, newest first
create unique index on member_ban (member_id, function) where lifted_at is null;   -- one ban per function; an expired one is lifted when the next is given

create table member_note (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member,
  staff_id   bigint not null references staff,
  text       text not null,
  at         timestamptz not null default now()
);
create index on member_note (member_id, id desc);   -- notes on a member, newest first

-- Removal of everything that a member wrote, in steps where it is much.
create table member_cleanup (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member,
  staff_id   bigint not null references staff,
  reason     text not null,
  began_at   timestamptz not null default now(),
  status     text not null default 'removing' check (status in ('removing', 'removed', 'restoring', 'restored')),
  disabled   boolean not null,  -- the clean-up disabled the account, and its undo enables it
  ban_ids    bigint[] not null default '{}',  -- bans of the clean-up, lifted by its undo
  removed    int not null default 0,
  restored   int not null default 0
);
create index on member_cleanup (member_id, id desc);   -- latest clean-up of a member
create index on member_cleanup (id) where status in ('removing', 'restoring');   -- unfinished clean-ups, for the job

-- Posts that a clean-up removed.
create table member_cleanup_item (
  cleaning_id  bigint not null references member_cleanup on delete cascade,
  kind         post_kind not null,
  post_id      bigint not null,
  topic_id     bigint not null,
  was          text not null check (was in ('pending', 'published')),
  settled_at   timestamptz,  -- when the post was restored, or needed no restoring
  case_id      bigint,  -- reports that the clean-up settled with the post; its undo reopens them
  primary key (cleaning_id, kind, post_id)
);
create index on member_cleanup_item (case_id) where case_id is not null;   -- deletion of a case

-- Merge of two accounts. Posts go over in steps, and each step leaves all counts right.
create table member_merge (
  id        bigint generated always as identity primary key,
  from_id   bigint not null unique references member,  -- closed at the start of the merge
  into_id   bigint not null references member,
  staff_id  bigint not null references staff,
  began_at  timestamptz not null default now(),
  status    text not null default 'merging' check (status in ('merging', 'merged')),
  moved     int not null default 0,  -- posts transferred so far
  check (from_id <> into_id)
);
create index on member_merge (into_id);   -- accounts merged into a member
create index on member_merge (id) where status = 'merging';   -- unfinished merges, for the job
