-- Days are those of the site's time zone, Asia/Shanghai until somebody sets another: the hour of backups was told in UTC.

update setting set value = to_jsonb((value::text::int + 8) % 24) where name = 'backupHour';

-- What one member wrote goes over to another in steps, each of which leaves all counts right.
create table member_merging (
  id         bigint generated always as identity primary key,
  from_id    bigint not null unique references member,   -- its account ended when this began
  into_id    bigint not null references member,
  staff_id   bigint not null references staff,
  began_at   timestamptz not null default now(),
  status     text not null default 'merging' check (status in ('merging', 'merged')),
  moved      int not null default 0,                     -- posts that are the other's by now
  check (from_id <> into_id)
);
create index on member_merging (into_id);                          -- who became part of somebody
create index on member_merging (id) where status = 'merging';      -- what the job goes on with
