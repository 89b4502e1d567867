-- When somebody last showed in a session that it is them, beyond the login that began it.

create table session_proof (
  session_id  bigint primary key references session on delete cascade,
  proved_at   timestamptz not null default now()
);
create index on session_proof (proved_at);   -- what ran out goes
