import type { Right } from '#role/contract.ts'

const rightWords: Readonly<Record<Right, string>> = {
  'topic.view': 'mayTopicView',
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
  'topic.unreviewed': 'mayTopicUnreviewed',
  'comment.unreviewed': 'mayCommentUnreviewed',
  'reply.unreviewed': 'mayReplyUnreviewed',
  'picture.upload': 'mayPictureUpload',
  'attachment.upload': 'mayAttachmentUpload',
  'avatar.change': 'mayAvatarChange',
  'profile.change': 'mayProfileChange',
}

/** The key of the words for a right; itself where this version of the forum does not know it. */
export function rightWord(right: string): string {
  return rightWords[right as Right] ?? right
}
