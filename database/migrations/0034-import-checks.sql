-- What the last `import --check` of each program found, for the page of staff.
create table import_check (
  program     text primary key,
  result      jsonb not null,  -- in the form of the contract
  checked_at  timestamptz not null default clock_timestamp()
);
