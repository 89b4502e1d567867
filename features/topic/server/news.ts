import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import { tell } from '#base/server/live.ts'
import type { Scope, Viewer } from '#base/server/route.ts'
import type { ThreadKind } from '#kind/contract.ts'
import * as role from '#role/server/role.ts'
import * as tag from '#tag/server/tag.ts'
import { maxNews, topicNews, type NewTopicView } from '#topic/news-contract.ts'

/** New topics of a list. */
export const news = [
  tell(
    topicNews,
    ({ tagId }) => (tagId ? `tag:${tagId}` : 'index'),
    async (db, { tagId }) => {
      const room = await roomOf(db, tagId)
      if (!room) return null
      const topics = await newest(db, room.scope)
      return { id: topics.map(({ id }) => id).join('-') || '0', says: { topics }, seenBy: room.seenBy }
    },
  ),
]

type Room = { scope: Scope; seenBy(viewer: Viewer): boolean }

// One look serves all listeners, so it tells what visitors may see. A restricted tag is told to those who may look there.
async function roomOf(db: Db, tagId: string | undefined): Promise<Room | null> {
  const visitor = await role.rightsOfVisitor(db)
  if (!tagId) return { scope: visitor.where('tag.view'), seenBy: () => true }
  const places = [...(await tag.places(db)).values()]
  const below = places.filter(({ parent }) => parent?.id === tagId)
  const seen = (below.length > 0 ? below : places.filter(({ id }) => id === tagId)).map(({ id }) => id)
  const isOpen = (id: string) => visitor.may('tag.view', id)
  if (seen.some(isOpen)) return { scope: { only: seen.filter(isOpen) }, seenBy: () => true }
  const [only, ...others] = seen
  return only && others.length === 0 ? { scope: { only: seen }, seenBy: (viewer) => viewer.may('tag.view', only) } : null
}

async function newest(db: Db, scope: Scope): Promise<NewTopicView[]> {
  const { rows } = await sql<{ id: string; kind: ThreadKind; tagId: string; publishedAt: Date }>`
    select id, kind, tag_id as "tagId", published_at as "publishedAt" from topic
    where status = 'published' and pin = 0 and ${tag.within(scope)} order by published_at desc, id desc limit ${maxNews}`.execute(db)
  const places = await tag.places(db)
  return rows.map(({ id, kind, tagId, publishedAt }) => {
    const parent = places.get(tagId)?.parent
    return { id, kind, place: { id: tagId, parent: parent ? { id: parent.id } : null }, publishedAt: publishedAt.toISOString() }
  })
}
