-- What members show besides the password: codes of an app, and recovery codes for a lost phone.

create table second_factor (
  member_id     bigint primary key references member on delete cascade,
  secret        bytea not null,             -- sealed
  step          bigint not null default 0,  -- the half minute of the last code that was taken: none opens twice
  confirmed_at  timestamptz                 -- until a first code was given, it counts for nothing
);

create table recovery_code (
  member_id  bigint not null references member on delete cascade,
  hash       bytea not null,
  made_at    timestamptz not null default now(),
  used_at    timestamptz,
  primary key (member_id, hash)
);

-- Who has shown the password, and must still show the second factor: in this browser, for a while.
create table login_ticket (
  hash        bytea primary key,
  member_id   bigint not null references member on delete cascade,
  asker       text not null,                -- the browser
  tries       int not null default 0,
  expires_at  timestamptz not null
);
create index on login_ticket (expires_at);   -- what ran out goes
create index on login_ticket (member_id);    -- all of one go with a new password

-- Browsers that are not asked for the second factor for a while.
create table trusted_device (
  id          bigint generated always as identity primary key,
  member_id   bigint not null references member on delete cascade,
  hash        bytea not null,
  ip          inet not null,
  user_agent  text not null,
  trusted_at  timestamptz not null default now(),
  used_at     timestamptz not null default now(),
  expires_at  timestamptz not null,
  unique (member_id, hash)
);
create index on trusted_device (expires_at);   -- what ran out goes
