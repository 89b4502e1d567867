-- What was changed of an account that keeps it safe, and the link by which its owner takes it back: once, and for seven days.

create table take_back (
  id          bigint generated always as identity primary key,
  member_id   bigint not null references member on delete cascade,
  what        text not null check (what in ('password', 'phone', 'email', 'hint')),
  former      bytea,                        -- the address that stood there before, sealed
  hash        bytea unique,                 -- of the link, where one was sent
  at          timestamptz not null default now(),
  expires_at  timestamptz not null default now() + interval '7 days'
);
create index on take_back (member_id, id);   -- what was changed of one account since one of them
create index on take_back (expires_at);      -- what ran out goes
