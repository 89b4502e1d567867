-- The search inside PostgreSQL, and the queue of changes for any search engine.

-- Posts to enter again. Triggers write the rows in the transaction of the change, so nothing is missed or entered too early. Numbers are not unique:
-- a restored backup may bring some that are here already.
create table search_change (
  number     bigint generated always as identity,
  kind       post_kind not null,
  source_id  bigint not null,
  is_new     boolean not null default false,  -- never entered, so no entry is outdated
  spreads    boolean not null default false  -- posts under it are affected, too
);
create index on search_change (number);   -- oldest first
create index on search_change (kind) where not is_new;   -- posts hidden from results until they are entered again
create index on search_change (kind, number);   -- latest changes that are not entered yet

create table search_entry (
  key           text primary key,
  kind          post_kind not null,
  topic_id      bigint not null,
  tag_id        bigint not null,
  published_at  timestamptz not null,
  written_at    timestamptz not null default now(),
  core          tsvector not null,  -- title and repeated words: small, so that the row holds it
  words         tsvector not null  -- all words, with marks for author, tag, kind and week
);
-- Words. A short pending list keeps both entering and searching quick.
create index search_entry_words on search_entry using gin (words) with (fastupdate = on, gin_pending_list_limit = 256);
create index on search_entry (topic_id);   -- entries of a topic

-- Share of the entries that contain a token; rare tokens have no row.
create table search_share (
  token  text collate "C" primary key,  -- in byte order, for searches by prefix
  share  real not null check (share > 0 and share <= 1)
);

-- Entries by week: a search for common words looks back only as far as it needs.
create table search_week (
  week     int primary key,
  entries  int not null
);

create table search_state (
  only_one  boolean primary key default true check (only_one),
  made_by   text not null,  -- version of the rules for tokens; a newer one enters everything again
  counted   int not null default 0  -- number of entries at the last count of tokens
);

-- Words as they are spelled, with all variants that lack one letter, to forgive typing errors.
create table search_word (
  word   text primary key,
  slips  text[] not null
);
create index on search_word using gin (slips) with (fastupdate = off);   -- words by their variants
create index on search_word (word collate "C");   -- words by prefix

-- The search of staff, over all posts, also pending and deleted ones. Members search the entries of the engine that the forum uses.
create table search_any (
  kind        post_kind not null,
  source_id   bigint not null,
  words       tsvector not null,  -- as spelled, without positions
  written_at  timestamptz not null default now(),
  primary key (kind, source_id)
);
create index search_any_words on search_any using gin (words) with (fastupdate = on, gin_pending_list_limit = 256);   -- words
