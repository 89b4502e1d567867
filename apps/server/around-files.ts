import { ownerOfSession } from '#account/server/session-owner.ts'
import * as token from '#account/server/token.ts'
import type { Database, Db } from '#base/server/database.ts'
import type { Viewer } from '#base/server/route.ts'
import type { Place, Surroundings } from '#file/server/access.ts'
import { staffInSession } from '#staff/server/session.ts'
import * as may from '#topic/server/may.ts'

/** What files need to know of people and places, which they stand below. */
export function aroundFiles({ app }: Database): Surroundings {
  return {
    visitor: () => token.visitor(app),
    inSession: (sessionId) => (sessionId.startsWith('s') ? staffInSession(app, sessionId.slice(1)) : ownerOfSession(app, sessionId)),
    seen: (viewer, places) => seen(app, viewer, places),
  }
}

/** Those of these places that a viewer sees: the topic is theirs to view, and the comment or reply stands. A reply stands without its comment. */
async function seen(db: Db, viewer: Viewer, places: readonly Place[]): Promise<readonly Place[]> {
  // Staff who look at what was removed see its pictures.
  if (viewer.staff?.may('content.view')) return places
  const [topics, comments, replies] = await Promise.all([
    topicsSeen(db, viewer, idsOf(places, 'topicId')),
    standing(db, 'comment', idsOf(places, 'commentId')),
    standing(db, 'reply', idsOf(places, 'replyId')),
  ])
  return places.filter(
    ({ topicId, commentId, replyId }) =>
      topics.has(topicId) && (replyId !== null ? replies.has(replyId) : commentId === null || comments.has(commentId)),
  )
}

async function topicsSeen(db: Db, viewer: Viewer, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('topic').select(['id', 'tag_id', 'author_id', 'status']).where('id', 'in', ids).execute()
  const open = rows.filter(({ tag_id, author_id, status }) => may.view(viewer, { tagId: tag_id, authorId: author_id, status }))
  return new Set(open.map(({ id }) => id))
}

async function standing(db: Db, table: 'comment' | 'reply', ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom(table).select('id').where('id', 'in', ids).where('status', '=', 'published').execute()
  return new Set(rows.map(({ id }) => id))
}

function idsOf(places: readonly Place[], name: keyof Place): string[] {
  return [...new Set(places.flatMap((place) => place[name] ?? []))]
}
