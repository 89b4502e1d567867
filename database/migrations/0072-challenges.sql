-- What somebody must answer, for one purpose, about one thing, in one browser, once: a captcha, or a code that was sent to an address.

create table challenge (
  kind         text not null check (kind in ('captcha', 'code')),
  purpose      text not null,
  subject      text not null check (char_length(subject) between 1 and 400),  -- the captcha itself, or a keyed hash of the address a code went to
  asker        text not null,                                               -- the browser
  answer_hash  bytea not null,
  tries        int not null default 0,
  most_tries   int not null check (most_tries > 0),
  expires_at   timestamptz not null,
  primary key (kind, purpose, subject, asker),
  check (tries <= most_tries)
);
create index on challenge (expires_at);   -- what ran out goes

-- A captcha lived for twenty minutes: whoever has one open draws another.
drop table captcha;
