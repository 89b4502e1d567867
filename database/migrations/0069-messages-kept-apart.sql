-- Nobody but the program that serves looks around the rules of rows, by functions as narrow as their names.
revoke execute on function unread_messages(bigint, int), reported_messages(bigint), clean_messages(bigint, bigint, boolean), merge_messages(bigint, bigint)
  from public;

-- The account that greets has no conversation with whom it greeted until they answer.
create or replace function welcome_by_message() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  its public.message;
begin
  for its in
    insert into public.message (low_id, high_id, author_id, key, body, segments, text, sent_at)
      select least(writer.id, new.id), greatest(writer.id, new.id), writer.id, gen_random_uuid(), body, segments, text, new.joined_at
      from public.welcome_message cross join lateral (
        select id from public.member where case when welcome_message.member_id is null then is_official and deactivated_at is null
          else id = welcome_message.member_id end order by id limit 1
      ) as writer where writer.id <> new.id and not new.is_official
      returning *
  loop
    insert into public.message_side (member_id, other_id, last_id, unread)
      values (its.author_id, new.id, 0, 0), (new.id, its.author_id, its.id, 1);
  end loop;
  return null;
end $$;
