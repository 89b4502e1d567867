-- Shared by every feature: types, functions that indexes rest on, secrets, settings, idempotency keys, rate limits, invalidated cache tags.

create extension if not exists btree_gist;   -- for the exclusion constraint of role_holding

-- A function is executable only where a grant stands beside it.
alter default privileges revoke execute on functions from public;

create domain post_kind as text check (value in ('topic', 'comment', 'reply'));
create domain thread_kind as text check (value in ('topic', 'question'));

-- The single characters of a text and its pairs of neighbours: an index of them finds any part of a name, also one Chinese character.
create function parts_of(said text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct part), '{}')
  from generate_series(1, length(said)) as place
  cross join lateral (values (substr(said, place, 1)), (substr(said, place, 2))) as parts(part)
$$;

-- The members that a document mentions, or the Markdown of a draft. Posts are stored with the names of these members, so that lists and the search need no
-- look-up; after a rename an index on this function finds the posts to write again.
create function members_named(its jsonb) returns bigint[] language sql immutable strict parallel safe as $$
  select case when its::text like '%"mention"%' or its::text like '%(member:%' then array(
    select distinct coalesce(found[1], found[2])::bigint
    from regexp_matches(its::text, '"type": "mention", "attrs": \{"id": "(\d{1,18})"|\(member:(\d{1,18})\)', 'g') as found) else '{}' end
$$;

-- The language of a thread, by the share of Han characters in its title and summary, without addresses. Null for a text with neither Chinese nor English
-- words, or with much in another script.
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
  -- A password or a key. The value beside it only says that it is set.
  sealed      bytea
);

-- From when on the limits of a day go by a time zone. A change of the setting never ends a day early, so the setting alone does not say it.
create table site_zone (
  begins_at  timestamptz primary key,
  zone       text not null,
  last_day   date  -- goes on until the next one begins; null: none is to follow
);

-- Responses to requests that carry an idempotency key: a repeated request gets the stored response.
create table idempotency_key (
  asker         text not null,
  key           text not null,
  route         text not null,
  body_hash     bytea not null,
  answer        text,
  made_at       timestamptz not null default now(),
  -- A key is claimed before its effect leaves the database. The claim of a process that died may be taken over once its lease has run out.
  state         text not null default 'done' check (state in ('begun', 'done', 'refused')),
  claim         uuid,  -- the attempt that may end the claim
  leased_until  timestamptz,
  refusal       jsonb,  -- data of the refusal, worded in the language of the repeated request
  primary key (asker, key),
  check (num_nonnulls(claim, leased_until) = case state when 'begun' then 2 else 0 end),
  check ((refusal is not null) = (state = 'refused'))
);
create index on idempotency_key (made_at);   -- the job that deletes keys after three days

-- Attempts, for limits on how often something is tried: by subject, such as an account, and by network.
create table attempt (
  id   bigint generated always as identity primary key,
  key  text not null check (char_length(key) between 1 and 200),
  at   timestamptz not null default clock_timestamp()
);
create index on attempt (key, at);   -- recent attempts of one key
create index on attempt (at);   -- the job that deletes old rows

-- Request counters of the rate limits, shared by all servers. Unlogged: a crash may lose them.
create unlogged table rate_limit (
  key     varchar(255) primary key,
  points  int not null,
  expire  bigint not null  -- milliseconds since 1970
) with (fillfactor = 50);

-- Cache tags that writes invalidated, for the other processes: kept some minutes. Unlogged: a crash breaks every connection, and a process that connects
-- again empties its caches.
create unlogged table invalidation (
  xid   xid8 not null default pg_current_xact_id(),  -- assigned before the commit, so not in the order of commits
  by    uuid not null,  -- the process that wrote, and emptied its own cache already
  tags  text[] not null,
  at    timestamptz not null default now()
);
create index on invalidation (xid);   -- commits since the last look of a process
