import { anyOf, type Db } from '#base/server/database/database.ts'
import { addCacheTags } from '#base/server/cache/cache-tags.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { CommentView } from '#comment/contract.ts'
import * as tag from '#tag/server/tag.ts'

/** What of a row may lie in another topic: what it quotes, and what stood where it stands. */
export type Pointing = {
  quoted_topic: string | null
  quoted_became: string | null
  became: string | null
  moved_to: string | null
  moved_topic: string | null
  moved_became: string | null
}

type MovedThread = { id: string; title: string; summary: string }
export type Places = ReadonlyMap<string, MovedThread>

/** The other topics that rows of this one point to, where this viewer may look. Mostly there are none. */
export async function placesOf(db: Db, viewer: Viewer, topicId: string, rows: readonly Pointing[]): Promise<Places> {
  const named = rows.flatMap((row) => [row.quoted_topic, row.quoted_became, placeOf(row)])
  const ids = [...new Set(named.filter((id) => id !== null && id !== topicId))] as string[]
  const own = rows.some((row) => row.quoted_became === topicId || row.became === topicId) ? [topicId] : []
  if (ids.length + own.length === 0) return new Map()
  addCacheTags(ids.map((id) => `topic:${id}`))
  const topics = await db
    .selectFrom('topic')
    .select(['id', 'title', 'summary'])
    .where('id', '=', anyOf([...ids, ...own]))
    .where('status', '=', 'published')
    .where(tag.seenBy(viewer))
    .execute()
  return new Map(topics.map((topic) => [topic.id, topic]))
}

/** Where it is that stood on this floor; null where nothing is told of it. */
export function movedTo(row: Pointing, places: Places): CommentView['movedTo'] {
  const place = places.get(placeOf(row) ?? '')
  if (!place) return null
  return { topicId: place.id, commentId: row.became || row.moved_became ? null : row.moved_to, title: place.title }
}

function placeOf({ became, moved_became, moved_topic }: Pointing): string | null {
  return became ?? moved_became ?? moved_topic
}
