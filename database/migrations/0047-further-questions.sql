-- Whether a thread asks and how it stands are searched too, so both are noted when they change.
drop trigger search_changed on topic;
create trigger search_changed after update of kind, is_resolved, tag_id, author_id, title, body, status, published_at on topic for each row
  when ((old.kind, old.is_resolved, old.tag_id, old.author_id, old.title, old.body, old.status, old.published_at)
    is distinct from (new.kind, new.is_resolved, new.tag_id, new.author_id, new.title, new.body, new.status, new.published_at))
  execute function search_notes_topic();

-- Who of the staff accepted the answer, where it was not the asker: such a one the asker does not change.
alter table adoption add column staff_id bigint references staff;
