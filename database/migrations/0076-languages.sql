-- In which language a topic or a question is written, by the share of Han characters in its title and how its text begins. Addresses say
-- nothing of it. Null where neither is there, or where much of it is in another script.
create function language_of(title text, summary text) returns text language sql immutable strict parallel safe as $$
  select case
    when other * 4 > han + latin then null
    when han > 0 and han * 2 >= latin then 'zh'
    when latin > 0 then 'en'
  end
  from (select regexp_replace(title || ' ' || summary, 'https?://\S+', ' ', 'gi') as words) as text, lateral (select
    regexp_count(words, '[㐀-鿿]') as han,
    regexp_count(words, '[A-Za-z]{2,}') as latin,
    regexp_count(words, '[À-ÖØ-öø-ɏͰ-ᳯぁ-ヿ가-힣]') as other) as counted
$$;
-- Worked out by the database, so no way of writing a topic forgets it, and the old rows have it at once.
alter table topic add column language text generated always as (language_of(title, summary)) stored check (language in ('zh', 'en'));

-- The lists in one language, in each of their orders: everywhere, and in a tag.
create index on topic (language, last_reply_at desc, id desc) include (tag_id) where status = 'published' and pin = 0;
create index on topic (language, published_at desc, id desc) include (tag_id) where status = 'published' and pin = 0;
create index on topic (language, heat desc, id desc) include (tag_id) where status = 'published' and pin = 0;
create index on topic (tag_id, language, last_reply_at desc, id desc) where status = 'published' and pin = 0;
create index on topic (tag_id, language, published_at desc, id desc) where status = 'published' and pin = 0;
create index on topic (tag_id, language, heat desc, id desc) where status = 'published' and pin = 0;
-- Questions in one language and state, by what happened last; of all states, each is walked by itself.
create index on topic (language, question_state, last_reply_at desc, id desc) include (tag_id) where status = 'published' and kind = 'question';

alter table question_tag add column language text;
update question_tag set language = topic.language from topic where topic.id = topic_id and topic.language is not null;
create index on question_tag (tag_id, language, state, last_reply_at desc, topic_id desc) include (place_id) where is_listed;

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
drop trigger question_changed on topic;
create trigger question_changed
  after update of kind, tag_id, status, last_reply_at, comment_count, is_resolved, withdrawn_at, title, summary on topic
  for each row when ((new.kind = 'question' or old.kind = 'question')
    and (old.kind, old.tag_id, old.status, old.last_reply_at, old.question_state, old.language)
      is distinct from (new.kind, new.tag_id, new.status, new.last_reply_at, new.question_state, new.language))
  execute function question_is_listed();
