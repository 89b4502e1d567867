import { anyOf, type Db } from '#base/server/database/database.ts'
import { publishStream } from '#base/server/live/live.ts'
import type { Scope, Viewer } from '#base/server/http/route.ts'
import * as role from '#role/server/role.ts'
import * as tag from '#tag/server/tag.ts'
import { maxNews, topicNews, type NewTopicView } from '#topic/news-contract.ts'
import { newestIds, type TopicSource } from '#topic/server/newest.ts'

/** New topics of a list. */
export const streams = [
  publishStream(
    topicNews,
    ({ tagId }) => tag.listTag(tagId),
    async (db, { tagId }) => {
      const streamed = await streamScope(db, tagId)
      if (!streamed) return null
      const topics = await newTopics(db, streamed)
      return { id: topics.map(({ id }) => id).join('-') || '0', data: { topics }, seenBy: streamed.seenBy }
    },
  ),
]

type StreamScope = { scope: Scope; source: TopicSource; seenBy(viewer: Viewer): boolean }

// One read serves all subscribers, so it contains what visitors may see. The stream of a restricted tag is for members with access.
async function streamScope(db: Db, tagId: string | undefined): Promise<StreamScope | null> {
  const visitor = await role.rightsOfVisitor(db)
  const scope = visitor.where('tag.view')
  if (!tagId) return { scope, source: {}, seenBy: () => true }
  const places = [...(await tag.places(db)).values()]
  const below = places.filter(({ parent }) => parent?.id === tagId)
  const tagIds = (below.length > 0 ? below : places.filter(({ id }) => id === tagId)).map(({ id }) => id)
  const publicIds = tagIds.filter((id) => visitor.may('tag.view', id))
  if (publicIds.length > 0) return { scope, source: { tagIds: publicIds }, seenBy: () => true }
  const [only, ...others] = tagIds
  if (!only || others.length > 0) return null
  return { scope: withTag(scope, only), source: { tagIds }, seenBy: (viewer) => viewer.may('tag.view', only) }
}

function withTag(scope: Scope, tagId: string): Scope {
  return 'only' in scope ? { only: [...scope.only, tagId] } : { except: scope.except.filter((id) => id !== tagId) }
}

async function newTopics(db: Db, { scope, source }: StreamScope): Promise<NewTopicView[]> {
  const ids = await newestIds(db, scope, source, maxNews)
  const [rows, places] = await Promise.all([
    db
      .selectFrom('topic')
      .select(['id', 'kind', 'tag_id', 'published_at'])
      .where('id', '=', anyOf(ids))
      .where('status', '=', 'published')
      .where(tag.within(scope))
      .execute(),
    tag.places(db),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids
    .flatMap((id) => byId.get(id) ?? [])
    .map(({ id, kind, tag_id: tagId, published_at: publishedAt }) => {
      const parent = places.get(tagId)?.parent
      return { id, kind, place: { id: tagId, parent: parent ? { id: parent.id } : null }, publishedAt: publishedAt.toISOString() }
    })
}
