-- How somebody proves who they are, and is reached.

create table session (
  id             bigint generated always as identity primary key,
  member_id      bigint not null references member,
  ip             inet not null,
  user_agent     text not null,
  started_at     timestamptz not null default now(),
  last_used_at   timestamptz not null default now(),
  ended_at       timestamptz,
  ended_because  text check (ended_because in ('logged out', 'ended by member', 'password changed', 'token reused', 'deactivated', 'ended by staff')),
  -- Whether it was told that somebody logged in with a browser one never had. Those that began before are known.
  is_looked_at   boolean not null default false,
  browser_hash   bytea,  -- of the token of its browser; null of those before
  check ((ended_at is null) = (ended_because is null))
);
create index on session (member_id, started_at desc);   -- my sessions, newest first
create index on session (id) where not is_looked_at;   -- what is to be looked at

create table access_token (
  hash        bytea primary key,
  session_id  bigint not null references session on delete cascade,
  expires_at  timestamptz not null
);
create index on access_token (session_id);   -- ending a session ends its tokens
create index on access_token (expires_at);   -- the job that clears what expired

create table refresh_token (
  hash        bytea primary key,
  session_id  bigint not null references session on delete cascade,
  expires_at  timestamptz not null,
  used_at     timestamptz
);
create index on refresh_token (session_id);
create index on refresh_token (expires_at);

create table login_log (
  id          bigint generated always as identity primary key,
  member_id   bigint not null references member,
  kind        text not null check (kind in ('login', 'renewal', 'reused')),
  ip          inet not null,
  at          timestamptz not null default now(),
  -- What the browser said of itself, so that members know their own logins; null of those before.
  user_agent  text
);
create index on login_log (member_id, at desc, id desc);   -- my log, newest first
create index on login_log (ip, member_id);   -- who was ever here from an address
create index on login_log (at);   -- clearing what is old

-- What somebody must answer, for one purpose, about one thing, in one browser, once: a captcha, or a code that was sent to an address.
create table challenge (
  kind         text not null check (kind in ('captcha', 'code')),
  purpose      text not null,
  subject      text not null check (char_length(subject) between 1 and 400),  -- the captcha itself, or a keyed hash of the address a code went to
  asker        text not null,  -- the browser
  answer_hash  bytea not null,
  tries        int not null default 0,
  most_tries   int not null check (most_tries > 0),
  expires_at   timestamptz not null,
  primary key (kind, purpose, subject, asker),
  check (tries <= most_tries)
);
create index on challenge (expires_at);   -- what ran out goes

-- The phone number and the e-mail address that an account is bound to.
create table contact (
  member_id     bigint not null references member on delete cascade,
  kind          text not null check (kind in ('phone', 'email')),
  address       bytea,  -- sealed, in its one spelling; null where the key it was sealed with is lost
  address_hash  bytea not null,  -- keyed: by it an address is found
  shown_as      text not null,  -- most of it as stars
  slot          int not null default 1 check (slot between 1 and 20),  -- of the accounts that one address may have
  bound_at      timestamptz not null default now(),
  primary key (member_id, kind),
  unique (kind, address_hash, slot)
);

-- Who has shown in this session that the account is theirs, and may give it another address for a while.
create table contact_proof (
  session_id  bigint not null references session on delete cascade,
  kind        text not null check (kind in ('phone', 'email')),
  expires_at  timestamptz not null,
  primary key (session_id, kind)
);
create index on contact_proof (expires_at);   -- what ran out goes

-- What was changed of an account that keeps it safe, and the link by which its owner takes it back: once, and for seven days.
create table take_back (
  id          bigint generated always as identity primary key,
  member_id   bigint not null references member on delete cascade,
  what        text not null check (what in ('password', 'phone', 'email', 'hint', 'secondFactor')),
  former      bytea,  -- the address that stood there before, sealed
  hash        bytea unique,  -- of the link, where one was sent
  at          timestamptz not null default now(),
  expires_at  timestamptz not null default now() + interval '7 days'
);
create index on take_back (member_id, id);   -- what was changed of one account since one of them
create index on take_back (expires_at);   -- what ran out goes

-- Browsers that logged in to an account before: whoever tries its password from everywhere does not shut its owner out.
create table known_browser (
  member_id  bigint not null references member on delete cascade,
  hash       bytea not null,  -- of the token that the browser keeps
  at         timestamptz not null default now(),
  primary key (member_id, hash)
);
create index on known_browser (at);   -- those that were not used for a year go

-- Who has shown by a code that an address is theirs, and may make an account that is bound to it: once, in this browser, for a while.
create table register_ticket (
  hash        bytea primary key,
  kind        text not null check (kind in ('phone', 'email')),
  address     bytea not null,  -- sealed, in its one spelling
  asker       text not null,  -- the browser
  expires_at  timestamptz not null
);
create index on register_ticket (expires_at);   -- what ran out goes

-- Who has shown by a code that an account is theirs, and may set its password: once, in this browser, for a while.
create table recovery_ticket (
  hash        bytea primary key,
  member_id   bigint not null references member on delete cascade,
  asker       text not null,  -- the browser
  expires_at  timestamptz not null
);
create index on recovery_ticket (expires_at);   -- what ran out goes
create index on recovery_ticket (member_id);   -- all of one go with a new password

-- Codes with which one may register where staff ask for them, and who came with which.
create table invitation (
  id          bigint generated always as identity primary key,
  hash        bytea not null unique,  -- by it a code is found
  code        bytea,  -- sealed, for whoever made it; null where the key it was sealed with is lost
  member_id   bigint references member on delete cascade,  -- who made it; null: staff
  staff_id    bigint,
  uses        int not null check (uses between 1 and 1000),
  used        int not null default 0 check (used between 0 and uses),
  until       timestamptz,  -- null: for good
  note        text not null default '',
  made_at     timestamptz not null default now(),
  revoked_at  timestamptz,
  check (member_id is null or staff_id is null)
);
create index on invitation (made_at, id);   -- the list of staff, newest first
create index on invitation (member_id, made_at) where member_id is not null;   -- a member's own, and how many of a month

create table invitation_use (
  member_id      bigint primary key references member on delete cascade,
  invitation_id  bigint not null references invitation on delete cascade,
  used_at        timestamptz not null default now()
);
create index on invitation_use (invitation_id, used_at);   -- who came by one

-- Whose account it is in truth, as somebody checked it: a name, the number of a document, a birthday.
create table real_name (
  member_id     bigint primary key references member on delete cascade,
  document      text not null check (document in ('chineseId', 'other')),
  name          bytea,  -- sealed, like the two that follow
  number        bytea,
  birthday      bytea not null,
  person_hash   bytea,  -- keyed, with a key outside of the database: by it one person is found again
  slot          int check (slot between 1 and 20),  -- of the accounts that one person may have
  checked_by    text not null,
  checked_at    timestamptz not null default now(),
  withdrawn_at  timestamptz,  -- of a minor only the birthday stays, until they are grown
  unique (person_hash, slot),
  check ((withdrawn_at is null) = (name is not null)),
  check ((name is null) = (number is null)),
  check ((name is null) = (person_hash is null)),
  check ((person_hash is null) = (slot is null))
);
create index on real_name (withdrawn_at) where withdrawn_at is not null;   -- those whose birthday goes once they are grown

-- When somebody last showed in a session that it is them, beyond the login that began it.
create table session_proof (
  session_id  bigint primary key references session on delete cascade,
  proved_at   timestamptz not null default now()
);
create index on session_proof (proved_at);   -- what ran out goes

-- What members show besides the password: codes of an app, and recovery codes for a lost phone.
create table second_factor (
  member_id     bigint primary key references member on delete cascade,
  secret        bytea not null,  -- sealed
  step          bigint not null default 0,  -- the half minute of the last code that was taken: none opens twice
  confirmed_at  timestamptz  -- until a first code was given, it counts for nothing
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
  asker       text not null,  -- the browser
  tries       int not null default 0,
  expires_at  timestamptz not null
);
create index on login_ticket (expires_at);   -- what ran out goes
create index on login_ticket (member_id);   -- all of one go with a new password

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

-- Keys of devices that log in without a password, and which browser a session began in.
create table passkey (
  id             bigint generated always as identity primary key,
  member_id      bigint not null references member on delete cascade,
  credential_id  text not null unique,  -- as the device calls it
  public_key     bytea not null,
  counter        bigint not null,  -- how often it was used, where the device counts: another that counts less is a copy
  transports     text[] not null,  -- how a browser reaches it
  name           text not null,  -- as its owner calls it
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

-- Other ways in: providers where a member can show who they are, and which accounts there are whose.
create table identity_provider (
  id                    bigint generated always as identity primary key,
  protocol              text not null check (protocol in ('oidc', 'github', 'wechat', 'qq')),
  name_zh               text not null,
  name_en               text not null,
  -- The issuer of OpenID Connect; of the others, where they are if not at their usual address.
  address               text check (protocol <> 'oidc' or address is not null),
  client_id             text not null,
  client_secret         bytea not null,  -- sealed
  -- WeChat knows another application inside of its own browser.
  in_app_client_id      text,
  in_app_client_secret  bytea,  -- sealed
  is_enabled            boolean not null,
  sort                  integer not null default 0,
  version               integer not null default 1,
  added_at              timestamptz not null default now(),
  -- The last time it failed, and how: for staff.
  failed_at             timestamptz,
  failure               text,
  check ((in_app_client_id is null) = (in_app_client_secret is null)),
  check (in_app_client_id is null or protocol = 'wechat')
);

create table member_identity (
  id           bigint generated always as identity primary key,
  provider_id  bigint not null references identity_provider,
  subject      text not null check (char_length(subject) between 1 and 255),  -- what the provider calls them, for good
  member_id    bigint not null references member on delete cascade,
  name         text,  -- what they are called there, for their own eyes
  linked_at    timestamptz not null default now(),
  used_at      timestamptz not null default now(),
  unique (provider_id, subject),
  unique (provider_id, member_id)
);
create index on member_identity (member_id);

-- Those on their way to a provider: what comes back must fit, once, in the browser that left.
create table identity_request (
  state_hash   bytea primary key,
  provider_id  bigint not null references identity_provider on delete cascade,
  asker        text not null,
  member_id    bigint references member on delete cascade,  -- who links; null where somebody logs in
  is_in_app    boolean not null,
  nonce        text not null,
  verifier     text not null,
  jump_url     text,
  expires_at   timestamptz not null
);
create index on identity_request (expires_at);

-- Those who came back and have no account here yet.
create table identity_ticket (
  hash         bytea primary key,
  provider_id  bigint not null references identity_provider on delete cascade,
  subject      text not null,
  name         text,
  asker        text not null,
  expires_at   timestamptz not null
);
create index on identity_ticket (expires_at);

-- E-mail and text messages that are sent to people: written with the deed that sends them, and sent by a job.
create table delivery (
  id          bigint generated always as identity primary key,
  effect_key  text not null unique check (char_length(effect_key) between 1 and 200),  -- one deed sends one
  channel     text not null check (channel in ('email', 'sms')),
  template    text not null,
  language    text not null check (language in ('zh', 'en')),
  shown_as    text not null,  -- the address as staff see it, most of it as stars
  country     text,  -- the calling code of a number
  content     bytea,  -- sealed: address and values; null once it is settled
  state       text not null default 'waiting' check (state in ('waiting', 'sent', 'unsent', 'refused', 'failed', 'dropped')),
  tries       int not null default 0,
  next_at     timestamptz not null default now(),
  useless_at  timestamptz not null,  -- what it says is of no use any more
  made_at     timestamptz not null default now(),
  settled_at  timestamptz,
  sent_by     text,
  sent_as     text,  -- what the provider calls it
  error       text,
  -- Keyed: who has the database alone cannot try addresses out. What was sent before has none.
  to_hash     bytea,
  is_test     boolean not null default false,
  failed_at   timestamptz,
  check ((state = 'waiting') = (content is not null)),
  check ((state = 'waiting') = (settled_at is null))
);
create index on delivery (next_at) where state = 'waiting';   -- what to send next
create index on delivery (made_at);   -- figures by day, the newest, and what is old goes
create index on delivery (to_hash, id) where to_hash is not null;   -- what was sent to an address that somebody asks about
create index on delivery (channel, settled_at desc) where state = 'sent';   -- when one was sent last, on the health page
create index on delivery (channel, failed_at desc) where failed_at is not null;   -- when one failed last

-- The words of what is sent, as staff changed them; and by which address something that was sent is found.
create table delivery_template (
  template    text not null,
  language    text not null check (language in ('zh', 'en')),
  subject     text check (char_length(subject) between 1 and 16 * 1000),  -- null with the text: as the program has it
  text        text check (char_length(text) between 1 and 16 * 4000),
  version     int not null,
  changed_by  text not null,
  changed_at  timestamptz not null default now(),
  primary key (template, language),
  check ((subject is null) = (text is null))
);

-- E-mail addresses that a mail server refused for good: no reminders go there until somebody has shown by a code that they read it.
create table unreached (
  hash   bytea primary key,  -- keyed: by it an address is found
  since  timestamptz not null default now()
);
