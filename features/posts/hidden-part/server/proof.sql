-- The locks of each hidden part over time. It is a view because the program may not read the parts, while the ledger check compares each
-- unlock with the lock of its time. An erased part has no history: its lock is null.
create or replace view hidden.locked as
  select part_id, lock, written_at as since, replaced_at as until from hidden.earlier
  union all select id, lock, written_at, 'infinity' from hidden.part
  union all select id, null, '-infinity', 'infinity' from hidden.part where segments = '[]';
grant select on hidden.locked to teahouse_app, teahouse_reader;
