-- The rows of questions in the lists of their tags. It is SQL so that they follow every change of a topic, by any statement.

create or replace function question_is_listed() returns trigger language plpgsql as $$
begin
  if new.kind = 'question' then
    delete from question_tag where topic_id = new.id and tag_id = place_id and tag_id <> new.tag_id and not is_further;
    insert into question_tag (topic_id, tag_id, place_id, state, last_reply_at, is_listed, is_further, language)
      values (new.id, new.tag_id, new.tag_id, new.question_state, new.last_reply_at, new.status = 'published', false, new.language)
      on conflict do nothing;
    update question_tag set place_id = new.tag_id, state = new.question_state, last_reply_at = new.last_reply_at,
      is_listed = new.status = 'published', language = new.language where topic_id = new.id;
  else
    update question_tag set is_listed = false where topic_id = new.id;
  end if;
  return null;
end $$;
create or replace trigger question_added after insert on topic for each row when (new.kind = 'question') execute function question_is_listed();
create or replace trigger question_changed
  after update of kind, tag_id, status, last_reply_at, comment_count, is_resolved, withdrawn_at, title, summary on topic
  for each row when ((new.kind = 'question' or old.kind = 'question')
    and (old.kind, old.tag_id, old.status, old.last_reply_at, old.question_state, old.language)
      is distinct from (new.kind, new.tag_id, new.status, new.last_reply_at, new.question_state, new.language))
  execute function question_is_listed();
