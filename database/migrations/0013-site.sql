-- The site: navigation, help pages, terms, links, statistics, maintenance, and downloads of personal data.

-- The navigation.
create table section (
  id         bigint generated always as identity primary key,
  parent_id  bigint references section,
  name_zh    text not null check (char_length(name_zh) between 1 and 16 * 40),
  name_en    text not null check (char_length(name_en) between 1 and 16 * 40),
  url        text not null default '',  -- empty: a heading for its children
  audience   text not null default 'everybody' check (audience in ('everybody', 'visitors', 'members')),
  sort       int not null default 0,
  version    int not null default 1,
  check (parent_id is null or url <> '')
);
create index on section (parent_id, sort, id);   -- children of a section, in order

-- HTML around every page, by place.
create table slot (
  place    text primary key,
  zh       text not null default '',  -- as written by staff; cleaned on saving and again on showing
  en       text not null default '',
  is_on    boolean not null default false,
  version  int not null default 1
);

create table help_category (
  id         bigint generated always as identity primary key,
  parent_id  bigint references help_category,
  name_zh    text not null check (char_length(name_zh) between 1 and 16 * 60),
  name_en    text not null check (char_length(name_en) between 1 and 16 * 60),
  sort       int not null default 0,
  version    int not null default 1
);
create index on help_category (parent_id, sort);   -- children of a category, in order

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
create index on help_page (category_id, sort);   -- pages of a category, in order

-- Terms of service as published, each version for good. Without a row the settings hold the terms.
create table terms (
  id            bigint generated always as identity primary key,
  body_zh       text not null,
  body_en       text not null,
  asks_again    boolean not null,  -- members must agree again
  published_by  bigint references staff,
  published_at  timestamptz not null default now()
);

create table terms_agreement (
  member_id  bigint not null references member,
  terms_id   bigint not null references terms,
  agreed_at  timestamptz not null default now(),
  primary key (member_id, terms_id)
);
create index on terms_agreement (terms_id);   -- number of agreements

create table friend_link (
  id        bigint generated always as identity primary key,
  name      text not null,
  url       text not null,
  sort      int not null default 0,
  added_at  timestamptz not null default now(),
  version   int not null default 1  -- counts edits, so that concurrent ones are noticed
);
create index on friend_link (sort, id);   -- the list, in order

-- The publication time of the last topic that each search engine was told of.
create table index_now_state (
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
  region      text collate "C",  -- ISO 3166, country or province: US, CN-GD
  device      text check (device in ('phone', 'tablet', 'computer', 'robot'))
);
create index on page_view (at);   -- the job that deletes old rows
create index on page_view (region, id);   -- views from a region, newest first
create index on page_view (device, id);   -- views by a kind of device, newest first

-- Daily figures. A job adds the rows since its last run, so that a chart of a year reads only as many rows as there are days.
create table day_count (
  day      date not null,  -- in UTC
  measure  text not null check (measure in ('members', 'topics', 'comments', 'replies', 'views', 'visitors', 'active')),
  count    bigint not null default 0 check (count >= 0),
  primary key (day, measure)
);

-- Views by address: the most viewed of each day.
create table day_address (
  day      date not null,
  address  text not null,
  views    bigint not null default 0 check (views >= 0),
  primary key (day, address)
);

-- Views by browser and operating system.
create table day_client (
  day    date not null,
  kind   text not null check (kind in ('browser', 'system')),
  name   text not null,  -- a name that the program knows; '' for all others
  views  bigint not null default 0 check (views >= 0),
  primary key (day, kind, name)
);

-- Searches of a day, by the number of people.
create table day_search (
  day     date not null,
  words   text not null,
  people  bigint not null check (people > 0),
  primary key (day, words)
);
create index on day_search (day) where people >= 3;   -- the only searches that are shown

-- Hashes of the people who searched today, so that each counts once; deleted at the end of the day.
create table day_searcher (
  day    date not null,
  words  text not null,
  who    bytea not null,
  primary key (day, words, who)
);

-- Last counted row of each source.
create table statistics_progress (
  source  text primary key,
  id      bigint not null
);

-- Response times as a histogram, for the median and high percentiles. Hours are deleted after a while, days stay.
create table answer_time (
  span    text not null check (span in ('hour', 'day')),
  at      timestamptz not null,  -- start, in UTC
  bucket  smallint not null,
  count   bigint not null check (count > 0),
  primary key (span, at, bucket)
);

-- Backups, rehearsals of a restore, rebuilds of the search. They belong to the running forum, so no backup contains them.
create table maintenance_task (
  id        bigint generated always as identity primary key,
  kind      text not null check (kind in ('backup', 'rehearsal', 'search')),
  about     text,  -- name of the backup
  asked_by  text,  -- staff account; null: scheduled
  asked_at  timestamptz not null default now(),
  begun_at  timestamptz,
  ended_at  timestamptz,
  state     text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  tries     int not null default 0,  -- number of starts, since a run may die
  step      text,
  done      bigint not null default 0,
  total     bigint not null default 0,
  problem   text,
  detail    text,  -- first line of the error, without secrets
  found     jsonb
);
create unique index on maintenance_task (kind) where state in ('waiting', 'running');   -- one of a kind at a time
create index on maintenance_task (about, id desc) where kind = 'rehearsal';   -- latest rehearsal of a backup

create table data_download (
  id          bigint generated always as identity primary key,
  member_id   bigint not null references member on delete cascade,
  language    text not null check (language in ('zh', 'en')),
  asked_at    timestamptz not null default now(),
  begun_at    timestamptz,  -- claim of the process that makes it, for some hours
  tries       int not null default 0,
  state       text not null default 'waiting' check (state in ('waiting', 'ready', 'failed')),
  expires_at  timestamptz,
  check ((state = 'ready') = (expires_at is not null))
);
create index on data_download (member_id, asked_at desc);   -- downloads of a member, latest first
create unique index on data_download (member_id) where state = 'waiting';   -- one waiting for each member; also the queue
create index on data_download (expires_at) where state = 'ready';   -- the job that deletes expired downloads

-- Archives of a download: the first has the data, and each as many files as fit.
create table data_download_file (
  download_id  bigint not null references data_download on delete cascade,
  number       int not null check (number > 0),
  file_id      text not null unique references file on delete cascade,
  primary key (download_id, number)
);
