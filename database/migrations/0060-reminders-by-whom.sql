-- Nobody is reminded of what is done by whom they would rather not meet.
create or replace function may_remind(reader bigint, actor bigint, says text) returns boolean stable language sql as $$
  select reader is distinct from actor and not exists (select from reminder_mute where member_id = reader and kind = says)
    and not exists (select from blocking where member_id = reader and other_id = actor)
$$;
