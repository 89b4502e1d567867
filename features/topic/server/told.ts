import type { PostView } from '#notice/contract.ts'
import type { Topic } from '#topic/server/topic.ts'

/** A topic as its author is told of it. */
export function postOf({ id, title }: Pick<Topic, 'id' | 'title'>): PostView {
  return { kind: 'topic', id, topicId: id, commentId: null, title, excerpt: '' }
}
