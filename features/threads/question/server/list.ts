import { sql, type RawBuilder } from 'kysely'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import { pagePosition } from '#base/server/database/page-count.ts'
import { questionStates, type QuestionFilter, type QuestionState } from '#kind/contract.ts'
import type { listQuestions, QuestionCardView } from '#question/contract.ts'
import type { BountyFilter } from '#bounty/contract.ts'
import * as bounty from '#bounty/server/bounty.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import * as topics from '#topic/server/topic.ts'

type QuestionListParams = ParsedInput<typeof listQuestions>

/** One page of questions, by the time of their latest answer. */
export async function list(db: Db, viewer: Viewer, params: QuestionListParams): Promise<Output<typeof listQuestions>> {
  const { tagId, state, bounty: bountyFilter, page, language } = params
  const [openedTag, { topicsPerPage: perPage, allowCash }] = await Promise.all([
    tagId ? tag.openTag(db, viewer, tagId) : null,
    setting.all(db),
  ])
  // Without balances on the site there are no bounties in money.
  if (bountyFilter === 'cash' && !allowCash) throw Missing()
  const matches = (limit: number) => {
    if (bountyFilter) return withBounty(viewer, openedTag?.tagIds ?? null, bountyFilter, { allowCash, most: limit, language })
    return byLastReply(viewer, openedTag?.tagIds ?? null, { state, language }, limit)
  }
  // The count stops at the last page.
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::int as count from (${matches(topics.maxPages * perPage)}) as found`.execute(db)
  const total = counted[0]?.count ?? 0
  const { pages } = pagePosition(total, page, perPage)
  const { rows } = await sql<{ id: string }>`
    select id from (${matches(page * perPage)}) as found order by rank desc, id desc
    limit ${perPage} offset ${(page - 1) * perPage}`.execute(db)
  const questions = await cards(
    db,
    viewer,
    rows.map(({ id }) => id),
  )
  return { questions, total, page, pages, place: openedTag?.place ?? null }
}

/** The ids of unresolved questions, by the time of their latest answer. */
export async function unresolved(db: Db, viewer: Viewer, tagIds: readonly string[] | null, limit: number): Promise<string[]> {
  const { rows } = await byLastReply(viewer, tagIds, { state: 'unresolved' }, limit).execute(db)
  return rows.map(({ id }) => id)
}

async function cards(db: Db, viewer: Viewer, ids: readonly string[]): Promise<QuestionCardView[]> {
  const [all, offers] = await Promise.all([topics.cardsWithTags(db, viewer, ids), bounty.offersOf(db, ids)])
  return all.map((card) => ({ ...card, bounty: offers.get(card.id) ?? null }))
}

/** Ids with their sort key. */
type RankedIds = RawBuilder<{ id: string; rank: unknown }>

const statesOf: Record<QuestionFilter, readonly QuestionState[]> = {
  unresolved: ['unanswered', 'unresolved'],
  resolved: ['resolved'],
  unanswered: ['unanswered'],
}

type StateFilter = { state?: QuestionListParams['state']; language?: QuestionListParams['language'] }
type StateScan = { state: QuestionState | null; language: QuestionListParams['language'] }

// With a language, each state is a scan of its own, so that one index serves all of them.
function byLastReply(viewer: Viewer, tagIds: readonly string[] | null, { state: filter, language }: StateFilter, limit: number): RankedIds {
  const states = filter ? statesOf[filter] : language ? questionStates : [null]
  const scans = states.map((state) => ({ state, language }))
  const each = scans.map((scan) => sql`(${tagIds ? inTags(viewer, tagIds, scan, limit) : anywhere(viewer, scan, limit)})`)
  return sql`select id, rank from (${sql.join(each, sql` union all `)}) as found order by rank desc, id desc limit ${limit}`
}

// Status and kind are literals, since a generic plan uses a partial index only if the statement itself implies its predicate.
function anywhere(viewer: Viewer, { state, language }: StateScan, limit: number): RankedIds {
  return sql`
    select id, last_reply_at as rank from topic where status = 'published' and kind = 'question'
      ${state ? sql`and question_state = ${state}` : sql``} ${isIn(language)} and ${tag.seenBy(viewer)}
    order by last_reply_at desc, id desc limit ${limit}`
}

// The newest of each tag come from its index and are merged. A question in several of the tags appears once.
function inTags(viewer: Viewer, tagIds: readonly string[], { state, language }: StateScan, limit: number): RankedIds {
  return sql`
    select id, max(last_reply_at) as rank from unnest(${tagIds}::bigint[]) as asked(tag_id), lateral (
      select topic_id as id, last_reply_at from topic_tag
      where topic_tag.tag_id = asked.tag_id and is_listed and ${state ? sql`state = ${state}` : sql`state is not null`} ${isIn(language)}
        and ${tag.seenBy(viewer, 'topic_tag.place_id')}
      order by last_reply_at desc, topic_id desc limit ${limit}
    ) as one group by id order by rank desc, id desc limit ${limit}`
}

function isIn(language: QuestionListParams['language']): RawBuilder<unknown> {
  return language ? sql`and language = ${language}` : sql``
}

// From the highest bounty down, each question is looked up among the tags; the inner limit keeps the planner from a scan of the tag.
function withBounty(
  viewer: Viewer,
  tagIds: readonly string[] | null,
  filter: BountyFilter,
  { allowCash, most, language }: { allowCash: boolean; most: number; language: QuestionListParams['language'] },
): RankedIds {
  const rank = { any: sql`-extract(epoch from ends_at)`, points: sql`points`, cash: sql`cents` }[filter]
  const order = filter === 'any' ? sql`ends_at` : sql`${rank} desc`
  const hasBounty = filter === 'any' ? sql`(points > 0 ${allowCash ? sql`or cents > 0` : sql``})` : sql`${rank} > 0`
  return sql`
    select bounty.topic_id as id, ${rank} as rank from bounty, lateral (
      select from topic_tag where topic_tag.topic_id = bounty.topic_id and is_listed ${isIn(language)} and ${tag.seenBy(viewer, 'topic_tag.place_id')}
        ${tagIds ? sql`and tag_id = any(${tagIds}::bigint[])` : sql``} limit 1) as one
    where state = 'open' and ${hasBounty} order by ${order}, bounty.topic_id desc limit ${most}`
}
