-- Staff at work: sessions, a second factor, roles of their own, and a log of every deed that nobody can change.

alter table staff
  add column disabled_at    timestamptz,
  add column last_seen_at   timestamptz,
  add column totp_secret    bytea,             -- sealed; null while there is no second factor
  add column totp_confirmed boolean not null default false,
  add column totp_step      bigint not null default 0;   -- the newest step that was used: no code opens twice

create table staff_session (
  id            bigint generated always as identity primary key,
  staff_id      bigint not null references staff,
  hash          bytea not null unique,         -- of the cookie
  ip            text not null,
  user_agent    text not null,
  began_at      timestamptz not null default now(),
  last_used_at  timestamptz not null default now(),
  proved_at     timestamptz not null default now(),      -- when they last showed their password
  ended_at      timestamptz,
  ended_because text
);
create index on staff_session (staff_id, began_at desc);   -- one's own, newest first

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
  is_administrator  boolean not null default false,      -- has every right, now and later
  made_at           timestamptz not null default now()
);
create unique index on staff_role (is_administrator) where is_administrator;   -- there is one

create table staff_role_right (
  role_id     bigint not null references staff_role on delete cascade,
  right_name  text not null,
  primary key (role_id, right_name)
);

create table staff_holding (
  staff_id  bigint not null references staff,
  role_id   bigint not null references staff_role,
  primary key (staff_id, role_id)
);
create index on staff_holding (role_id);   -- who holds a role

insert into staff_role (name_zh, name_en, is_administrator) values ('管理员', 'Administrator', true);
with moderator as (
  insert into staff_role (name_zh, name_en) values ('版主', 'Moderator') returning id
)
insert into staff_role_right
select id, right_name from moderator, unnest(array['content.view', 'content.edit', 'content.remove', 'member.view']) as right_name;
insert into staff_holding select staff.id, staff_role.id from staff, staff_role where is_administrator;

-- Each row holds the hash of the row before it, so that a row taken out or changed shows.
create table staff_deed (
  id         bigint primary key,               -- without gaps: the head counts
  at         timestamptz not null,
  staff_id   bigint references staff,          -- null: the operator's tool
  account    text not null,                    -- as it was then
  ip         text not null,
  deed       text not null,
  about      text,                             -- kind and id, such as: topic 42
  reason     text,
  before     jsonb,
  after      jsonb,
  hash       bytea not null
);
create index on staff_deed (staff_id, id desc);  -- what one of them did
create index on staff_deed (about, id desc);     -- what was done to one thing

create table staff_deed_head (
  is_one  boolean primary key default true check (is_one),
  id    bigint not null,
  hash  bytea not null
);
insert into staff_deed_head (id, hash) values (0, '\x');

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'What staff did cannot be changed' using errcode = '42501';
end $$;
create trigger staff_deed_stays before update or delete on staff_deed for each statement execute function refuse_change();
