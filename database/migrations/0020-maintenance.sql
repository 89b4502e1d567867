-- What staff do to keep the forum well: slow work and how far it is, how fast the forum answers, and what is searched for.

-- A backup, a rehearsal of a restore, the search entered anew. It belongs to this running forum, so no backup holds it.
create table maintenance_work (
  id        bigint generated always as identity primary key,
  kind      text not null check (kind in ('backup', 'rehearsal', 'search')),
  about     text,                                  -- the backup it is about
  asked_by  text,                                  -- the account of who asked; null: it came by itself
  asked_at  timestamptz not null default now(),
  begun_at  timestamptz,
  ended_at  timestamptz,
  state     text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  tries     int not null default 0,                -- how often it was begun: it may die half-way
  step      text,
  done      bigint not null default 0,
  total     bigint not null default 0,
  problem   text,
  detail    text,                                  -- the first line of what went wrong, without secrets
  found     jsonb
);
create unique index on maintenance_work (kind) where state in ('waiting', 'running');   -- one of a kind at a time
create index on maintenance_work (about, id desc) where kind = 'rehearsal';             -- the newest rehearsal of a backup

-- How many answers took about how long, so that half and nearly all of them can be told. Hours go after a while, days stay.
create table answer_time (
  span    text not null check (span in ('hour', 'day')),
  at      timestamptz not null,                    -- when it began, in UTC
  bucket  smallint not null,
  count   bigint not null check (count > 0),
  primary key (span, at, bucket)
);

-- By how many people something was searched for on a day.
create table day_search (
  day     date not null,
  words   text not null,
  people  bigint not null check (people > 0),
  primary key (day, words)
);
create index on day_search (day) where people >= 3;   -- the only ones that anybody is shown

-- Who searched today, as a hash, only to count each once; gone when the day is.
create table day_searcher (
  day    date not null,
  words  text not null,
  who    bytea not null,
  primary key (day, words, who)
);

create index on login_log (at);      -- clearing what is old
create index on failed_login (at);   -- the same
