-- Who registered where staff look at everybody first, and what they decided. Accounts without a row were never asked about.

create table joining (
  member_id   bigint primary key references member on delete cascade,
  asked_at    timestamptz not null default now(),
  outcome     text check (outcome in ('approved', 'refused')),   -- null: they wait
  reason      text not null default '',
  decided_at  timestamptz,
  decided_by  bigint references staff,
  check ((outcome is null) = (decided_at is null))
);
create index on joining (asked_at, member_id) where outcome is null;   -- those who wait, the first first, and how many
create index on joining (asked_at, member_id) where outcome is not null;   -- what was decided
