-- The locks that each hidden part had, and when. It is a view because the program may not read what the parts say, while the check of the books
-- compares each unlock with the lock of its time. An erased part has no history: its lock is null.
create or replace view hidden.locked as
  select part_id, lock, written_at as since, replaced_at as until from hidden.earlier
  union all select id, lock, written_at, 'infinity' from hidden.part
  union all select id, null, '-infinity', 'infinity' from hidden.part where segments = '[]';
grant select on hidden.locked to teahouse_app, teahouse_reader;
