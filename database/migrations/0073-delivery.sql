-- E-mail and text messages that are sent to people: written with the deed that sends them, and sent by a job.

create table delivery (
  id          bigint generated always as identity primary key,
  effect_key  text not null unique check (char_length(effect_key) between 1 and 200),   -- one deed sends one
  channel     text not null check (channel in ('email', 'sms')),
  template    text not null,
  language    text not null check (language in ('zh', 'en')),
  shown_as    text not null,               -- the address as staff see it, most of it as stars
  country     text,                        -- the calling code of a number
  content     bytea,                       -- sealed: address and values; null once it is settled
  state       text not null default 'waiting' check (state in ('waiting', 'sent', 'refused', 'failed')),
  tries       int not null default 0,
  next_at     timestamptz not null default now(),
  useless_at  timestamptz not null,        -- what it says is of no use any more
  made_at     timestamptz not null default now(),
  settled_at  timestamptz,
  sent_by     text,
  sent_as     text,                        -- what the provider calls it
  error       text,
  check ((state = 'waiting') = (content is not null)),
  check ((state = 'waiting') = (settled_at is null))
);
create index on delivery (next_at) where state = 'waiting';   -- what to send next
create index on delivery (made_at);                           -- figures by day, the newest, and what is old goes
