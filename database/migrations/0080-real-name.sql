-- Whose account it is in truth, as somebody checked it: a name, the number of a document, a birthday.

create table real_name (
  member_id    bigint primary key references member on delete cascade,
  document     text not null check (document in ('chineseId', 'other')),
  name         bytea,                     -- sealed, like the two that follow
  number       bytea,
  birthday     bytea not null,
  person_hash  bytea,                     -- keyed, with a key outside of the database: by it one person is found again
  slot         int check (slot between 1 and 20),   -- of the accounts that one person may have
  checked_by   text not null,
  checked_at   timestamptz not null default now(),
  withdrawn_at timestamptz,               -- of a minor only the birthday stays, until they are grown
  unique (person_hash, slot),
  check ((withdrawn_at is null) = (name is not null)),
  check ((name is null) = (number is null)),
  check ((name is null) = (person_hash is null)),
  check ((person_hash is null) = (slot is null))
);
create index on real_name (withdrawn_at) where withdrawn_at is not null;   -- those whose birthday goes once they are grown
