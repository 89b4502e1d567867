-- Staff look for words in all that was written, also in what waits or was removed. What members find has its own entries, wherever those are kept.
create table search_any (
  kind        text not null check (kind in ('topic', 'comment', 'reply')),
  source_id   bigint not null,
  words       tsvector not null,   -- each as it is spelled, without where it stands
  written_at  timestamptz not null default now(),
  primary key (kind, source_id)
);
create index search_any_words on search_any using gin (words) with (fastupdate = on, gin_pending_list_limit = 256);   -- the words looked for
create index on search_change (kind, number);   -- what was written last and is not entered yet
