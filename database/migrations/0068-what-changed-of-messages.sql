-- Whatever changes of a conversation, be it that a request was accepted or an old message deleted, is told to the member whose side it is.

create sequence message_revision;
alter table message_side add column revision bigint not null default 0;   -- higher with each change; of before this, nought
alter table message_side alter column revision set default nextval('message_revision');
alter sequence message_revision owned by message_side.revision;
create index on message_side (member_id, revision desc);                  -- what changed last

create function raise_message_revision() returns trigger language plpgsql as $$
begin
  new.revision := nextval('public.message_revision');
  return new;
end $$;
create trigger changed before update on message_side for each row execute function raise_message_revision();

-- How many messages a member has not read, so many at most, and a number that is another one after each change: all that is told without being
-- asked as them. Of two changes at once the later may be seen first, so that the last of them alone would not tell of the other.
drop function unread_messages(bigint, int);
create function unread_messages(reader bigint, most int) returns table (count int, revision text)
stable language sql security definer set search_path = pg_catalog, pg_temp as $$
  select least(most, coalesce(sum(unread), 0))::int, (
    select coalesce(sum(side.revision), 0)::text
    from (select message_side.revision from public.message_side where member_id = reader order by message_side.revision desc limit 20) as side
  )
  from (
    select unread from public.message_side where member_id = reader and unread > 0 and request is distinct from 'theirs' limit most
  ) as few
$$;
