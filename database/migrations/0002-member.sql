-- Who there is, what they may do, and how they prove who they are.

create table role (
  id          bigint generated always as identity primary key,
  name_zh     text not null check (char_length(name_zh) between 1 and 50),
  name_en     text not null check (char_length(name_en) between 1 and 50),
  is_default  boolean not null default false,
  sort        int not null default 0
);
create unique index on role (is_default) where is_default;   -- at most one role is everybody's

create table file (
  id          text primary key,                -- random, so that addresses cannot be guessed
  owner_id    bigint,
  kind        text not null check (kind in ('picture', 'avatar')),
  type        text not null,
  width       int not null check (width > 0),
  height      int not null check (height > 0),
  bytes       int not null check (bytes > 0),
  sha256      bytea not null,
  made_at     timestamptz not null default now(),
  unused_since timestamptz default now()       -- null while a post or a profile uses it
);
create index on file (unused_since) where unused_since is not null;   -- the job that removes what is unused
create index on file (owner_id, made_at);                             -- what one member uploaded, newest last

create table member (
  id                  bigint generated always as identity primary key,
  account             text not null,
  account_key         text not null unique,    -- folded, so that look-alikes count as the same name
  nickname            text,
  nickname_key        text unique,
  password_hash       text not null,
  hint_question       text,
  hint_answer_hash    text,
  avatar              text references file,
  language            text not null default 'zh' check (language in ('zh', 'en')),
  is_official         boolean not null default false,
  shows_activity      boolean not null default true,
  agreed_to_terms_at  timestamptz not null default now(),
  joined_at           timestamptz not null default now(),
  deactivated_at      timestamptz,
  topic_count         int not null default 0 check (topic_count >= 0),
  comment_count       int not null default 0 check (comment_count >= 0),
  reply_count         int not null default 0 check (reply_count >= 0)
);
create index on member (account_key text_pattern_ops);    -- suggestions while typing @
create index on member (nickname_key text_pattern_ops);
create index on member (avatar) where avatar is not null;   -- a file that goes must not be anybody's
alter table file add foreign key (owner_id) references member;

-- Staff sign in to the administration apart from members; each speaks in the forum as one official member.
create table staff (
  id             bigint generated always as identity primary key,
  account        text not null,
  account_key    text not null unique,
  password_hash  text not null,
  speaks_as      bigint not null references member,
  made_at        timestamptz not null default now()
);

create table role_holding (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member,
  role_id    bigint not null references role,
  during     tstzrange not null check (not isempty(during)),
  exclude using gist (member_id with =, role_id with =, during with &&)   -- one stretch at a time; also finds a member's roles
);

create table level (
  id            bigint generated always as identity primary key,
  name_zh       text not null,
  name_en       text not null,
  needs_points  bigint not null unique check (needs_points >= 0)
);

create table session (
  id            bigint generated always as identity primary key,
  member_id     bigint not null references member,
  ip            inet not null,
  user_agent    text not null,
  started_at    timestamptz not null default now(),
  last_used_at  timestamptz not null default now(),
  ended_at      timestamptz,
  ended_because text check (ended_because in ('logged out', 'ended by member', 'password changed', 'token reused', 'deactivated')),
  check ((ended_at is null) = (ended_because is null))
);
create index on session (member_id, started_at desc);   -- my sessions, newest first

create table access_token (
  hash        bytea primary key,
  session_id  bigint not null references session on delete cascade,
  expires_at  timestamptz not null
);
create index on access_token (session_id);              -- ending a session ends its tokens
create index on access_token (expires_at);              -- the job that clears what expired

create table refresh_token (
  hash        bytea primary key,
  session_id  bigint not null references session on delete cascade,
  expires_at  timestamptz not null,
  used_at     timestamptz
);
create index on refresh_token (session_id);
create index on refresh_token (expires_at);

create table login_log (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member,
  kind       text not null check (kind in ('login', 'renewal')),
  ip         inet not null,
  at         timestamptz not null default now()
);
create index on login_log (member_id, at desc, id desc);   -- my log, newest first

create table captcha (
  id          text primary key,
  answer_hash bytea not null,
  purpose     text not null,
  asker       text not null,
  expires_at  timestamptz not null
);
create index on captcha (expires_at);

-- Tries that failed, for the thresholds that ask for a captcha; kept for a day.
create table failed_login (
  id           bigint generated always as identity primary key,
  account_key  text not null,
  ip           inet not null,
  at           timestamptz not null default now()
);
create index on failed_login (account_key, at);
create index on failed_login (ip, at);
