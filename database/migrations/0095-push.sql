-- Browsers in which members want to be told of reminders, by the push service of each.

create table push_subscription (
  id             bigint generated always as identity primary key,
  member_id      bigint not null references member on delete cascade,
  session_id     bigint not null unique references session on delete cascade,   -- a browser is where somebody is logged in
  endpoint_hash  bytea not null unique,
  sealed         bytea not null,         -- the address at the push service, and the keys that it is written to with
  user_agent     text not null,
  made_at        timestamptz not null default now(),
  used_at        timestamptz,            -- when something was brought there last
  failed_since   timestamptz             -- until something is brought again
);
create index on push_subscription (member_id);   -- where one is told

-- Whoever logs out is told nothing more there, whichever way the session ended.
create function end_push() returns trigger language plpgsql as $$
begin
  delete from public.push_subscription where session_id = new.id;
  return null;
end $$;
create trigger ends_push after update of ended_at on session
  for each row when (new.ended_at is not null) execute function end_push();

-- Hours of the member's own day in which nothing is pushed. Both are null where there are none.
alter table reminder_way
  add quiet_from  smallint check (quiet_from between 0 and 23),
  add quiet_to    smallint check (quiet_to between 0 and 23),
  add check (channel = 'push' or quiet_from is null),
  add check ((quiet_from is null) = (quiet_to is null) and quiet_from <> quiet_to);
