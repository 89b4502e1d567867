-- What was tried, for the limits on it: by what was tried, such as an account, and by the network it came from.

create table attempt (
  id   bigint generated always as identity primary key,
  key  text not null check (char_length(key) between 1 and 200),
  at   timestamptz not null default clock_timestamp()
);
create index on attempt (key, at);   -- how often lately
create index on attempt (at);        -- what is old goes

-- It kept a day of failures at most, by account and by address.
drop table failed_login;
