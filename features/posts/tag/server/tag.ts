import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { Missing } from '#base/contract.ts'
import { cachedValue } from '#base/server/cache/cached-value.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member, Scope, Viewer } from '#base/server/http/route.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { within } from '#base/server/database/within.ts'
import type { ThreadKind, traits } from '#kind/contract.ts'
import { TagNotOpen, type PlaceView } from '#tag/contract.ts'

export { within }
export { invalidateAll, requireReadRight } from '#tag/server/manage.ts'
export { openTo } from '#tag/server/tag-access.ts'

/** The condition that a row lies in a tag that this viewer may see. */
export function seenBy(viewer: Pick<Viewer, 'where'>, column?: string): Expression<SqlBool> {
  return within(viewer.where('tag.view'), column)
}

const known = cachedValue<ReadonlyMap<string, PlaceView>>('tags', async (db) => {
  const rows = await withParents(db).execute()
  return new Map(rows.map((row) => [row.id, placeView(row)]))
})

/** All tags by id, with their parents; cached until a tag changes. */
export function places(db: Db): Promise<ReadonlyMap<string, PlaceView>> {
  return known.of(db)
}

/** A tag to list topics of: the tags below it that the viewer may look into, or itself, and how many topics they hold. */
export async function openTag(db: Db, viewer: Viewer, tagId: string): Promise<{ place: PlaceView; tagIds: string[]; topicCount: number }> {
  const rows = await withParents(db)
    .where((row) => row.or([row('tag.id', '=', tagId), row('tag.parent_id', '=', tagId)]))
    .execute()
  const own = rows.find((row) => row.id === tagId)
  const below = rows.filter((row) => row.parent_id === tagId)
  const seen = (below.length > 0 ? below : rows).filter((row) => viewer.may('tag.view', row.id))
  if (!own || seen.length === 0) throw Missing()
  return { place: placeView(own), tagIds: seen.map((row) => row.id), topicCount: sum(seen) }
}

type OpeningRight = (typeof traits)[ThreadKind]['topic']['rights']['post']

/** The tag for a new thread, after a check of the right; it must have no subtags. Locked until the transaction ends. */
export async function publishTarget(tx: Db, member: Member, tagId: string, right: OpeningRight = 'topic.publish'): Promise<PlaceView> {
  const place = await lockLeaf(tx, tagId)
  if (!place || !member.may('tag.view', place.id) || !member.may(right, place.id)) throw TagNotOpen()
  return place
}

/** A tag without subtags, locked until the transaction ends. */
export async function lockLeaf(tx: Db, tagId: string): Promise<PlaceView | null> {
  const row = await withParents(tx)
    .where('tag.id', '=', tagId)
    .forKeyShare('tag')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('tag as child').select('child.id').whereRef('child.parent_id', '=', 'tag.id'))),
    )
    .executeTakeFirst()
  return row ? placeView(row) : null
}

/** The number of topics in the tags of a scope, as part of a query. */
export function topicCountIn(scope: Scope): RawBuilder<number> {
  return sql`(select coalesce(sum(topic_count), 0)::int from tag where ${within(scope, 'tag.id')})`
}

/** The number of topics that this viewer may see. */
export async function countTopics(db: Db, viewer: Viewer): Promise<number> {
  const { rows } = await sql<{ count: number }>`select ${topicCountIn(viewer.where('tag.view'))} as count`.execute(db)
  return rows[0]?.count ?? 0
}

export async function count(tx: Db, tagIds: readonly string[], sign: 1 | -1): Promise<void> {
  const groups = [...Map.groupBy(tagIds, (tagId) => tagId)].toSorted(([one], [other]) => (one < other ? -1 : 1))
  if (groups.length === 0) return
  const [ids, counts] = [groups.map(([tagId]) => tagId), groups.map(([, all]) => sign * all.length)]
  await sql`update tag set topic_count = topic_count + delta.more
    from unnest(${ids}::bigint[], ${counts}::int[]) as delta (id, more) where tag.id = delta.id`.execute(tx)
  invalidate(tx, 'tagCounts')
}

type ListedThread = { tagId: string; parentTagId: string | null; alsoListedIn: readonly string[] }

/** Invalidates the lists that show a topic of this tag, with those of its further tags. */
export function invalidateLists(tx: Db, tagId: string, parentTagId: string | null, alsoListedIn: readonly string[] = []): void {
  invalidate(tx, ...listsOf({ tagId, parentTagId, alsoListedIn }).map(listTag))
}

/** Invalidates those of these lists in which a new post moves the thread. */
export function invalidateListsByActivity(tx: Db, thread: ListedThread): void {
  invalidate(tx, ...listsOf(thread).map(activityTag))
}

function listsOf({ tagId, parentTagId, alsoListedIn }: ListedThread): (string | undefined)[] {
  return [undefined, tagId, ...(parentTagId ? [parentTagId] : []), ...alsoListedIn]
}

/** The cache tag of lists of a tag, or of all tags. */
export function listTag(tagId: string | undefined): string {
  return tagId ? `tag:${tagId}` : 'index'
}

/** Another one of those in which a new post moves its thread. */
export function activityTag(tagId: string | undefined): string {
  return `${listTag(tagId)} by activity`
}

/** A select expression for a row `topic`: its further tags and their parents. */
export const alsoListedIn = sql<string[]>`array(
  select unnest(array_remove(array[tag.id, tag.parent_id], null)) from topic_tag join tag on tag.id = topic_tag.tag_id
  where topic_tag.topic_id = topic.id and topic_tag.tag_id <> topic_tag.place_id)`

function withParents(db: Db) {
  return db
    .selectFrom('tag')
    .leftJoin('tag as parent', 'parent.id', 'tag.parent_id')
    .select(['tag.id', 'tag.key', 'tag.name_zh', 'tag.name_en', 'tag.is_restricted', 'tag.topic_count', 'tag.parent_id'])
    .select('parent.is_restricted as parent_restricted')
    .select(['parent.key as parent_key', 'parent.name_zh as parent_zh', 'parent.name_en as parent_en'])
}

type Row = {
  id: string
  key: string
  name_zh: string
  name_en: string
  is_restricted: boolean
  parent_restricted: boolean | null
  parent_id: string | null
  parent_key: string | null
  parent_zh: string | null
  parent_en: string | null
}

function placeView(row: Row): PlaceView {
  return {
    id: row.id,
    key: row.key,
    name: { zh: row.name_zh, en: row.name_en },
    isRestricted: row.is_restricted || row.parent_restricted === true,
    parent:
      row.parent_id === null
        ? null
        : { id: row.parent_id, key: row.parent_key ?? '', name: { zh: row.parent_zh ?? '', en: row.parent_en ?? '' } },
  }
}

function sum(rows: readonly { topic_count: number }[]): number {
  return rows.reduce((total, row) => total + row.topic_count, 0)
}
