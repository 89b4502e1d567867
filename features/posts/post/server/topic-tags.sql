-- The rows of threads in the lists of their tags. It is SQL so that they follow every change of a topic, by any statement.

create or replace function update_topic_tags() returns trigger language plpgsql as $$
begin
  delete from topic_tag where topic_id = new.id and tag_id = place_id and not is_further and (tag_id <> new.tag_id or new.kind <> 'question');
  if new.kind = 'question' then
    insert into topic_tag (topic_id, tag_id, place_id, state, last_reply_at, published_at, heat, is_listed, is_further, language)
      values (new.id, new.tag_id, new.tag_id, new.question_state, new.last_reply_at, new.published_at, new.heat,
        new.status = 'published', false, new.language)
      on conflict do nothing;
  end if;
  update topic_tag set place_id = new.tag_id, state = new.question_state, last_reply_at = new.last_reply_at,
    published_at = new.published_at, heat = new.heat, is_listed = new.status = 'published', language = new.language where topic_id = new.id;
  return null;
end $$;
create or replace trigger adds_topic_tag after insert on topic for each row when (new.kind = 'question') execute function update_topic_tags();
create or replace trigger updates_topic_tags
  after update of kind, tag_id, status, last_reply_at, published_at, heat, comment_count, is_resolved, withdrawn_at, title, summary on topic
  for each row when ((old.kind, old.tag_id, old.status, old.last_reply_at, old.published_at, old.heat, old.question_state, old.language)
    is distinct from (new.kind, new.tag_id, new.status, new.last_reply_at, new.published_at, new.heat, new.question_state, new.language))
  execute function update_topic_tags();
