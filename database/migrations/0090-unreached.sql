-- E-mail addresses that a mail server refused for good: no reminders go there until somebody has shown by a code that they read it.
create table unreached (
  hash   bytea primary key,          -- keyed: by it an address is found
  since  timestamptz not null default now()
);
