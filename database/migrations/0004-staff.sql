-- Who runs the forum, what they did, and what they do to many things at once.

-- Staff sign in to the administration apart from members; each speaks in the forum as one official member.
create table staff (
  id              bigint generated always as identity primary key,
  account         text not null,
  account_key     text not null unique,
  password_hash   text not null,
  speaks_as       bigint not null references member,
  made_at         timestamptz not null default now(),
  -- Staff at work: sessions, a second factor, roles of their own, and a log of every deed that nobody can change.
  disabled_at     timestamptz,
  last_seen_at    timestamptz,
  totp_secret     bytea,  -- sealed; null while there is no second factor
  totp_confirmed  boolean not null default false,
  totp_step       bigint not null default 0,  -- the newest step that was used: no code opens twice
  owes_password   boolean not null default false  -- somebody else handed theirs out: they choose their own first
);
alter table joining add foreign key (decided_by) references staff;
alter table member_ban add foreign key (given_by) references staff;
alter table member_ban add foreign key (lifted_by) references staff;
alter table member_note add foreign key (staff_id) references staff;
alter table member_cleaning add foreign key (staff_id) references staff;
alter table member_merging add foreign key (staff_id) references staff;
alter table invitation add foreign key (staff_id) references staff;

create table staff_session (
  id             bigint generated always as identity primary key,
  staff_id       bigint not null references staff,
  hash           bytea not null unique,  -- of the cookie
  ip             text not null,
  user_agent     text not null,
  began_at       timestamptz not null default now(),
  last_used_at   timestamptz not null default now(),
  proved_at      timestamptz not null default now(),  -- when they last showed their password
  ended_at       timestamptz,
  ended_because  text
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
  is_administrator  boolean not null default false,  -- has every right, now and later
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

-- Each row holds the hash of the row before it, so that a row taken out or changed shows.
create table staff_deed (
  id        bigint primary key,  -- without gaps: the head counts
  at        timestamptz not null,
  staff_id  bigint references staff,  -- null: the operator's tool
  account   text not null,  -- as it was then
  ip        text not null,
  deed      text not null,
  about     text,  -- kind and id, such as: topic 42
  reason    text,
  before    jsonb,
  after     jsonb,
  hash      bytea not null
);
create index on staff_deed (staff_id, id desc);   -- what one of them did
create index on staff_deed (about, id desc);   -- what was done to one thing

create table staff_deed_head (
  is_one  boolean primary key default true check (is_one),
  id      bigint not null,
  hash    bytea not null
);

-- One deed done to many things at once, with what is needed to undo it.
create table staff_batch (
  id           bigint generated always as identity primary key,
  staff_id     bigint not null references staff,
  kind         text not null check (kind in ('topic', 'comment', 'reply', 'member', 'review')),
  deed         text not null,
  reason       text,
  made_at      timestamptz not null default now(),
  undone_at    timestamptz,
  undone_by    bigint references staff,
  -- What staff do to very many things at once is done bit by bit: the batch says how far it is.
  state        text not null default 'done' check (state in ('doing', 'done', 'stopped', 'undoing', 'undone')),
  why_stopped  text check (why_stopped in ('right', 'failure')),
  ended_at     timestamptz,  -- when it was last done, undone or stopped
  reached      bigint not null default 0,  -- they are taken by their ids; this one and all below it were, in this state
  filter       jsonb,  -- what the list was narrowed to where all that matched were taken
  tag_id       bigint,  -- where topics are moved
  undo_reason  text,
  ip           text not null default '',  -- where it was asked for, for the log
  total        int not null default 0,
  done         int not null default 0,  -- what was moved together is one item, which counts all that went
  faults       int not null default 0,
  undone       int not null default 0,
  left_alone   int not null default 0,  -- what undoing it left as it was
  wish         jsonb not null default '{}',  -- what the deed was told beside its reason: where topics go, which role, how long a ban lasts
  check ((undone_at is null) = (undone_by is null))
);
create index on staff_batch (made_at desc, id desc);   -- newest first
create index on staff_batch (id) where state in ('doing', 'undoing');   -- what the job goes on with

create table staff_batch_item (
  batch_id  bigint not null references staff_batch on delete cascade,
  item_id   bigint not null,  -- a topic, a comment or a reply, as the batch says
  fault     text,  -- why nothing was done to it
  before    jsonb,  -- what was changed, as it was; null where nothing was
  after     jsonb,
  undone    text check (undone in ('undone', 'left', 'refused')),
  why_left  text,  -- why undoing left it alone
  primary key (batch_id, item_id)
);
