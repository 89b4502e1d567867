-- What a new forum starts with: one role that is everybody's, one for those who keep order, and seven levels.

with everybody as (insert into role (name_zh, name_en, is_default) values ('茶客', 'Guest', true) returning id)
insert into role_right (role_id, right_name)
select id, name from everybody, unnest(array[
  'topic.view', 'topic.publish', 'topic.edit', 'topic.remove', 'comment.post', 'comment.edit', 'comment.remove',
  'reply.post', 'reply.edit', 'reply.remove', 'picture.upload', 'avatar.change']) as name;

with keepers as (insert into role (name_zh, name_en, sort) values ('掌柜', 'Moderator', 10) returning id)
insert into role_right (role_id, right_name)
select id, name from keepers, unnest(array['content.edit.any', 'content.remove.any']) as name;

insert into level (name_zh, name_en, needs_points) values
  ('白水', 'Water', 0), ('绿茶', 'Green', 50), ('白茶', 'White', 200), ('黄茶', 'Yellow', 600),
  ('乌龙', 'Oolong', 1500), ('红茶', 'Black', 4000), ('黑茶', 'Dark', 10000);
