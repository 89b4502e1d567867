-- Browsers that logged in to an account before: whoever tries its password from everywhere does not shut its owner out.

create table known_browser (
  member_id  bigint not null references member on delete cascade,
  hash       bytea not null,                -- of the token that the browser keeps
  at         timestamptz not null default now(),
  primary key (member_id, hash)
);
create index on known_browser (at);   -- those that were not used for a year go
