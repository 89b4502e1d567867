import { sql, type RawBuilder } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Scope, Viewer } from '#base/server/http/route.ts'
import * as setting from '#setting/server/setting.ts'
import type { PlaceView } from '#tag/contract.ts'
import * as tag from '#tag/server/tag.ts'
import type { listTopics } from '#topic/contract.ts'
import { cardsWithTags } from '#topic/server/card.ts'
import { isPinned, isPublished } from '#topic/server/listed.ts'

type TopicListParams = ParsedInput<typeof listTopics>
type Listing = Pick<TopicListParams, 'language'> & {
  place: PlaceView | null
  scope: Scope
  /** The viewer's scope on the whole site. */
  siteScope: Scope
  tagIds: string[] | null
  /** Null for the whole site. */
  topicCount: number | null
}

const columns = { reply: 'last_reply_at', new: 'published_at', hot: 'heat' } as const

// Offset pagination steps over all earlier ids in an index, which bounds the page number.
export const maxPages = 400

/** One page of topics. The first page starts with the pinned ones. */
export async function list(db: Db, viewer: Viewer, params: TopicListParams): Promise<Output<typeof listTopics>> {
  const [listing, { topicsPerPage }] = await Promise.all([listingOf(db, viewer, params), setting.all(db)])
  const { pinned, total, inPages } = params.featured ? await countFeatured(db, listing) : await countAll(db, listing, topicsPerPage)
  const pages = Math.min(maxPages, Math.max(1, Math.ceil(inPages / topicsPerPage)))
  if (params.page > pages) throw Missing()

  const ids = await (params.featured ? featuredIds : idsInOrder)(db, listing, params.sort, {
    limit: topicsPerPage,
    offset: (params.page - 1) * topicsPerPage,
  })
  const topics = await cardsWithTags(db, viewer, [...(params.page === 1 ? pinned : []), ...ids])
  return { topics, total, page: params.page, pages, place: listing.place }
}

async function listingOf(db: Db, viewer: Viewer, { tagId, language }: TopicListParams): Promise<Listing> {
  const seen = viewer.where('tag.view')
  if (!tagId) return { place: null, scope: seen, siteScope: seen, tagIds: null, topicCount: null, language }
  const { place, tagIds, topicCount } = await tag.openTag(db, viewer, tagId)
  return { place, scope: { only: tagIds }, siteScope: seen, tagIds, topicCount, language }
}

async function countAll(db: Db, listing: Listing, perPage: number) {
  const { scope, topicCount, language } = listing
  const { rows: found } = await sql<{ pinned: string[]; topicCount: number }>`
    select array(select id from topic where ${isPublished} and ${isPinned} and ${tag.within(scope)} and ${isIn(language)}
        order by pin desc, id desc) as pinned,
      ${topicCount === null ? tag.topicCountIn(scope) : sql`${topicCount}::int`} as "topicCount"`.execute(db)
  const { pinned: ids = [], topicCount: counted = 0 } = found[0] ?? {}
  if (!language) {
    const total = counted + (await countFurther(db, listing, maxPages * perPage))
    return { pinned: ids, total, inPages: total - ids.length }
  }
  // Topics have no counter by language, so the count stops at the last page.
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${rankedIds(listing, 'reply', maxPages * perPage)}) as found`.execute(db)
  const inPages = rows[0]?.count ?? 0
  return { pinned: ids, total: inPages + ids.length, inPages }
}

// Topics with a further tag here are counted by query, since their number depends on the viewer.
async function countFurther(db: Db, listing: Listing, limit: number): Promise<number> {
  if (!listing.tagIds) return 0
  const { rows } = await sql<{ count: number }>`
    select count(distinct id)::int as count from (${furtherIds(listing, listing.tagIds, 'reply', limit)}) as found`.execute(db)
  return rows[0]?.count ?? 0
}

function isIn(language: TopicListParams['language']): RawBuilder<boolean> {
  return language ? sql`language = ${language}` : sql`true`
}

// Featured topics are few and counted in a partial index.
async function countFeatured(db: Db, listing: Listing) {
  const { count } = await db
    .selectFrom('topic')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where(isPublished)
    .where('featured_at', 'is not', null)
    .where(isListed(listing))
    .where(isIn(listing.language))
    .executeTakeFirstOrThrow()
  return { pinned: [], total: Number(count), inPages: Number(count) }
}

function isListed({ scope, siteScope, tagIds }: Listing): RawBuilder<boolean> {
  if (!tagIds) return sql`${tag.within(scope)}`
  return sql`(${tag.within(scope)} or ${tag.within(siteScope)} and exists (
    select from topic_tag where topic_tag.topic_id = topic.id and topic_tag.tag_id = any(${tagIds}::bigint[])))`
}

type PageWindow = { limit: number; offset: number }

async function featuredIds(db: Db, listing: Listing, sort: TopicListParams['sort'], { limit, offset }: PageWindow): Promise<string[]> {
  const rows = await db
    .selectFrom('topic')
    .select('id')
    .where(isPublished)
    .where('featured_at', 'is not', null)
    .where(isListed(listing))
    .where(isIn(listing.language))
    .orderBy(columns[sort], 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => row.id)
}

async function idsInOrder(db: Db, listing: Listing, sort: TopicListParams['sort'], { limit, offset }: PageWindow): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (${rankedIds(listing, sort, limit + offset)}) as found order by rank desc, id desc limit ${limit} offset ${offset}`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

// Within tags, the newest of each tag come from its index and are merged; a filter would read the topics of all other tags.
function rankedIds(listing: Listing, sort: TopicListParams['sort'], limit: number): RawBuilder<unknown> {
  const { scope, tagIds, language } = listing
  const column = sql.ref(columns[sort])
  return tagIds
    ? sql`
      select id, max(rank) as rank from (
        select one.id, one.rank from unnest(${tagIds}::bigint[]) as asked(tag_id), lateral (
          select id, ${column} as rank from topic
          where topic.tag_id = asked.tag_id and status = 'published' and pin = 0 and ${isIn(language)}
          order by ${column} desc, id desc limit ${limit}
        ) as one
        union all ${furtherIds(listing, tagIds, sort, limit)}
      ) as each group by id
      order by rank desc, id desc limit ${limit}`
    : sql`
      select id, ${column} as rank from topic where status = 'published' and pin = 0 and ${isIn(language)} and ${tag.within(scope)}
      order by ${column} desc, id desc limit ${limit}`
}

// Topics that have one of these tags as a further tag, and whose primary tag is none of them.
function furtherIds(
  { siteScope, language }: Listing,
  tagIds: readonly string[],
  sort: TopicListParams['sort'],
  limit: number,
): RawBuilder<unknown> {
  const column = sql.ref(`topic_tag.${columns[sort]}`)
  return sql`
    select one.id, one.rank from unnest(${tagIds}::bigint[]) as asked(tag_id), lateral (
      select topic_id as id, ${column} as rank from topic_tag
      where topic_tag.tag_id = asked.tag_id and is_listed and topic_tag.tag_id <> place_id and place_id <> all(${tagIds}::bigint[])
        and ${isIn(language)} and ${tag.within(siteScope, 'topic_tag.place_id')}
      order by ${column} desc, topic_id desc limit ${limit}
    ) as one`
}
