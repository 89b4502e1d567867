-- What is found.

-- Finding what was written: what changed, what to find it by, and how common each word is.
-- Every post that changed since it was last entered. Triggers write it down in the transaction of the change, whoever makes it,
-- so nothing is missed and nothing comes too early. Restoring a backup may bring numbers that are here already.
create table search_change (
  number     bigint generated always as identity,
  kind       post_kind not null,
  source_id  bigint not null,
  is_new     boolean not null default false,  -- it was never entered, so it cannot be found wrongly
  spreads    boolean not null default false  -- all that is under it is concerned too
);
create index on search_change (number);   -- oldest first
create index on search_change (kind) where not is_new;   -- what must not be found until it is entered again
create index on search_change (kind, number);   -- what was written last and is not entered yet

create table search_entry (
  key           text primary key,
  kind          post_kind not null,
  topic_id      bigint not null,
  tag_id        bigint not null,
  published_at  timestamptz not null,
  written_at    timestamptz not null default now(),
  core          tsvector not null,  -- the title and what comes again and again: small, so that it lies beside the row
  words         tsvector not null  -- all of it, with marks for author, tag, kind and week
);
-- The words. A short list of what is not sorted in yet keeps both entering and finding quick.
create index search_entry_words on search_entry using gin (words) with (fastupdate = on, gin_pending_list_limit = 256);
create index on search_entry (topic_id);   -- a topic that goes takes all under it along

-- What part of all entries holds a token; those that are rare are not here.
create table search_share (
  token  text collate "C" primary key,  -- in the order of bytes, so that beginnings are found
  share  real not null check (share > 0 and share <= 1)
);

-- How many entries are of each week, to look only as far back as common words need.
create table search_week (
  week     int primary key,
  entries  int not null
);

create table search_state (
  only_one  boolean primary key default true check (only_one),
  made_by   text not null,  -- by which rules the tokens were made; with newer ones all is entered anew
  counted   int not null default 0  -- how many entries there were when their tokens were counted
);

-- Words as they are spelled, and all that is left of each without one letter.
create table search_word (
  word   text primary key,
  slips  text[] not null
);
create index on search_word using gin (slips) with (fastupdate = off);
create index on search_word (word collate "C");   -- words that begin so

-- Staff look for words in all that was written, also in what waits or was removed. What members find has its own entries, wherever those are kept.
create table search_any (
  kind        post_kind not null,
  source_id   bigint not null,
  words       tsvector not null,  -- each as it is spelled, without where it stands
  written_at  timestamptz not null default now(),
  primary key (kind, source_id)
);
create index search_any_words on search_any using gin (words) with (fastupdate = on, gin_pending_list_limit = 256);   -- the words looked for
