-- Favourites to be added to the counts of posts. It is SQL so that every statement that adds or removes favourites is counted, in that statement and once for all
-- of its rows.

create or replace function tally_favourites() returns trigger language plpgsql as $$
begin
  insert into tally (of, post_kind, post_id, delta)
    select 'favourite', 'topic', topic_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed group by topic_id;
  return null;
end $$;
create or replace trigger tallied_when_added after insert on favourite referencing new table as changed for each statement execute function tally_favourites();
create or replace trigger tallied_when_removed after delete on favourite referencing old table as changed for each statement execute function tally_favourites();
