-- Who has shown by a code that an address is theirs, and may make an account that is bound to it: once, in this browser, for a while.

create table register_ticket (
  hash        bytea primary key,
  kind        text not null check (kind in ('phone', 'email')),
  address     bytea not null,               -- sealed, in its one spelling
  asker       text not null,                -- the browser
  expires_at  timestamptz not null
);
create index on register_ticket (expires_at);   -- what ran out goes
