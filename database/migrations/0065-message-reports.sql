-- What members report of what was written to them. What it said lies apart, and is read by nothing but the function that opens a report.

create table message_report (
  id           bigint generated always as identity primary key,
  message_id   bigint not null references message,
  author_id    bigint not null references member,     -- who wrote the message
  reporter_id  bigint not null references member,     -- to whom
  reason       text not null,
  reported_at  timestamptz not null default clock_timestamp(),
  outcome      text check (outcome in ('upheld', 'dismissed')),
  result       text,                                  -- a word to the reporter
  decided_by   bigint references staff,
  decided_at   timestamptz,
  check ((outcome is null) = (decided_at is null) and (outcome is null) = (decided_by is null) and (outcome is null) = (result is null)),
  unique (message_id, reporter_id)
);
create index on message_report (id desc) where outcome is null;   -- those that wait
create index on message_report (author_id, id desc);              -- what is reported of one member
create index on message_report (reporter_id);                     -- when two members become one

-- The message and the few around it, as the reporter had them then.
create table message_report_copy (
  report_id    bigint primary key references message_report,
  reporter_id  bigint not null references member,
  messages     jsonb not null
);
alter table message_report_copy enable row level security;
create policy its_reporter_writes on message_report_copy for insert with check (asking_member() = reporter_id);

create function reported_messages(report bigint) returns jsonb
stable language sql security definer set search_path = pg_catalog, pg_temp as $$
  select messages from public.message_report_copy where report_id = report
$$;
