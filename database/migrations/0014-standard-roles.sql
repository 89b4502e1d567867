-- Roles and levels of a new forum. Staff may change all of them.

-- The default role. Its rights are those that features declare for it: database/new-rights.ts.
insert into role (name_zh, name_en, is_default) values ('茶客', 'Guest', true);

with keepers as (insert into role (name_zh, name_en, sort) values ('掌柜', 'Keeper', 10) returning id)
insert into role_right (role_id, right_name)
  select id, unnest(array['content.edit.any', 'content.remove.any', 'topic.unreviewed', 'comment.unreviewed', 'reply.unreviewed',
    'question.unreviewed', 'answer.unreviewed', 'answerReply.unreviewed'])
  from keepers;

insert into level (name_zh, name_en, needs_points) values
  ('白水', 'Water', 0), ('绿茶', 'Green', 50), ('白茶', 'White', 200), ('黄茶', 'Yellow', 600), ('乌龙', 'Oolong', 1500), ('红茶', 'Black', 4000),
  ('黑茶', 'Dark', 10000);
