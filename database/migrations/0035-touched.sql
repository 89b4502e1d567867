-- What each write touched, for the caches of the other processes: kept for some minutes. Not logged: after a crash every line is
-- broken, and whoever connects anew drops all that it keeps.
create unlogged table touched (
  xid   xid8 not null default pg_current_xact_id(),   -- numbers are given before they are committed, and so not in the order of that
  by    uuid not null,                                -- the process, which knows already
  tags  text[] not null,
  at    timestamptz not null default now()
);
create index on touched (xid);   -- what was committed since a process looked
