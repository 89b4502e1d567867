-- Likes to be added to the counts of posts. It is SQL so that every statement that adds or removes likes is counted, in that statement and once for all
-- of its rows.

create or replace function tally_likes() returns trigger language plpgsql as $$
begin
  insert into tally (of, post_kind, post_id, delta, members)
    select 'like', post_kind, post_id, case tg_op when 'INSERT' then count(*) else -count(*) end, array_agg(member_id)
    from changed group by post_kind, post_id;
  return null;
end $$;
create or replace trigger tallied_when_added after insert on post_like referencing new table as changed for each statement execute function tally_likes();
create or replace trigger tallied_when_removed after delete on post_like referencing old table as changed for each statement execute function tally_likes();
