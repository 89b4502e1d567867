import type { Db } from '#base/server/database/database.ts'
import { addCacheTags } from '#base/server/cache/cache-tags.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { CommentView } from '#comment/contract.ts'
import * as posts from '#post/server/post.ts'

/** References of a row that may lead to other topics: the quoted comment, and the post that left this floor. */
export type MovedReferences = {
  quoted: { topic_id: string; became: string | null } | null
  became: string | null
  moved_to: string | null
  moved_topic: string | null
  moved_became: string | null
}

export type MovedThreads = ReadonlyMap<string, posts.PostSummary>

/** The other topics to which these rows refer and which this viewer may see. Usually none. */
export async function movedThreads(db: Db, viewer: Viewer, topicId: string, rows: readonly MovedReferences[]): Promise<MovedThreads> {
  const named = rows.flatMap((row) => [row.quoted?.topic_id, row.quoted?.became, targetTopic(row)])
  const ids = [...new Set(named.filter((id) => id && id !== topicId))] as string[]
  const own = rows.some((row) => row.quoted?.became === topicId || row.became === topicId) ? [topicId] : []
  if (ids.length + own.length === 0) return new Map()
  addCacheTags(ids.map((id) => `topic:${id}`))
  const threads = [...ids, ...own].map((id) => ({ kind: 'topic', id }) as const)
  const found = await posts.visible(db, viewer, threads)
  return new Map([...found.values()].map((thread) => [thread.id, thread]))
}

/** The new place of the post that left this floor; null if the viewer may not know. */
export function movedTo(row: MovedReferences, threads: MovedThreads): CommentView['movedTo'] {
  const place = threads.get(targetTopic(row) ?? '')
  if (!place) return null
  return { topicId: place.id, commentId: row.became || row.moved_became ? null : row.moved_to, title: place.title }
}

function targetTopic({ became, moved_became, moved_topic }: MovedReferences): string | null {
  return became ?? moved_became ?? moved_topic
}
