-- To look is a right over a place, whatever stands there. The log of what staff did keeps the name from before.

update role_right set right_name = 'tag.view' where right_name = 'topic.view';
