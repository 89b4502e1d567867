-- Keys of devices that log in without a password, and which browser a session began in.

create table passkey (
  id             bigint generated always as identity primary key,
  member_id      bigint not null references member on delete cascade,
  credential_id  text not null unique,       -- as the device calls it
  public_key     bytea not null,
  counter        bigint not null,            -- how often it was used, where the device counts: another that counts less is a copy
  transports     text[] not null,            -- how a browser reaches it
  name           text not null,              -- as its owner calls it
  made_at        timestamptz not null default now(),
  used_at        timestamptz
);
create index on passkey (member_id);   -- those of one member

-- What a device is to sign: once, in this browser, for a while. Of a member where they are known, else for a login.
create table passkey_challenge (
  hash        bytea primary key,
  asker       text not null,
  purpose     text not null check (purpose in ('add', 'login', 'prove', 'step2')),
  member_id   bigint references member on delete cascade,
  expires_at  timestamptz not null
);
create index on passkey_challenge (expires_at);   -- what ran out goes

alter table session add column browser_hash bytea;   -- of the token of its browser; null of those before
