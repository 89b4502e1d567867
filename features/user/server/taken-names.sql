-- A name is one member's, be it an account or a nickname: no constraint of one column can hold that.

create or replace function take_names() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from taken_name where member_id = new.id and key <> new.account_key and key is distinct from new.nickname_key;
    insert into taken_name (key, member_id)
      select given_up, member.id from unnest(array[old.account_key, old.nickname_key]) as given_up
      join member on account_key = given_up or nickname_key = given_up
      order by member.id
      on conflict do nothing;
  end if;
  insert into taken_name (key, member_id)
    select distinct taken, new.id from unnest(array[new.account_key, new.nickname_key]) as taken
    where taken is not null and (tg_op = 'INSERT' or taken is distinct from old.account_key and taken is distinct from old.nickname_key);
  return null;
end $$;
create or replace trigger names_taken after insert or update of account_key, nickname_key on member for each row execute function take_names();
