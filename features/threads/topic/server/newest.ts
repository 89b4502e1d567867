import { sql } from 'kysely'
import type { AiLabelView } from '#ai-label/contract.ts'
import * as aiLabel from '#ai-label/server/ai-label.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Scope, Viewer } from '#base/server/http/route.ts'
import type { ThreadKind } from '#kind/contract.ts'
import * as tag from '#tag/server/tag.ts'
import type { PlaceView } from '#tag/contract.ts'
import type { AuthorView } from '#user/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

/** A topic with its full content, for feeds and exports. */
export type FullTopic = {
  id: string
  kind: ThreadKind
  title: string
  summary: string
  segments: Segment[]
  author: AuthorView
  place: PlaceView
  publishedAt: Date
  changedAt: Date
  aiLabel: AiLabelView
}

/** All topics, topics within tags, or topics by one member. */
export type TopicSource = { tagIds?: readonly string[]; authorId?: string }

/** The newest topics that this viewer may see, pinned or not. */
export async function newest(db: Db, viewer: Viewer, source: TopicSource, limit: number): Promise<FullTopic[]> {
  return fullTopics(db, await newestIds(db, viewer.where('tag.view'), source, limit))
}

/** These topics with their full content, in this order; unpublished ones are left out. */
export async function fullTopics(db: Db, ids: readonly string[]): Promise<FullTopic[]> {
  const rows = await select(db, ids)
  const segments = new Map(rows.map((row) => [row.id, row.segments as Segment[]]))
  const [people, places, settings] = await Promise.all([
    user.authors(
      db,
      rows.flatMap((row) => [row.author_id, ...writing.mentionedIn(segments.get(row.id) ?? [])]),
    ),
    tag.places(db),
    setting.all(db),
  ])
  const topics = rows.flatMap((row): [string, FullTopic][] => {
    const author = people.get(row.author_id)
    const place = places.get(row.tag_id)
    if (!author || !place) return []
    const { id, kind, title, summary, published_at: publishedAt } = row
    const named = writing.withNames(segments.get(id) ?? [], people)
    const content = { id, kind, title, summary, segments: named, author, place, publishedAt, changedAt: row.edited_at ?? publishedAt }
    return [[id, { ...content, aiLabel: aiLabel.visibleLabel(settings, row.ai_label) }]]
  })
  const byId = new Map(topics)
  return ids.flatMap((id) => byId.get(id) ?? [])
}

function select(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('topic')
    .select(['id', 'kind', 'title', 'summary', 'segments', 'author_id', 'tag_id', 'published_at', 'edited_at', 'ai_label'])
    .where('id', '=', anyOf(ids))
    .where('status', '=', 'published')
    .execute()
}

/** Ids of the newest topics, newest first. */
export async function newestIds(db: Db, scope: Scope, { tagIds, authorId }: TopicSource, limit: number): Promise<string[]> {
  const { rows } = await (
    authorId ? byAuthor(scope, authorId, limit) : tagIds ? inTags(scope, tagIds, limit) : anywhere(scope, limit)
  ).execute(db)
  return rows.map((row) => row.id)
}

type IdRow = { id: string }

// Pinned topics are few and have an index of their own.
function anywhere(scope: Scope, limit: number) {
  return sql<IdRow>`
    select id from (
      (select id, published_at from topic where status = 'published' and pin = 0 and ${tag.within(scope)}
        order by published_at desc, id desc limit ${limit})
      union all
      (select id, published_at from topic where status = 'published' and pin > 0 and ${tag.within(scope)})
    ) as topic
    order by published_at desc, id desc limit ${limit}`
}

function inTags(scope: Scope, tagIds: readonly string[], limit: number) {
  return sql<IdRow>`
    select id from (
      (select one.id, one.published_at from unnest(${tagIds}::bigint[]) as asked(tag_id), lateral (
        select id, published_at from topic
        where topic.tag_id = asked.tag_id and status = 'published' and pin = 0 and ${tag.within(scope)}
        order by published_at desc, id desc limit ${limit}
      ) as one)
      union
      (select one.topic_id, one.published_at from unnest(${tagIds}::bigint[]) as asked(tag_id), lateral (
        select topic_id, published_at from topic_tag
        where topic_tag.tag_id = asked.tag_id and is_listed and topic_tag.tag_id <> place_id and ${tag.within(scope, 'topic_tag.place_id')}
        order by published_at desc, topic_id desc limit ${limit}
      ) as one)
      union
      (select id, published_at from topic
        where status = 'published' and pin > 0 and tag_id = any(${tagIds}::bigint[]) and ${tag.within(scope)})
    ) as topic
    order by published_at desc, id desc limit ${limit}`
}

function byAuthor(scope: Scope, authorId: string, limit: number) {
  return sql<IdRow>`
    select id from topic where author_id = ${authorId} and status = 'published' and ${tag.within(scope)}
    order by published_at desc, id desc limit ${limit}`
}
