-- By which ways members are told of what they are reminded of, beside the list in the forum, and what of it waits to be sent.

-- What a member wants to hear of, kind by kind. Nothing is sent that was not chosen.
create table reminder_choice (
  member_id  bigint not null references member on delete cascade,
  kind       text not null,              -- of reminders, or `message` for private messages
  channel    text not null check (channel in ('email', 'push')),
  primary key (member_id, kind, channel)
);

-- How one way is used: when it may next be, and when it is because something waits.
create table reminder_way (
  member_id    bigint not null references member on delete cascade,
  channel      text not null check (channel in ('email', 'push')),
  rhythm       text not null default 'atOnce' check (rhythm in ('atOnce', 'day', 'week')),
  hour         smallint not null default 8 check (hour between 0 and 23),   -- of a digest, where the member is
  rests_until  timestamptz not null default now(),
  next_at      timestamptz,              -- null while nothing waits
  primary key (member_id, channel)
);
create index on reminder_way (next_at) where next_at is not null;   -- whose turn it is

create table reminder_waiting (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member on delete cascade,
  channel    text not null check (channel in ('email', 'push')),
  deed_id    bigint references reminder_deed on delete cascade,
  sender_id  bigint references member on delete cascade,              -- of private messages, whatever they say
  since      timestamptz not null default now(),
  check ((deed_id is null) <> (sender_id is null)),
  unique nulls not distinct (member_id, channel, deed_id, sender_id)
);
create index on reminder_waiting (deed_id) where deed_id is not null;      -- when the deed goes
create index on reminder_waiting (sender_id) where sender_id is not null;  -- when two members become one

-- What ends e-mails without logging in: one for each that was sent.
create table reminder_stop (
  hash       bytea primary key,
  member_id  bigint not null references member on delete cascade,
  kind       text,                       -- null: all
  made_at    timestamptz not null default now()
);
create index on reminder_stop (made_at);     -- what is old goes
create index on reminder_stop (member_id);   -- when two members become one

-- The time is set whether or not it was: who sends at this moment is waited for, and what they did not see is not forgotten.
create function wait_for_sending() returns trigger language plpgsql as $$
begin
  with noted as (
    insert into public.reminder_waiting (member_id, channel, deed_id)
    select deed.member_id, choice.channel, deed.id from added as deed
      join public.reminder on reminder.id = deed.reminder_id
      join public.reminder_choice as choice on choice.member_id = deed.member_id and choice.kind = reminder.kind
    where not deed.is_gone on conflict do nothing returning member_id, channel
  )
  update public.reminder_way as way set next_at = coalesce(next_at, greatest(rests_until, now()))
  from (select distinct member_id, channel from noted) as its where way.member_id = its.member_id and way.channel = its.channel;
  return null;
end $$;
create trigger waits_for_sending after insert on reminder_deed referencing new table as added
  for each statement execute function wait_for_sending();

-- From which of these a member has unread messages that they would want to know of: that alone, and nothing of what they say.
create function unread_message_senders(reader bigint, among bigint[]) returns table (other_id bigint)
stable language sql security definer set search_path = pg_catalog, pg_temp as $$
  select side.other_id from public.message_side as side
  where side.member_id = reader and side.other_id = any(among) and unread > 0 and request is distinct from 'theirs'
    and not exists (select from public.blocking where blocking.member_id = reader and blocking.other_id = side.other_id)
$$;
revoke execute on function unread_message_senders(bigint, bigint[]) from public;

-- What was of no use any more when its turn came.
alter table delivery drop constraint delivery_state_check, add constraint delivery_state_check
  check (state in ('waiting', 'sent', 'refused', 'failed', 'dropped'));
