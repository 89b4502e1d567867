/** The parts of a thread: what opens it, what stands under that, and what stands under those. Each lies in a table of its name. */
export const kinds = ['topic', 'comment', 'reply'] as const
export type Kind = (typeof kinds)[number]
/** What stands under an opening. */
export const remarkKinds = ['comment', 'reply'] as const
export type RemarkKind = (typeof remarkKinds)[number]

/** What opens a thread: a topic, or one that asks. */
export const threadKinds = ['topic', 'question'] as const
export type ThreadKind = (typeof threadKinds)[number]

/** What a post is called: what stands under a question is an answer. */
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

/** Which post goes by this name. */
export function postCalled(name: PostName): NamedPost {
  const thread = Object.values<PostName>(names.topic).includes(name) ? 'topic' : 'question'
  return { thread, kind: kinds.find((kind) => names[thread][kind] === name) ?? 'topic' }
}

/** How a question stands. One that its asker withdrew has answers that stay. */
export const questionStates = ['unanswered', 'unresolved', 'resolved', 'withdrawn'] as const
export type QuestionState = (typeof questionStates)[number]
/** By what questions are listed and found: those that nobody answered are unresolved, too. */
export const questionFilters = ['unresolved', 'resolved', 'unanswered'] as const
export type QuestionFilter = (typeof questionFilters)[number]

/** What threads are written in, as lists are narrowed to it. */
export const threadLanguages = ['zh', 'en'] as const
export type ThreadLanguage = (typeof threadLanguages)[number]

/** The address of a thread. Where its kind is not known, the page that is asked for leads on to the right one. */
export function threadPath(id: string, kind: ThreadKind = 'topic'): string {
  return kind === 'question' ? `/question?questionId=${id}` : `/thread?topicId=${id}`
}

/** The address of a post in its thread. `commentId` is the comment itself, or the one that was replied to. */
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

/** What differs between the tables: columns, and the settings that hold whatever the thread. */
export const tables = {
  topic: {
    revisions: 'topic_revision',
    text: 'summary',
    counter: 'topic_count',
    written: 'topics',
    lastAt: 'last_topic_at',
    length: ['shortestTopic', 'longestTopic'],
    cooldown: ['secondsBetweenTopics', 'newMemberSecondsBetweenTopics'],
  },
  comment: {
    revisions: 'comment_revision',
    text: 'text',
    counter: 'comment_count',
    written: 'comments',
    lastAt: 'last_remark_at',
    length: ['shortestComment', 'longestComment'],
    cooldown: ['secondsBetweenComments', 'newMemberSecondsBetweenComments'],
  },
  reply: {
    revisions: 'reply_revision',
    text: 'text',
    counter: 'reply_count',
    written: 'replies',
    lastAt: 'last_remark_at',
    length: ['shortestReply', 'longestReply'],
    cooldown: ['secondsBetweenComments', 'newMemberSecondsBetweenComments'],
  },
} as const satisfies Record<Kind, object>

/** What differs between the kinds of posts, by the thread they stand in: the names of their rights and settings. */
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
