-- What was set stays set, under the usual word for it. The log of earlier deeds keeps the former names.
update setting set name = renamed.name from (values
  ('takesRegistrations', 'allowRegistrations'), ('takesTopics', 'allowTopics'), ('takesTopicEdits', 'allowTopicEdits'),
  ('takesComments', 'allowComments'), ('takesReplies', 'allowReplies'), ('takesQuestions', 'allowQuestions'),
  ('takesQuestionEdits', 'allowQuestionEdits'), ('takesAnswers', 'allowAnswers'), ('takesAnswerReplies', 'allowAnswerReplies'),
  ('takesReports', 'allowReports'), ('takesFeedback', 'allowFeedback'), ('freesNames', 'releaseDeletedNames'),
  ('secondsBetweenRemarks', 'secondsBetweenComments'), ('newMemberSecondsBetweenRemarks', 'newMemberSecondsBetweenComments'),
  ('repeatHours', 'duplicateWindowHours')) as renamed (former, name) where setting.name = renamed.former;
