-- What every feature stands on: secrets, settings, requests that are done once, limits.

create extension if not exists btree_gist;   -- one member holds one role at most once at a time

-- Nothing may be executed but what is granted beside it.
alter default privileges revoke execute on functions from public;

create domain post_kind as text check (value in ('topic', 'comment', 'reply'));
create domain thread_kind as text check (value in ('topic', 'question'));

-- Every letter of a text, and every two that stand side by side: whoever types a part of it, also of one Chinese character, finds it.
create function parts_of(said text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct part), '{}')
  from generate_series(1, length(said)) as place
  cross join lateral (values (substr(said, place, 1)), (substr(said, place, 2))) as parts(part)
$$;

-- A post shows the people it mentions by the names they go by. What is kept of it holds those names too, so that lists, the search and all
-- that is sent need not look them up; a job writes them anew when a member is renamed or erased.
-- Whom a document mentions, or the Markdown of a draft.
create function members_named(its jsonb) returns bigint[] language sql immutable strict parallel safe as $$
  select case when its::text like '%"mention"%' or its::text like '%(member:%' then array(
    select distinct coalesce(found[1], found[2])::bigint
    from regexp_matches(its::text, '"type": "mention", "attrs": \{"id": "(\d{1,18})"|\(member:(\d{1,18})\)', 'g') as found) else '{}' end
$$;

-- In which language a topic or a question is written, by the share of Han characters in its title and how its text begins. Addresses say
-- nothing of it. Null where neither is there, or where much of it is in another script.
create function language_of(title text, summary text) returns text language sql immutable strict parallel safe as $$
  select case
    when other * 4 > han + latin then null
    when han > 0 and han * 2 >= latin then 'zh'
    when latin > 0 then 'en'
  end
  from (select regexp_replace(title || ' ' || summary, 'https?://\S+', ' ', 'gi') as words) as text, lateral (select
    regexp_count(words, '[㐀-鿿]') as han,
    regexp_count(words, '[A-Za-z]{2,}') as latin,
    regexp_count(words, '[À-ÖØ-öø-ɏͰ-ᳯぁ-ヿ가-힣]') as other) as counted
$$;
grant execute on function parts_of, members_named, language_of to teahouse_app, teahouse_reader;

create table secret (
  name     text primary key,
  value    bytea not null,
  made_at  timestamptz not null default now()
);

create table setting (
  name        text primary key,
  value       jsonb not null,
  changed_at  timestamptz not null default now(),
  changed_by  text not null,
  -- Passwords and keys among the settings, apart from all other values. The value of such a setting only says that it is set.
  sealed      bytea
);

-- The answer to a request that was already done, given again when the same request comes twice.
create table idempotency_key (
  asker         text not null,
  key           text not null,
  route         text not null,
  body_hash     bytea not null,
  answer        text,
  made_at       timestamptz not null default now(),
  -- A key is claimed before its deed leaves the database. Who dies leaves a claim that may be taken over when its lease has run out.
  state         text not null default 'done' check (state in ('begun', 'done', 'refused')),
  claim         uuid,  -- which of those who took it up may end it
  leased_until  timestamptz,
  refusal       jsonb,  -- what it was refused with, to be said in the language of who asks again
  primary key (asker, key),
  check (num_nonnulls(claim, leased_until) = case state when 'begun' then 2 else 0 end),
  check ((refusal is not null) = (state = 'refused'))
);
create index on idempotency_key (made_at);   -- the job that forgets keys after three days

-- What was tried, for the limits on it: by what was tried, such as an account, and by the network it came from.
create table attempt (
  id   bigint generated always as identity primary key,
  key  text not null check (char_length(key) between 1 and 200),
  at   timestamptz not null default clock_timestamp()
);
create index on attempt (key, at);   -- how often lately
create index on attempt (at);   -- what is old goes

-- How often each of those who are limited came, for all servers. What a crash takes of it is missed by nobody.
create unlogged table rate_limit (
  key     varchar(255) primary key,
  points  int not null,
  expire  bigint not null  -- in milliseconds since 1970
) with (fillfactor = 50);

-- What each write touched, for the caches of the other processes: kept for some minutes. Not logged: after a crash every line is
-- broken, and whoever connects anew drops all that it keeps.
create unlogged table touched (
  xid   xid8 not null default pg_current_xact_id(),  -- numbers are given before they are committed, and so not in the order of that
  by    uuid not null,  -- the process, which knows already
  tags  text[] not null,
  at    timestamptz not null default now()
);
create index on touched (xid);   -- what was committed since a process looked
