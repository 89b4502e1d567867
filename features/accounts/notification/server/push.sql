-- Ends push messages with their login. It is SQL so that every way of ending a session does it.

create or replace function end_push() returns trigger language plpgsql as $$
begin
  delete from public.push_subscription where session_id = new.id;
  return null;
end $$;
create or replace trigger ends_push after update of ended_at on session
  for each row when (new.ended_at is not null) execute function end_push();
