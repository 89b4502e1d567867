-- What had been decided before it was taken back, for whoever decides next.
create table decision_taken_back (
  id             bigint generated always as identity primary key,
  case_id        bigint references report_case on delete cascade,
  removal_id     bigint references removal on delete cascade,           -- with an appeal
  outcome        text not null check (outcome in ('failed', 'succeeded', 'restored', 'confirmed')),
  said           text not null,                                         -- to those who reported, or to the author
  remark         text not null,                                         -- to staff
  decided_by     bigint references staff,
  decided_at     timestamptz not null,
  taken_back_by  bigint not null references staff,
  taken_back_at  timestamptz not null default now(),
  reason         text not null,
  check (num_nonnulls(case_id, removal_id) = 1)
);
create index on decision_taken_back (case_id, id) where case_id is not null;         -- on the page of its case
create index on decision_taken_back (removal_id, id) where removal_id is not null;   -- on the page of its appeal
