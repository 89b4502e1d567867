-- A name is one member's, be it the account or the nickname: all that are taken stand here, under one key, whoever writes them.

create table taken_name (
  key        text primary key,               -- folded, as the keys of members are
  member_id  bigint not null references member on delete cascade
);
create index on taken_name (member_id);      -- what a member who is renamed gives up

-- Two who have shared a name since before both keep it. It counts as the one's who logs in with it, and as the other's once that one
-- gives it up; the other can go back to it no more after choosing another.
insert into taken_name (key, member_id) select account_key, id from member;
insert into taken_name (key, member_id) select nickname_key, id from member where nickname_key is not null on conflict do nothing;

create function take_names() returns trigger language plpgsql as $$
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

create trigger names_taken after insert or update of account_key, nickname_key on member for each row execute function take_names();
