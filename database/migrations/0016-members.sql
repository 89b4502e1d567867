-- The staff's hand on members: finding them, keeping them from things for a time, notes, fields of staff's making, and cleaning up after them.

alter table member
  add column last_seen_at       timestamptz not null default now(),
  add column joined_ip          inet,                        -- null: added by staff, or gone from the log
  add column deactivated_as     text check (deactivated_as in ('disabled', 'cancelled')),   -- null while active, and where it was for good before this was kept
  add column deactivated_because text,
  add column freed_account      text,                        -- what they were called, where their name was given free
  add column freed_nickname     text,
  add column merged_into        bigint references member,
  add column version            int not null default 0,      -- counts changes of what staff and the member both may edit
  add check (deactivated_as is null or deactivated_at is not null);

update member set
  joined_ip = (select ip from login_log where member_id = member.id order by at, id limit 1),
  last_seen_at = coalesce((select max(at) from login_log where member_id = member.id), joined_at);

-- The list of members, by each of its sorts.
create index on member (joined_at, id);
create index on member (last_seen_at, id);
create index on member ((topic_count + comment_count + reply_count), id);
create index on member (deactivated_at) where deactivated_at is not null;   -- the few who are out
create index on member (joined_ip, joined_at) where joined_ip is not null;  -- who signed up from one address, and how many within a day
create index on login_log (ip, member_id);                                  -- who was ever here from an address
create index on role_holding (role_id);                                     -- who holds a role

alter table session drop constraint session_ended_because_check;
alter table session add constraint session_ended_because_check
  check (ended_because in ('logged out', 'ended by member', 'password changed', 'token reused', 'deactivated', 'ended by staff'));

alter table role add column version int not null default 0;
insert into role_right (role_id, right_name) select id, 'profile.change' from role where is_default on conflict do nothing;

create table member_ban (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member,
  function   text not null,                   -- what they are kept from; the program knows which rights that takes
  reason     text not null,
  given_at   timestamptz not null default now(),
  given_by   bigint not null references staff,
  ends_at    timestamptz,                     -- null: for good
  lifted_at  timestamptz,
  lifted_by  bigint references staff
);
create index on member_ban (member_id, id desc);                     -- their bans, newest first
create unique index on member_ban (member_id, function) where lifted_at is null;   -- one at a time; one that ran out is lifted when another comes

create table member_note (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member,
  staff_id   bigint not null references staff,
  text       text not null,
  at         timestamptz not null default now()
);
create index on member_note (member_id, id desc);   -- newest first

-- All that one member wrote, taken off the page in one deed, step by step where it is much.
create table member_cleaning (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member,
  staff_id   bigint not null references staff,
  reason     text not null,
  began_at   timestamptz not null default now(),
  status     text not null default 'removing' check (status in ('removing', 'removed', 'restoring', 'restored')),
  disabled   boolean not null,                -- whether it locked them out, which undoing it takes back
  ban_ids    bigint[] not null default '{}',  -- the bans it gave, likewise
  removed    int not null default 0,
  restored   int not null default 0
);
create index on member_cleaning (member_id, id desc);
create index on member_cleaning (id) where status in ('removing', 'restoring');   -- what the job goes on with

create table member_cleaned (
  cleaning_id  bigint not null references member_cleaning on delete cascade,
  kind         text not null check (kind in ('topic', 'comment', 'reply')),
  post_id      bigint not null,
  topic_id     bigint not null,
  was          text not null check (was in ('pending', 'published')),
  settled_at   timestamptz,                   -- when it was brought back, or found to need no bringing back
  primary key (cleaning_id, kind, post_id)
);

create table field (
  id           bigint generated always as identity primary key,
  name_zh      text not null check (char_length(name_zh) between 1 and 50),
  name_en      text not null check (char_length(name_en) between 1 and 50),
  help_zh      text not null default '',
  help_en      text not null default '',
  kind         text not null check (kind in ('text', 'radio', 'checkbox', 'select', 'textarea')),
  takes        text not null default 'anything' check (takes in ('anything', 'digits', 'letters', 'lettersAndDigits', 'chinese', 'pattern')),
  pattern      text,
  options      jsonb not null default '[]',   -- of radio, checkbox and select: key and name in both languages
  longest      int not null default 100 check (longest between 1 and 2000),
  is_required  boolean not null default false,
  is_searched  boolean not null default false,
  is_visible   boolean not null default false,
  sort         int not null default 0,
  version      int not null default 0,
  removed_at   timestamptz,                   -- what was answered stays until it is removed for good
  check ((takes = 'pattern') = (pattern is not null))
);

create table member_field (
  member_id  bigint not null references member on delete cascade,
  field_id   bigint not null references field,
  answer     text[] not null,
  primary key (member_id, field_id)
);
create index on member_field using gin (answer);   -- who answered so
