import type { Right } from '#role/contract.ts'

const rightWords: Readonly<Record<Right, string>> = {
  'tag.view': 'mayTagView',
  'topic.publish': 'mayTopicPublish',
  'topic.edit': 'mayTopicEdit',
  'topic.remove': 'mayTopicRemove',
  'comment.post': 'mayCommentPost',
  'comment.edit': 'mayCommentEdit',
  'comment.remove': 'mayCommentRemove',
  'reply.post': 'mayReplyPost',
  'reply.edit': 'mayReplyEdit',
  'reply.remove': 'mayReplyRemove',
  'content.edit.any': 'mayContentEditAny',
  'content.remove.any': 'mayContentRemoveAny',
  'topic.seeHidden': 'mayTopicSeeHidden',
  'topic.unreviewed': 'mayTopicUnreviewed',
  'comment.unreviewed': 'mayCommentUnreviewed',
  'reply.unreviewed': 'mayReplyUnreviewed',
  'question.ask': 'mayQuestionAsk',
  'question.edit': 'mayQuestionEdit',
  'question.remove': 'mayQuestionRemove',
  'answer.post': 'mayAnswerPost',
  'answer.edit': 'mayAnswerEdit',
  'answer.remove': 'mayAnswerRemove',
  'answerReply.post': 'mayAnswerReplyPost',
  'answerReply.edit': 'mayAnswerReplyEdit',
  'answerReply.remove': 'mayAnswerReplyRemove',
  'question.unreviewed': 'mayQuestionUnreviewed',
  'answer.unreviewed': 'mayAnswerUnreviewed',
  'answerReply.unreviewed': 'mayAnswerReplyUnreviewed',
  'post.like': 'mayPostLike',
  'message.send': 'mayMessageSend',
  'picture.upload': 'mayPictureUpload',
  'attachment.upload': 'mayAttachmentUpload',
  'avatar.change': 'mayAvatarChange',
  'profile.change': 'mayProfileChange',
  invite: 'mayInvite',
  'hidden.password': 'mayHiddenPassword',
  'hidden.comment': 'mayHiddenComment',
  'hidden.level': 'mayHiddenLevel',
  'hidden.points': 'mayHiddenPoints',
  'hidden.balance': 'mayHiddenBalance',
}

/** The key of the words for a right; itself where this version of the forum does not know it. */
export function rightWord(right: string): string {
  return rightWords[right as Right] ?? right
}
