-- The names that members have, as account or as nickname. It is SQL because a constraint of one column cannot ensure that no two members
-- share a name.

create or replace function update_taken_names() returns trigger language plpgsql as $$
begin
  delete from taken_name where member_id = new.id;
  insert into taken_name (key, member_id)
    select distinct name, new.id from unnest(array[new.account_key, new.nickname_key]) as name where name is not null;
  return null;
end $$;
create or replace trigger updates_taken_names after insert or update of account_key, nickname_key on member for each row execute function update_taken_names();
