-- Finding what was written: what changed, what to find it by, and how common each word is.

-- Every post that changed since it was last entered. Triggers write it down in the transaction of the change, whoever makes it,
-- so nothing is missed and nothing comes too early. Restoring a backup may bring numbers that are here already.
create table search_change (
  number     bigint generated always as identity,
  kind       text not null check (kind in ('topic', 'comment', 'reply')),
  source_id  bigint not null,
  is_new     boolean not null default false,   -- it was never entered, so it cannot be found wrongly
  spreads    boolean not null default false    -- all that is under it is concerned too
);
create index on search_change (number);                    -- oldest first
create index on search_change (kind) where not is_new;     -- what must not be found until it is entered again

create table search_entry (
  key           text primary key,
  kind          text not null check (kind in ('topic', 'comment', 'reply')),
  topic_id      bigint not null,
  tag_id        bigint not null,
  published_at  timestamptz not null,
  written_at    timestamptz not null default now(),
  core          tsvector not null,   -- the title and what comes again and again: small, so that it lies beside the row
  words         tsvector not null    -- all of it, with marks for author, tag, kind and week
);
-- The words. A short list of what is not sorted in yet keeps both entering and finding quick.
create index search_entry_words on search_entry using gin (words) with (fastupdate = on, gin_pending_list_limit = 256);
create index on search_entry (topic_id);   -- a topic that goes takes all under it along

-- What part of all entries holds a token; those that are rare are not here.
create table search_share (
  token  text collate "C" primary key,   -- in the order of bytes, so that beginnings are found
  share  real not null check (share > 0 and share <= 1)
);

-- How many entries are of each week, to look only as far back as common words need.
create table search_week (
  week     int primary key,
  entries  int not null
);

create table search_state (
  only_one  boolean primary key default true check (only_one),
  rules     int not null,             -- by which rules the tokens were made; with newer ones all is entered anew
  counted   int not null default 0    -- how many entries there were when their tokens were counted
);
insert into search_state (rules) values (1);

-- Words as they are spelled, and all that is left of each without one letter.
create table search_word (
  word   text primary key,
  slips  text[] not null
);
create index on search_word using gin (slips);   -- words that are a slip apart have one of these in common

create function search_notes_new() returns trigger language plpgsql as $$
begin
  insert into search_change (kind, source_id, is_new) select tg_argv[0], id, true from added;
  return null;
end $$;

create function search_notes_change() returns trigger language plpgsql as $$
begin
  insert into search_change (kind, source_id) values (tg_argv[0], coalesce(new.id, old.id));
  return null;
end $$;

create function search_notes_topic() returns trigger language plpgsql as $$
begin
  insert into search_change (kind, source_id, spreads)
  values ('topic', coalesce(new.id, old.id), tg_op = 'DELETE' or old.status <> new.status or old.tag_id <> new.tag_id);
  return null;
end $$;

create trigger search_new after insert on topic referencing new table as added for each statement execute function search_notes_new('topic');
create trigger search_new after insert on comment referencing new table as added for each statement execute function search_notes_new('comment');
create trigger search_new after insert on reply referencing new table as added for each statement execute function search_notes_new('reply');

create trigger search_changed after update of tag_id, author_id, title, body, status, published_at on topic for each row
  when ((old.tag_id, old.author_id, old.title, old.body, old.status, old.published_at)
    is distinct from (new.tag_id, new.author_id, new.title, new.body, new.status, new.published_at))
  execute function search_notes_topic();
create trigger search_changed after update of author_id, body, status, published_at on comment for each row
  when ((old.author_id, old.body, old.status, old.published_at) is distinct from (new.author_id, new.body, new.status, new.published_at))
  execute function search_notes_change('comment');
create trigger search_changed after update of author_id, body, status, published_at on reply for each row
  when ((old.author_id, old.body, old.status, old.published_at) is distinct from (new.author_id, new.body, new.status, new.published_at))
  execute function search_notes_change('reply');

create trigger search_gone after delete on topic for each row execute function search_notes_topic();
create trigger search_gone after delete on comment for each row execute function search_notes_change('comment');
create trigger search_gone after delete on reply for each row execute function search_notes_change('reply');

insert into search_change (kind, source_id, is_new)
select 'topic', id, true from topic
union all select 'comment', id, true from comment
union all select 'reply', id, true from reply;
