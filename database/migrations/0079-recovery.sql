-- Who has shown by a code that an account is theirs, and may set its password: once, in this browser, for a while.

create table recovery_ticket (
  hash        bytea primary key,
  member_id   bigint not null references member on delete cascade,
  asker       text not null,                -- the browser
  expires_at  timestamptz not null
);
create index on recovery_ticket (expires_at);   -- what ran out goes
create index on recovery_ticket (member_id);    -- all of one go with a new password
