-- A question is a topic that asks: answers are the comments under it, and what answers those are replies.

alter domain thread_kind drop constraint thread_kind_check;
alter domain thread_kind add constraint thread_kind_check check (value in ('topic', 'question'));

alter table topic
  add column is_resolved boolean not null default false,
  add column closed_by bigint references member,  -- the asker, where it was not staff who closed it to answers
  add column question_state text generated always as (
    case when kind = 'topic' then null when is_resolved then 'resolved' when comment_count > 0 then 'unresolved' else 'unanswered' end) stored
    check (question_state in ('unanswered', 'unresolved', 'resolved')),
  add check (not is_resolved or kind = 'question');

-- The list of questions by what happened last: all, and those in one state.
create index on topic (last_reply_at desc, id desc) include (tag_id) where status = 'published' and kind = 'question';
create index on topic (question_state, last_reply_at desc, id desc) include (tag_id) where status = 'published' and kind = 'question';
-- My questions and my topics, my answers and my comments.
create index on topic (author_id, kind, published_at desc, id desc) include (tag_id) where status <> 'deleted';
drop index topic_author_id_published_at_id_tag_id_idx, comment_author_id_published_at_id_idx, reply_author_id_published_at_id_idx;
create index on comment (author_id, thread_kind, published_at desc, id desc) where status <> 'deleted';
create index on reply (author_id, thread_kind, published_at desc, id desc) where status <> 'deleted';

-- Which answer solved a question, and whose it is.
create table adoption (
  topic_id    bigint primary key references topic,
  comment_id  bigint not null unique references comment,
  author_id   bigint not null references member,
  adopted_at  timestamptz not null default clock_timestamp()
);
create index on adoption (author_id);

-- What an asker added to a question later.
create table postscript (
  topic_id    bigint not null references topic,
  number      int not null check (number > 0),
  body        jsonb not null,
  segments    jsonb not null,
  written_at  timestamptz not null default clock_timestamp(),
  primary key (topic_id, number)
);

-- Every tag of a question, the one that says who may see it among them, with what its lists are ordered by.
create table question_tag (
  topic_id       bigint not null references topic,
  tag_id         bigint not null references tag on delete cascade,
  place_id       bigint not null references tag,
  state          text not null,
  last_reply_at  timestamptz not null,
  is_listed      boolean not null,
  primary key (topic_id, tag_id)
);
create index on question_tag (tag_id, last_reply_at desc, topic_id desc) include (place_id) where is_listed;
create index on question_tag (tag_id, state, last_reply_at desc, topic_id desc) include (place_id) where is_listed;
create index on question_tag (place_id);

create function question_is_listed() returns trigger language plpgsql as $$
begin
  if new.kind = 'question' then
    if tg_op = 'UPDATE' and old.tag_id <> new.tag_id then
      delete from question_tag where topic_id = new.id and tag_id = old.tag_id;
    end if;
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
create trigger question_added after insert on topic for each row when (new.kind = 'question') execute function question_is_listed();
create trigger question_changed after update of kind, tag_id, status, last_reply_at, comment_count, is_resolved on topic for each row
  when ((new.kind = 'question' or old.kind = 'question')
    and (old.kind, old.tag_id, old.status, old.last_reply_at, old.question_state)
      is distinct from (new.kind, new.tag_id, new.status, new.last_reply_at, new.question_state))
  execute function question_is_listed();

-- Who may publish topics may ask, who may comment may answer, and who may reply may reply to answers; and so on.
insert into role_right (role_id, right_name, tag_id)
select role_id, also.name, tag_id from role_right join (values
  ('topic.publish', 'question.ask'), ('topic.edit', 'question.edit'), ('topic.remove', 'question.remove'),
  ('topic.unreviewed', 'question.unreviewed'),
  ('comment.post', 'answer.post'), ('comment.edit', 'answer.edit'), ('comment.remove', 'answer.remove'),
  ('comment.unreviewed', 'answer.unreviewed'),
  ('reply.post', 'answerReply.post'), ('reply.edit', 'answerReply.edit'), ('reply.remove', 'answerReply.remove'),
  ('reply.unreviewed', 'answerReply.unreviewed')) as also (like_this, name) on right_name = also.like_this;

-- What a site had switched off or looked at for topics goes on for questions.
insert into setting (name, value, changed_by, changed_at)
select also.name, value, changed_by, changed_at from setting join (values
  ('takesTopics', 'takesQuestions'), ('takesTopicEdits', 'takesQuestionEdits'), ('takesComments', 'takesAnswers'),
  ('takesReplies', 'takesAnswerReplies'), ('reviewTopics', 'reviewQuestions'), ('reviewComments', 'reviewAnswers'),
  ('reviewReplies', 'reviewAnswerReplies')) as also (like_this, name) on setting.name = also.like_this;

-- The way to them, beside the way home.
insert into section (name_zh, name_en, url, sort) select '问答', 'Q&A', '/askList', 1 where exists (select from section where url = '/index');
