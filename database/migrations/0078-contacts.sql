-- The phone number and the e-mail address that an account is bound to.

create table contact (
  member_id    bigint not null references member on delete cascade,
  kind         text not null check (kind in ('phone', 'email')),
  address      bytea,                     -- sealed, in its one spelling; null where the key it was sealed with is lost
  address_hash bytea not null,            -- keyed: by it an address is found
  shown_as     text not null,             -- most of it as stars
  slot         int not null default 1 check (slot between 1 and 20),   -- of the accounts that one address may have
  bound_at     timestamptz not null default now(),
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
