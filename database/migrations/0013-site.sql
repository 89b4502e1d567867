-- Pages and figures of the site, and its upkeep.

create table help_category (
  id         bigint generated always as identity primary key,
  parent_id  bigint references help_category,
  name_zh    text not null check (char_length(name_zh) between 1 and 16 * 60),
  name_en    text not null check (char_length(name_en) between 1 and 16 * 60),
  sort       int not null default 0,
  version    int not null default 1
);
create index on help_category (parent_id, sort);

create table help_page (
  id           bigint generated always as identity primary key,
  category_id  bigint not null references help_category,
  title_zh     text not null check (char_length(title_zh) between 1 and 16 * 120),
  title_en     text not null check (char_length(title_en) between 1 and 16 * 120),
  body_zh      text not null,  -- Markdown
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
  asks_again    boolean not null,  -- members are asked to agree to it
  published_by  bigint references staff,
  published_at  timestamptz not null default now()
);

create table terms_agreement (
  member_id  bigint not null references member,
  terms_id   bigint not null references terms,
  agreed_at  timestamptz not null default now(),
  primary key (member_id, terms_id)
);
create index on terms_agreement (terms_id);   -- how many agreed

create table friend_link (
  id        bigint generated always as identity primary key,
  name      text not null,
  url       text not null,
  sort      int not null default 0,
  added_at  timestamptz not null default now(),
  -- What staff edit counts its edits, so that two who edit it at once do not overwrite each other.
  version   int not null default 1
);
create index on friend_link (sort, id);

-- Until when search engines were told of new topics.
create table told_engines (
  until   timestamptz not null,
  engine  text,
  primary key (engine),
  check (engine in ('indexNow', 'baidu'))
);

create table page_view (
  id          bigint generated always as identity primary key,
  url         text not null,
  referrer    text,
  ip          inet,
  user_agent  text not null,
  at          timestamptz not null default now(),
  -- From where and with what kind of device pages were looked at. The region is a province or a country, which is nobody's address; it goes with its row.
  region      text collate "C",  -- ISO 3166: US, CN-GD
  device      text check (device in ('phone', 'tablet', 'computer', 'robot'))
);
create index on page_view (at);   -- clearing what is old
create index on page_view (region, id);   -- what was looked at from a region, newest first
create index on page_view (device, id);   -- and with a kind of device

-- Days in numbers. A job adds what came since its last look, so that looking at a year costs no more than a year has days.
create table day_count (
  day      date not null,  -- in UTC
  measure  text not null check (measure in ('members', 'topics', 'comments', 'replies', 'views', 'visitors', 'active')),
  count    bigint not null default 0 check (count >= 0),
  primary key (day, measure)
);

-- Which pages were looked at, the most looked at of each day.
create table day_address (
  day      date not null,
  address  text not null,
  views    bigint not null default 0 check (views >= 0),
  primary key (day, address)
);

create table day_client (
  day    date not null,
  kind   text not null check (kind in ('browser', 'system')),
  name   text not null,  -- one of the few that the program knows; '' for all others
  views  bigint not null default 0 check (views >= 0),
  primary key (day, kind, name)
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

-- Up to which row each source has been counted.
create table counted_until (
  source  text primary key,
  id      bigint not null
);

-- How many answers took about how long, so that half and nearly all of them can be told. Hours go after a while, days stay.
create table answer_time (
  span    text not null check (span in ('hour', 'day')),
  at      timestamptz not null,  -- when it began, in UTC
  bucket  smallint not null,
  count   bigint not null check (count > 0),
  primary key (span, at, bucket)
);

-- What staff do to keep the forum well: slow work and how far it is, how fast the forum answers, and what is searched for.
-- A backup, a rehearsal of a restore, the search entered anew. It belongs to this running forum, so no backup holds it.
create table maintenance_work (
  id        bigint generated always as identity primary key,
  kind      text not null check (kind in ('backup', 'rehearsal', 'search')),
  about     text,  -- the backup it is about
  asked_by  text,  -- the account of who asked; null: it came by itself
  asked_at  timestamptz not null default now(),
  begun_at  timestamptz,
  ended_at  timestamptz,
  state     text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  tries     int not null default 0,  -- how often it was begun: it may die half-way
  step      text,
  done      bigint not null default 0,
  total     bigint not null default 0,
  problem   text,
  detail    text,  -- the first line of what went wrong, without secrets
  found     jsonb
);
create unique index on maintenance_work (kind) where state in ('waiting', 'running');   -- one of a kind at a time
create index on maintenance_work (about, id desc) where kind = 'rehearsal';   -- the newest rehearsal of a backup

create table data_download (
  id          bigint generated always as identity primary key,
  member_id   bigint not null references member on delete cascade,
  language    text not null check (language in ('zh', 'en')),
  asked_at    timestamptz not null default now(),
  begun_at    timestamptz,  -- by whoever makes it; after some hours they are gone
  tries       int not null default 0,
  state       text not null default 'waiting' check (state in ('waiting', 'ready', 'failed')),
  expires_at  timestamptz,
  check ((state = 'ready') = (expires_at is not null))
);
create index on data_download (member_id, asked_at desc);   -- one's own, latest first
create unique index on data_download (member_id) where state = 'waiting';   -- one at a time; and what the job looks for
create index on data_download (expires_at) where state = 'ready';   -- what ran out goes

-- Its archives: the first holds what was written down, and as many files as fit.
create table data_download_file (
  download_id  bigint not null references data_download on delete cascade,
  number       int not null check (number > 0),
  file_id      text not null unique references file on delete cascade,
  primary key (download_id, number)
);
