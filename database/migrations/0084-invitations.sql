-- Codes with which one may register where staff ask for them, and who came with which.

create table invitation (
  id          bigint generated always as identity primary key,
  hash        bytea not null unique,        -- by it a code is found
  code        bytea,                        -- sealed, for whoever made it; null where the key it was sealed with is lost
  member_id   bigint references member on delete cascade,   -- who made it; null: staff
  staff_id    bigint references staff,
  uses        int not null check (uses between 1 and 1000),
  used        int not null default 0 check (used between 0 and uses),
  until       timestamptz,                  -- null: for good
  note        text not null default '',
  made_at     timestamptz not null default now(),
  revoked_at  timestamptz,
  check (member_id is null or staff_id is null)
);
create index on invitation (made_at, id);                                     -- the list of staff, newest first
create index on invitation (member_id, made_at) where member_id is not null;  -- a member's own, and how many of a month

create table invitation_use (
  member_id      bigint primary key references member on delete cascade,
  invitation_id  bigint not null references invitation on delete cascade,
  used_at        timestamptz not null default now()
);
create index on invitation_use (invitation_id, used_at);   -- who came by one
