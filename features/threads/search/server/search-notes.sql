-- Changes that the search has to enter. It is SQL so that every change is noted in its own transaction, by any statement: none is missed or entered too early.

create or replace function note_search_addition() returns trigger language plpgsql as $$
begin
  insert into search_change (kind, source_id, is_new) select tg_argv[0], id, true from added;
  return null;
end $$;
create or replace trigger search_added after insert on topic referencing new table as added for each statement execute function note_search_addition('topic');
create or replace trigger search_added after insert on comment referencing new table as added for each statement execute function note_search_addition('comment');
create or replace trigger search_added after insert on reply referencing new table as added for each statement execute function note_search_addition('reply');

create or replace function note_search_change() returns trigger language plpgsql as $$
begin
  insert into search_change (kind, source_id) values (tg_argv[0], coalesce(new.id, old.id));
  return null;
end $$;
create or replace trigger search_changed after update of topic_id, author_id, body, status, published_at, ai_label on comment for each row
  when ((old.topic_id, old.author_id, old.body, old.status, old.published_at, old.ai_label)
    is distinct from (new.topic_id, new.author_id, new.body, new.status, new.published_at, new.ai_label))
  execute function note_search_change('comment');
create or replace trigger search_changed after update of topic_id, author_id, body, status, published_at, ai_label on reply for each row
  when ((old.topic_id, old.author_id, old.body, old.status, old.published_at, old.ai_label)
    is distinct from (new.topic_id, new.author_id, new.body, new.status, new.published_at, new.ai_label))
  execute function note_search_change('reply');
create or replace trigger search_deleted after delete on comment for each row execute function note_search_change('comment');
create or replace trigger search_deleted after delete on reply for each row execute function note_search_change('reply');

create or replace function note_search_topic() returns trigger language plpgsql as $$
begin
  insert into search_change (kind, source_id, spreads)
  values ('topic', coalesce(new.id, old.id), tg_op = 'DELETE' or old.status <> new.status or old.tag_id <> new.tag_id);
  return null;
end $$;
create or replace trigger search_changed after update of kind, is_resolved, tag_id, author_id, title, body, status, published_at, ai_label on topic for each row
  when ((old.kind, old.is_resolved, old.tag_id, old.author_id, old.title, old.body, old.status, old.published_at, old.ai_label)
    is distinct from (new.kind, new.is_resolved, new.tag_id, new.author_id, new.title, new.body, new.status, new.published_at, new.ai_label))
  execute function note_search_topic();
create or replace trigger search_deleted after delete on topic for each row execute function note_search_topic();

create or replace function note_search_topic_part() returns trigger language plpgsql as $$
begin
  insert into search_change (kind, source_id) values ('topic', coalesce(new.topic_id, old.topic_id));
  return null;
end $$;
create or replace trigger search_changed after insert or update or delete on postscript for each row execute function note_search_topic_part();
-- Further tags of a question, under each of which it is found.
create or replace trigger search_added after insert on topic_tag for each row when (new.tag_id <> new.place_id) execute function note_search_topic_part();
create or replace trigger search_deleted after delete on topic_tag for each row when (old.tag_id <> old.place_id) execute function note_search_topic_part();

-- Bounties, by which questions are filtered.
create or replace function note_search_bounty() returns trigger language plpgsql as $$
begin
  insert into search_change (kind, source_id) values ('topic', new.topic_id);
  return null;
end $$;
create or replace trigger search_changed after update of state on bounty for each row when (old.state is distinct from new.state)
  execute function note_search_bounty();
