-- Ends push messages with their login. It is SQL so that every way of ending a session does it.

create or replace function delete_push_subscriptions() returns trigger language plpgsql as $$
begin
  delete from public.push_subscription where session_id = new.id;
  return null;
end $$;
create or replace trigger deletes_push_subscriptions after update of ended_at on session
  for each row when (new.ended_at is not null) execute function delete_push_subscriptions();
