-- Login and identity: sessions, codes, contacts, second factors, passkeys, external identities, and the messages that carry codes and alerts.

create table session (
  id             bigint generated always as identity primary key,
  member_id      bigint not null references member,
  ip             inet not null,
  user_agent     text not null,
  started_at     timestamptz not null default now(),
  last_used_at   timestamptz not null default now(),
  ended_at       timestamptz,
  ended_because  text check (ended_because in ('logged out', 'ended by member', 'password changed', 'token reused', 'deactivated', 'ended by staff')),
  -- The job has checked the login for a browser that is new to the account, and alerted the owner.
  is_looked_at   boolean not null default false,
  browser_hash   bytea,  -- of the browser's token
  check ((ended_at is null) = (ended_because is null))
);
create index on session (member_id, started_at desc);   -- sessions of a member, newest first
create index on session (id) where not is_looked_at;   -- sessions that wait for the check

create table access_token (
  hash        bytea primary key,
  session_id  bigint not null references session on delete cascade,
  expires_at  timestamptz not null
);
create index on access_token (session_id);   -- tokens of an ended session
create index on access_token (expires_at);   -- the job that deletes expired tokens

create table refresh_token (
  hash        bytea primary key,
  session_id  bigint not null references session on delete cascade,
  expires_at  timestamptz not null,
  used_at     timestamptz
);
create index on refresh_token (session_id);   -- tokens of an ended session
create index on refresh_token (expires_at);   -- the job that deletes expired tokens

create table login_log (
  id          bigint generated always as identity primary key,
  member_id   bigint not null references member,
  kind        text not null check (kind in ('login', 'renewal', 'reused')),
  ip          inet not null,
  at          timestamptz not null default now(),
  user_agent  text not null
);
create index on login_log (member_id, at desc, id desc);   -- log of a member, newest first
create index on login_log (ip, member_id);   -- members seen at an address
create index on login_log (at);   -- the job that deletes old rows

-- Captchas, and codes sent to an address. A challenge is for one purpose, one subject and one browser, and is passed once.
create table challenge (
  kind         text not null check (kind in ('captcha', 'code')),
  purpose      text not null,
  subject      text not null check (char_length(subject) between 1 and 400),  -- the captcha, or a keyed hash of the address of the code
  asker        text not null,  -- the browser
  answer_hash  bytea not null,
  tries        int not null default 0,
  most_tries   int not null check (most_tries > 0),
  expires_at   timestamptz not null,
  primary key (kind, purpose, subject, asker),
  check (tries <= most_tries)
);
create index on challenge (expires_at);   -- the job that deletes expired rows

-- The phone number and the e-mail address of an account.
create table contact (
  member_id     bigint not null references member on delete cascade,
  kind          text not null check (kind in ('phone', 'email')),
  address       bytea,  -- sealed, in canonical form; null once the sealing key is lost
  address_hash  bytea not null,  -- keyed, for look-ups by address
  shown_as      text not null,  -- masked with stars
  slot          int not null default 1 check (slot between 1 and 20),  -- number among the accounts that share the address
  bound_at      timestamptz not null default now(),
  primary key (member_id, kind),
  unique (kind, address_hash, slot)
);

-- Sessions that proved ownership of the account by a code, and may change an address for a while.
create table contact_proof (
  session_id  bigint not null references session on delete cascade,
  kind        text not null check (kind in ('phone', 'email')),
  expires_at  timestamptz not null,
  primary key (session_id, kind)
);
create index on contact_proof (expires_at);   -- the job that deletes expired rows

-- Changes to the security of an account, with the link that lets the owner revert one: once, within seven days.
create table take_back (
  id          bigint generated always as identity primary key,
  member_id   bigint not null references member on delete cascade,
  what        text not null check (what in ('password', 'phone', 'email', 'hint', 'secondFactor')),
  former      bytea,  -- the replaced address, sealed
  hash        bytea unique,  -- of the link, where one was sent
  at          timestamptz not null default now(),
  expires_at  timestamptz not null default now() + interval '7 days'
);
create index on take_back (member_id, id);   -- later changes of the same account
create index on take_back (expires_at);   -- the job that deletes expired rows

-- Browsers that logged in to an account before. Failed passwords from elsewhere do not lock these out.
create table known_browser (
  member_id  bigint not null references member on delete cascade,
  hash       bytea not null,  -- of the browser's token
  at         timestamptz not null default now(),
  primary key (member_id, hash)
);
create index on known_browser (at);   -- the job that deletes browsers after a year without a login

-- Addresses proved by a code. The browser may register one account bound to the address, within a while.
create table register_ticket (
  hash        bytea primary key,
  kind        text not null check (kind in ('phone', 'email')),
  address     bytea not null,  -- sealed, in canonical form
  asker       text not null,  -- the browser
  expires_at  timestamptz not null
);
create index on register_ticket (expires_at);   -- the job that deletes expired rows

-- Accounts proved by a code. The browser may set the password once, within a while.
create table recovery_ticket (
  hash        bytea primary key,
  member_id   bigint not null references member on delete cascade,
  asker       text not null,  -- the browser
  expires_at  timestamptz not null
);
create index on recovery_ticket (expires_at);   -- the job that deletes expired rows
create index on recovery_ticket (member_id);   -- tickets that end with a new password

-- Invitation codes, for a forum that registers by invitation.
create table invitation (
  id          bigint generated always as identity primary key,
  hash        bytea not null unique,  -- for look-ups by code
  code        bytea,  -- sealed, to be shown to its maker; null once the sealing key is lost
  member_id   bigint references member on delete cascade,  -- maker of the code; null: staff
  staff_id    bigint,
  uses        int not null check (uses between 1 and 1000),
  used        int not null default 0 check (used between 0 and uses),
  until       timestamptz,  -- null: permanent
  note        text not null default '',
  made_at     timestamptz not null default now(),
  revoked_at  timestamptz,
  check (member_id is null or staff_id is null)
);
create index on invitation (made_at, id);   -- list for staff, newest first
create index on invitation (member_id, made_at) where member_id is not null;   -- invitations of a member, and how many in a month

create table invitation_use (
  member_id      bigint primary key references member on delete cascade,
  invitation_id  bigint not null references invitation on delete cascade,
  used_at        timestamptz not null default now()
);
create index on invitation_use (invitation_id, used_at);   -- members registered by an invitation

-- Verified identities: name, document number and birthday.
create table real_name (
  member_id     bigint primary key references member on delete cascade,
  document      text not null check (document in ('chineseId', 'other')),
  name          bytea,  -- sealed, like number and birthday
  number        bytea,
  birthday      bytea not null,
  person_hash   bytea,  -- keyed by a key outside of the database, to recognise a person
  slot          int check (slot between 1 and 20),  -- number among the accounts of one person
  checked_by    text not null,
  checked_at    timestamptz not null default now(),
  withdrawn_at  timestamptz,  -- the birthday of a minor stays until they are of age
  unique (person_hash, slot),
  check ((withdrawn_at is null) = (name is not null)),
  check ((name is null) = (number is null)),
  check ((name is null) = (person_hash is null)),
  check ((person_hash is null) = (slot is null))
);
create index on real_name (withdrawn_at) where withdrawn_at is not null;   -- birthdays to delete once a minor is of age

-- The last re-authentication of a session, after its login.
create table session_proof (
  session_id  bigint primary key references session on delete cascade,
  proved_at   timestamptz not null default now()
);
create index on session_proof (proved_at);   -- the job that deletes expired rows

-- Authenticator apps.
create table second_factor (
  member_id     bigint primary key references member on delete cascade,
  secret        bytea not null,  -- sealed
  step          bigint not null default 0,  -- time step of the last accepted code: no code is accepted twice
  confirmed_at  timestamptz  -- null until a first code was accepted; not in force before
);

-- Recovery codes, for a lost second factor.
create table recovery_code (
  member_id  bigint not null references member on delete cascade,
  hash       bytea not null,
  made_at    timestamptz not null default now(),
  used_at    timestamptz,
  primary key (member_id, hash)
);

-- Logins that gave the password and still need the second factor, in one browser and for a while.
create table login_ticket (
  hash        bytea primary key,
  member_id   bigint not null references member on delete cascade,
  asker       text not null,  -- the browser
  tries       int not null default 0,
  expires_at  timestamptz not null
);
create index on login_ticket (expires_at);   -- the job that deletes expired rows
create index on login_ticket (member_id);   -- tickets that end with a new password

-- Browsers that skip the second factor for a while.
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
create index on trusted_device (expires_at);   -- the job that deletes expired rows

-- Passkeys, which log in without a password.
create table passkey (
  id             bigint generated always as identity primary key,
  member_id      bigint not null references member on delete cascade,
  credential_id  text not null unique,  -- assigned by the authenticator
  public_key     bytea not null,
  counter        bigint not null,  -- signature counter, where the authenticator keeps one: a lower value gives a copy away
  transports     text[] not null,  -- connections between browser and authenticator
  name           text not null,  -- given by the owner
  made_at        timestamptz not null default now(),
  used_at        timestamptz
);
create index on passkey (member_id);   -- passkeys of a member

-- Challenges to be signed by a passkey: once, in one browser, for a while. The member is null for a login without an account name.
create table passkey_challenge (
  hash        bytea primary key,
  asker       text not null,
  purpose     text not null check (purpose in ('add', 'login', 'prove', 'step2')),
  member_id   bigint references member on delete cascade,
  expires_at  timestamptz not null
);
create index on passkey_challenge (expires_at);   -- the job that deletes expired rows

-- External identity providers.
create table identity_provider (
  id                    bigint generated always as identity primary key,
  protocol              text not null check (protocol in ('oidc', 'github', 'wechat', 'qq')),
  name_zh               text not null,
  name_en               text not null,
  -- The issuer of OpenID Connect. Of another protocol the host, where it is not the usual one.
  address               text check (protocol <> 'oidc' or address is not null),
  client_id             text not null,
  client_secret         bytea not null,  -- sealed
  -- The application that WeChat requires inside its own browser.
  in_app_client_id      text,
  in_app_client_secret  bytea,  -- sealed
  is_enabled            boolean not null,
  sort                  integer not null default 0,
  version               integer not null default 1,
  added_at              timestamptz not null default now(),
  -- The last failure, shown to staff.
  failed_at             timestamptz,
  failure               text,
  check ((in_app_client_id is null) = (in_app_client_secret is null)),
  check (in_app_client_id is null or protocol = 'wechat')
);

create table member_identity (
  id           bigint generated always as identity primary key,
  provider_id  bigint not null references identity_provider,
  subject      text not null check (char_length(subject) between 1 and 255),  -- permanent id at the provider
  member_id    bigint not null references member on delete cascade,
  name         text,  -- name at the provider, shown to the member alone
  linked_at    timestamptz not null default now(),
  used_at      timestamptz not null default now(),
  unique (provider_id, subject),
  unique (provider_id, member_id)
);
create index on member_identity (member_id);   -- identities of a member

-- Logins under way at a provider. The response must match a row once, in the browser that left.
create table identity_request (
  state_hash   bytea primary key,
  provider_id  bigint not null references identity_provider on delete cascade,
  asker        text not null,
  member_id    bigint references member on delete cascade,  -- the member who links an account; null for a login
  is_in_app    boolean not null,
  nonce        text not null,
  verifier     text not null,
  jump_url     text,
  expires_at   timestamptz not null
);
create index on identity_request (expires_at);   -- the job that deletes expired rows

-- Identities returned by a provider that have no account here yet.
create table identity_ticket (
  hash         bytea primary key,
  provider_id  bigint not null references identity_provider on delete cascade,
  subject      text not null,
  name         text,
  asker        text not null,
  expires_at   timestamptz not null
);
create index on identity_ticket (expires_at);   -- the job that deletes expired rows

-- E-mails and text messages: queued in the transaction that causes them, sent by a job.
create table delivery (
  id          bigint generated always as identity primary key,
  effect_key  text not null unique check (char_length(effect_key) between 1 and 200),  -- one message for each cause
  channel     text not null check (channel in ('email', 'sms')),
  template    text not null,
  language    text not null check (language in ('zh', 'en')),
  shown_as    text not null,  -- masked address, for staff
  country     text,  -- calling code of a phone number
  content     bytea,  -- sealed address and values; null once settled
  state       text not null default 'waiting' check (state in ('waiting', 'sent', 'unsent', 'refused', 'failed', 'dropped')),
  tries       int not null default 0,
  next_at     timestamptz not null default now(),
  useless_at  timestamptz not null,  -- expiry of the content
  made_at     timestamptz not null default now(),
  settled_at  timestamptz,
  sent_by     text,
  sent_as     text,  -- id assigned by the provider
  error       text,
  -- Keyed: with the database alone no address can be tried.
  to_hash     bytea not null,
  is_test     boolean not null default false,
  failed_at   timestamptz,
  check ((state = 'waiting') = (content is not null)),
  check ((state = 'waiting') = (settled_at is null))
);
create index on delivery (next_at) where state = 'waiting';   -- the next to send
create index on delivery (made_at);   -- daily figures, the list, and the job that deletes old rows
create index on delivery (to_hash, id);   -- deliveries to one address
create index on delivery (channel, settled_at desc) where state = 'sent';   -- last success, on the health page
create index on delivery (channel, failed_at desc) where failed_at is not null;   -- last failure, on the health page

-- Templates of e-mails and text messages, as changed by staff.
create table delivery_template (
  template    text not null,
  language    text not null check (language in ('zh', 'en')),
  subject     text check (char_length(subject) between 1 and 16 * 1000),  -- null with the text: the template of the program
  text        text check (char_length(text) between 1 and 16 * 4000),
  version     int not null,
  changed_by  text not null,
  changed_at  timestamptz not null default now(),
  primary key (template, language),
  check ((subject is null) = (text is null))
);

-- E-mail addresses that a mail server refused for good. Notifications stop until a code proves that somebody reads there.
create table undeliverable_address (
  hash   bytea primary key,  -- keyed, for look-ups by address
  since  timestamptz not null default now()
);
