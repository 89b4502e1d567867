/** The parts of a thread: the opening, comments under it and replies under comments. Each has a table of its name. */
export const kinds = ['topic', 'comment', 'reply'] as const
export type Kind = (typeof kinds)[number]
/** A remark is a comment or a reply: a post under an opening. */
export const remarkKinds = ['comment', 'reply'] as const
export type RemarkKind = (typeof remarkKinds)[number]

/** The kinds of threads: a topic or a question, both in the table `topic`. */
export const threadKinds = ['topic', 'question'] as const
export type ThreadKind = (typeof threadKinds)[number]

/** The names of posts in texts: a comment under a question is an answer. */
export const postNames = ['topic', 'comment', 'reply', 'question', 'answer', 'answerReply'] as const
export type PostName = (typeof postNames)[number]
export type NamedPost = { kind: Kind; thread: ThreadKind }

const names = {
  topic: { topic: 'topic', comment: 'comment', reply: 'reply' },
  question: { topic: 'question', comment: 'answer', reply: 'answerReply' },
} as const satisfies Record<ThreadKind, Record<Kind, PostName>>

export function nameOf({ kind, thread }: NamedPost): PostName {
  return names[thread][kind]
}

/** The kind of post with this name. */
export function postCalled(name: PostName): NamedPost {
  const thread = Object.values<PostName>(names.topic).includes(name) ? 'topic' : 'question'
  return { thread, kind: kinds.find((kind) => names[thread][kind] === name) ?? 'topic' }
}

/** The states of a question. A withdrawn one keeps its answers. */
export const questionStates = ['unanswered', 'unresolved', 'resolved', 'withdrawn'] as const
export type QuestionState = (typeof questionStates)[number]
/** The filters of question lists and search; `unresolved` includes questions without answers. */
export const questionFilters = ['unresolved', 'resolved', 'unanswered'] as const
export type QuestionFilter = (typeof questionFilters)[number]

/** The languages by which thread lists are filtered. */
export const threadLanguages = ['zh', 'en'] as const
export type ThreadLanguage = (typeof threadLanguages)[number]

/** The address of a thread. For an unknown kind, the default page redirects to the right one. */
export function threadPath(id: string, kind: ThreadKind = 'topic'): string {
  return kind === 'question' ? `/question?questionId=${id}` : `/thread?topicId=${id}`
}

/** The address of a post in its thread. `commentId` is the comment itself, or the comment above a reply. */
export function postPath({
  kind,
  id,
  topicId,
  commentId,
  thread,
}: NamedPost & { id: string; topicId: string; commentId: string | null }): string {
  const comment = commentId ? `&commentId=${commentId}` : ''
  return `${threadPath(topicId, thread)}${comment}${kind === 'reply' ? `&replyId=${id}` : ''}`
}

/** The differences between the tables: columns, and the settings that do not depend on the thread. */
export const tables = {
  topic: {
    revisions: 'topic_revision',
    text: 'summary',
    counter: 'topic_count',
    written: 'topics',
    lastAt: 'last_topic_at',
    length: ['minTopicLength', 'maxTopicLength'],
    cooldown: ['secondsBetweenTopics', 'newMemberSecondsBetweenTopics'],
  },
  comment: {
    revisions: 'comment_revision',
    text: 'text',
    counter: 'comment_count',
    written: 'comments',
    lastAt: 'last_remark_at',
    length: ['minCommentLength', 'maxCommentLength'],
    cooldown: ['secondsBetweenComments', 'newMemberSecondsBetweenComments'],
  },
  reply: {
    revisions: 'reply_revision',
    text: 'text',
    counter: 'reply_count',
    written: 'replies',
    lastAt: 'last_remark_at',
    length: ['minReplyLength', 'maxReplyLength'],
    cooldown: ['secondsBetweenComments', 'newMemberSecondsBetweenComments'],
  },
} as const satisfies Record<Kind, object>

/** The differences between kinds of posts by the thread they belong to: the names of their rights and settings. */
export const traits = {
  topic: {
    topic: {
      rights: { post: 'topic.publish', edit: 'topic.edit', remove: 'topic.remove', unreviewed: 'topic.unreviewed' },
      allow: 'allowTopics',
      allowEdits: 'allowTopicEdits',
      reviews: 'reviewTopics',
    },
    comment: {
      rights: { post: 'comment.post', edit: 'comment.edit', remove: 'comment.remove', unreviewed: 'comment.unreviewed' },
      allow: 'allowComments',
      allowEdits: 'allowComments',
      reviews: 'reviewComments',
    },
    reply: {
      rights: { post: 'reply.post', edit: 'reply.edit', remove: 'reply.remove', unreviewed: 'reply.unreviewed' },
      allow: 'allowReplies',
      allowEdits: 'allowReplies',
      reviews: 'reviewReplies',
    },
  },
  question: {
    topic: {
      rights: { post: 'question.ask', edit: 'question.edit', remove: 'question.remove', unreviewed: 'question.unreviewed' },
      allow: 'allowQuestions',
      allowEdits: 'allowQuestionEdits',
      reviews: 'reviewQuestions',
    },
    comment: {
      rights: { post: 'answer.post', edit: 'answer.edit', remove: 'answer.remove', unreviewed: 'answer.unreviewed' },
      allow: 'allowAnswers',
      allowEdits: 'allowAnswers',
      reviews: 'reviewAnswers',
    },
    reply: {
      rights: {
        post: 'answerReply.post',
        edit: 'answerReply.edit',
        remove: 'answerReply.remove',
        unreviewed: 'answerReply.unreviewed',
      },
      allow: 'allowAnswerReplies',
      allowEdits: 'allowAnswerReplies',
      reviews: 'reviewAnswerReplies',
    },
  },
} as const satisfies Record<ThreadKind, Record<Kind, object>>
