-- Whether a thread asks and how it stands are searched too, so both are noted when they change.
drop trigger search_changed on topic;
create trigger search_changed after update of kind, is_resolved, tag_id, author_id, title, body, status, published_at on topic for each row
  when ((old.kind, old.is_resolved, old.tag_id, old.author_id, old.title, old.body, old.status, old.published_at)
    is distinct from (new.kind, new.is_resolved, new.tag_id, new.author_id, new.title, new.body, new.status, new.published_at))
  execute function search_notes_topic();

-- Who of the staff accepted the answer, where it was not the asker: such a one the asker does not change.
alter table adoption add column staff_id bigint references staff;

-- A thread that asks again lies where it lies now, and no more where it lay before it was a topic for a while.
create or replace function question_is_listed() returns trigger language plpgsql as $$
begin
  if new.kind = 'question' then
    delete from question_tag where topic_id = new.id and tag_id = place_id and tag_id <> new.tag_id;
    insert into question_tag (topic_id, tag_id, place_id, state, last_reply_at, is_listed)
      values (new.id, new.tag_id, new.tag_id, new.question_state, new.last_reply_at, new.status = 'published')
      on conflict do nothing;
    update question_tag set place_id = new.tag_id, state = new.question_state, last_reply_at = new.last_reply_at,
      is_listed = new.status = 'published' where topic_id = new.id;
  else
    update question_tag set is_listed = false where topic_id = new.id;
  end if;
  return null;
end $$;
