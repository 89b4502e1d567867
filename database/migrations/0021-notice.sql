-- Notices: what staff tell everybody, and what the forum tells one member of what became of theirs.

create table notice (
  id          bigint generated always as identity primary key,
  member_id   bigint references member on delete cascade,       -- null: to everybody who was a member when it was sent
  kind        text not null,                                    -- the program words it when it is read
  facts       jsonb not null default '{}',
  topic_id    bigint references topic on delete cascade,        -- the topic that the facts are about, or are of a post under
  text_zh     text not null default '',                         -- what staff wrote to everybody, as Markdown; one language may be left out
  text_en     text not null default '',
  sends_at    timestamptz default now(),                        -- nothing has to be done then: it is seen from that moment on; null: not sent yet
  written_by  bigint references staff,
  version     int not null default 1,                           -- one more with each edit of staff
  removed_at  timestamptz,                                      -- staff took it from everybody
  read_at     timestamptz,                                      -- by the one member it is to
  deleted_at  timestamptz,
  check ((member_id is null) = (kind = 'announcement')),
  check ((member_id is null) = (written_by is not null)),
  check (member_id is null or sends_at is not null),
  check (member_id is not null or (text_zh || text_en) <> ''),
  check (member_id is not null or (read_at is null and deleted_at is null))
);
create index on notice (member_id, sends_at desc, id desc) where member_id is not null and deleted_at is null;   -- mine, newest first
create index on notice (member_id) where read_at is null and deleted_at is null;                                -- how many I have not read
create index on notice (sends_at desc, id desc) where member_id is null and removed_at is null;                 -- to everybody, newest first
create index on notice (id) where member_id is null;                                                            -- the list of staff
create index on notice (topic_id) where topic_id is not null;                                                   -- words that go for good

-- What became of a notice to everybody with one member. Made when they read or delete it, so that sending costs no write for each member.
create table notice_copy (
  member_id   bigint not null references member on delete cascade,
  notice_id   bigint not null references notice on delete cascade,
  read_at     timestamptz not null default now(),
  deleted_at  timestamptz,
  primary key (member_id, notice_id)
);
