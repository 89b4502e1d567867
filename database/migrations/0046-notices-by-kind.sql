-- What members were told of a post says what opens its thread, so that an answer is called one.
update notice set facts = jsonb_set(facts, '{post,thread}', to_jsonb(coalesce(
  (select kind::text from topic where topic.id = notice.topic_id), 'topic')))
where facts ? 'post';
update notice set facts = facts || '{"thread": "topic"}' where facts ? 'what';
