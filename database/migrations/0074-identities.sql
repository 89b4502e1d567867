-- Other ways in: providers where a member can show who they are, and which accounts there are whose.

create table identity_provider (
  id bigint generated always as identity primary key,
  protocol text not null check (protocol in ('oidc', 'github', 'wechat', 'qq')),
  name_zh text not null,
  name_en text not null,
  -- The issuer of OpenID Connect; of the others, where they are if not at their usual address.
  address text check (protocol <> 'oidc' or address is not null),
  client_id text not null,
  client_secret bytea not null,          -- sealed
  -- WeChat knows another application inside of its own browser.
  in_app_client_id text,
  in_app_client_secret bytea,            -- sealed
  is_enabled boolean not null,
  sort integer not null default 0,
  version integer not null default 1,
  added_at timestamptz not null default now(),
  -- The last time it failed, and how: for staff.
  failed_at timestamptz,
  failure text,
  check ((in_app_client_id is null) = (in_app_client_secret is null)),
  check (in_app_client_id is null or protocol = 'wechat')
);

create table member_identity (
  id bigint generated always as identity primary key,
  provider_id bigint not null references identity_provider,
  subject text not null check (char_length(subject) between 1 and 255),   -- what the provider calls them, for good
  member_id bigint not null references member on delete cascade,
  name text,                                                              -- what they are called there, for their own eyes
  linked_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  unique (provider_id, subject),
  unique (provider_id, member_id)
);
create index on member_identity (member_id);

-- Those on their way to a provider: what comes back must fit, once, in the browser that left.
create table identity_request (
  state_hash bytea primary key,
  provider_id bigint not null references identity_provider on delete cascade,
  asker text not null,
  member_id bigint references member on delete cascade,   -- who links; null where somebody logs in
  is_in_app boolean not null,
  nonce text not null,
  verifier text not null,
  jump_url text,
  expires_at timestamptz not null
);
create index on identity_request (expires_at);

-- Those who came back and have no account here yet.
create table identity_ticket (
  hash bytea primary key,
  provider_id bigint not null references identity_provider on delete cascade,
  subject text not null,
  name text,
  asker text not null,
  expires_at timestamptz not null
);
create index on identity_ticket (expires_at);

-- Who came by another way has no password until they choose one.
alter table member alter column password_hash drop not null;
