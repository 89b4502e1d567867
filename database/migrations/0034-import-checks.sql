-- The result of the last `import --check` of each program, for the page of staff.
create table import_check (
  program     text primary key,
  result      jsonb not null,  -- in the form of the contract
  checked_at  timestamptz not null default clock_timestamp()
);
