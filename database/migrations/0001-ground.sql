-- What every feature stands on: case-blind names, secrets, settings, once-only requests.

create extension if not exists btree_gist;   -- one member holds one role at most once at a time

create table secret (
  name        text primary key,
  value       bytea not null,
  made_at     timestamptz not null default now()
);

create table setting (
  name        text primary key,
  value       jsonb not null,
  changed_at  timestamptz not null default now(),
  changed_by  text not null
);

-- The answer to a request that was already done, given again when the same request comes twice.
create table idempotency_key (
  asker       text not null,
  key         text not null,
  route       text not null,
  body_hash   bytea not null,
  answer      text,
  made_at     timestamptz not null default now(),
  primary key (asker, key)
);
create index on idempotency_key (made_at);   -- the job that forgets keys after three days
