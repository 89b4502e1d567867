import { sql } from 'kysely'
import type { Kind } from '#kind/contract.ts'
import type { Thread } from '#post/server/thread.ts'

type PostLocation = { kind: Kind; commentId: string | null; refersTo: string | null; thread: Pick<Thread, 'id'> }

/** The scope in which equal texts are duplicates: one title, one thread, one comment, or the answers to one post. */
export function duplicateScopeOf({ kind, commentId, refersTo, thread, title }: PostLocation & { title: string }): string {
  if (kind === 'topic') return `title ${title}`
  return `${kind === 'comment' ? `topic ${thread.id}` : `comment ${commentId}`} ${refersTo ?? ''}`
}

/** The owner of the files in a post. */
export function fileOwnerOf({ kind, id, commentId, thread }: PostLocation & { id: string }) {
  return { topicId: thread.id, ...(commentId && { commentId }), ...(kind === 'reply' && { replyId: id }) }
}

/** The same for a row `post`: the ids of thread, comment and reply. */
export const locationColumns = {
  topic: sql`post.id, null::bigint, null::bigint`,
  comment: sql`post.topic_id, post.id, null::bigint`,
  reply: sql`post.topic_id, post.comment_id, post.id`,
}
