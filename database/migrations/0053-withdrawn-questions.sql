-- A question that others answered keeps its place when its asker removes it: its words lie in its history until it is put back.
alter table topic add column withdrawn_at timestamptz, add check (withdrawn_at is null or kind = 'question');
drop trigger question_changed on topic;
alter table topic drop column question_state;
alter table topic add column question_state text generated always as (
    case when kind = 'topic' then null when withdrawn_at is not null then 'withdrawn'
      when is_resolved then 'resolved' when comment_count > 0 then 'unresolved' else 'unanswered' end) stored
    check (question_state in ('unanswered', 'unresolved', 'resolved', 'withdrawn'));
-- The list of questions in one state, by what happened last.
create index on topic (question_state, last_reply_at desc, id desc) include (tag_id) where status = 'published' and kind = 'question';
create trigger question_changed after update of kind, tag_id, status, last_reply_at, comment_count, is_resolved, withdrawn_at on topic
  for each row when ((new.kind = 'question' or old.kind = 'question')
    and (old.kind, old.tag_id, old.status, old.last_reply_at, old.question_state)
      is distinct from (new.kind, new.tag_id, new.status, new.last_reply_at, new.question_state))
  execute function question_is_listed();

-- Its further tags are a part of what a question says: earlier versions have them, and they wait with an edit that waits.
alter table topic_revision add column tag_ids bigint[];
alter table review add column tag_ids bigint[];

-- What was added to a question is found with it, and staff may take it off: it keeps its number.
alter table postscript add column removed_at timestamptz, add column removed_reason text;

create function search_notes_part() returns trigger language plpgsql as $$
begin
  insert into search_change (kind, source_id) values ('topic', coalesce(new.topic_id, old.topic_id));
  return null;
end $$;
create trigger search_changed after insert or update or delete on postscript for each row execute function search_notes_part();
-- A question is found under each of its tags.
create trigger search_new after insert on question_tag for each row when (new.tag_id <> new.place_id) execute function search_notes_part();
create trigger search_gone after delete on question_tag for each row when (old.tag_id <> old.place_id) execute function search_notes_part();
