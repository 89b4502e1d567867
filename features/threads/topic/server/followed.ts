import { sql, type RawBuilder } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { after, cursorOf, cursorParts, type CursorParts } from '#base/server/database/cursor.ts'
import { statement, type Parameters, type Value } from '#base/server/database/statement.ts'
import { isSeen, scopeIds, type ScopeIds } from '#base/server/database/within.ts'
import type { Member } from '#base/server/http/route.ts'
import { maxFollowed } from '#follow/contract.ts'
import * as follow from '#follow/server/follow.ts'
import { threadKinds } from '#kind/contract.ts'
import * as posts from '#post/server/post.ts'
import * as setting from '#setting/server/setting.ts'
import type { followedThreads, Why } from '#topic/followed-contract.ts'
import { cards } from '#topic/server/card.ts'
import { withKeys } from '#topic/server/with-keys.ts'

type FeedQuery = ScopeIds & CursorParts & { memberId: string; limit: number }
type Feed = { query: Parameters<FeedQuery>; onlyQuestions: boolean }

type FeedRow = { id: string; at: Date; why: Why | 'again'; place: string }

/** An empty page makes the query continue with the next one, up to this many times. */
const maxPages = 8

/**
 * The feed of a member: new posts in followed threads, threads with new posts in followed tags, and threads opened by followed
 * members. The query reads the indexes of the lists (fan-out on read), so that a post costs the same however many members follow.
 */
export async function list(
  db: Db,
  member: Member,
  { onlyQuestions, before }: ParsedInput<typeof followedThreads>,
): Promise<Output<typeof followedThreads>> {
  const { topicsPerPage: perPage } = await setting.all(db)
  const query = { memberId: member.id, limit: perPage + 1, ...scopeIds(member.where('tag.view')) }
  let [next, visible]: [string | null, FeedRow[]] = [before ?? null, []]
  for (let page = 0; page < maxPages && visible.length === 0 && (page === 0 || next); page++) {
    const rows = await feeds[onlyQuestions ? 'ofQuestions' : 'ofAll'](db, { ...query, ...cursorParts(next) })
    next = rows.length > perPage ? (rows[perPage - 1]?.place ?? null) : null
    visible = rows.slice(0, perPage).filter(({ why }) => why !== 'again')
  }
  const ids = visible.map(({ id }) => id)
  const topics = await withKeys(db, member, await cards(db, ids))
  const threads = topics.flatMap((topic) => {
    const row = visible.find(({ id }) => id === topic.id)
    return row && row.why !== 'again' ? [{ topic, why: row.why, at: row.at.toISOString() }] : []
  })
  return { threads, next }
}

const feeds = { ofAll: feedRows(false), ofQuestions: feedRows(true) }

// A thread found for several reasons at the same time appears once.
function feedRows(onlyQuestions: boolean) {
  return statement((_, query: Parameters<FeedQuery>) => {
    const feed = { query, onlyQuestions }
    return sql<FeedRow>`
      with mine as materialized (${follow.feedChoices(query.memberId, isSeen(query, 'tag.id'))})
      select id, at, max(why) as why, ${cursorOf(sql`at`, sql`id`)} as place
      from (${sql.join([inThreads(feed), inTags(feed), byMembers(feed)], sql` union all `)}) as found
      group by id, at order by at desc, id desc limit ${query.limit}`
  })
}

type Choice = 'tag_ids' | 'muted_tag_ids' | 'muted_thread_ids' | 'muted_member_ids'
const mine = (choice: Choice) => sql`(select ${sql.ref(choice)} from mine)::bigint[]`

/** The condition for a thread to appear in the feed. The status is a literal, so that the planner can use the partial indexes. */
function isInFeed({ query, onlyQuestions }: Feed) {
  return sql`topic.status = 'published' and ${onlyQuestions ? sql`topic.kind = 'question' and` : sql``} ${isSeen(query, 'topic.tag_id')}
    and topic.author_id <> all(${mine('muted_member_ids')}) and topic.id <> all(${mine('muted_thread_ids')})`
}

// Excludes muted threads and those at the default level.
const isFollowing = sql`level in ('watching', 'tracking')`

function inThreads(feed: Feed) {
  const { memberId, limit } = feed.query
  return sql`(
    select its.id, its.at, 'thread' as why
    from (
      select of_id from follow where member_id = ${memberId} and of = 'topic' and ${isFollowing} order by at desc limit ${maxFollowed}
    ) as followed, lateral (${byId(feed, sql`of_id`)}) as its
    left join topic_read_position as read on read.member_id = ${memberId} and read.topic_id = its.id
    where its.floors > coalesce(read.floor, 0) and ${isAfterAllRead(memberId, 'its.at')}
    order by its.at desc, its.id desc limit ${limit})`
}

// A thread marked as read with its list is new again with the next post.
function isAfterAllRead(memberId: Value<string>, at: string) {
  return sql`${sql.ref(at)} > coalesce(${posts.markedReadAt(memberId, 'its.tag_id')}, '-infinity')`
}

// The limit keeps the planner from a plan that scans all topics.
function byId(feed: Feed, id: RawBuilder<unknown>) {
  return sql`
    select id, last_reply_at as at, floors, tag_id from topic
    where topic.id = ${id} and ${isInFeed(feed)} and (last_reply_at, id) < ${after(feed.query)} limit 1`
}

// The latest of each tag from its index, merged. Pinned topics are few and have an index of their own. Threads may have further tags.
function inTags(feed: Feed) {
  const { limit } = feed.query
  const [tagIds, before] = [mine('tag_ids'), after(feed.query)]
  const further = sql`
    select its.id, its.at from unnest(${tagIds}) as asked(tag_id), lateral (
      select topic_id from topic_tag
      where topic_tag.tag_id = asked.tag_id and is_listed and (topic_tag.last_reply_at, topic_id) < ${before}
      order by topic_tag.last_reply_at desc, topic_id desc limit ${limit}
    ) as one, lateral (${byId(feed, sql`one.topic_id`)}) as its`
  const all = sql`
    select one.id, one.at from unnest(${tagIds}) as asked(tag_id), lateral (
      select id, last_reply_at as at from topic where topic.tag_id = asked.tag_id and pin = 0 and ${isInFeed(feed)}
        and (last_reply_at, id) < ${before}
      order by last_reply_at desc, id desc limit ${limit}
    ) as one
    union all
    select id, last_reply_at from topic where pin > 0 and tag_id = any(${tagIds}) and ${isInFeed(feed)}
      and (last_reply_at, id) < ${before}`
  return sql`(
    select id, at, 'tag' as why from (${further} ${feed.onlyQuestions ? sql`` : sql`union all ${all}`}) as tagged
    order by at desc, id desc limit ${limit})`
}

/**
 * Ordered by publication time, which the index provides. Only the authors with the newest topics before the cursor can appear on
 * this page, so each of the others costs one index lookup. A thread that is in the feed for another reason, too, appeared on an
 * earlier page: nothing is written before publication. Those, and threads in muted tags, are removed only afterwards, so that the
 * index yields the newest of each.
 */
function byMembers(feed: Feed) {
  const { memberId, limit: most } = feed.query
  const newest = (author: RawBuilder<unknown>, kind: RawBuilder<unknown>, limit: Value<number>) => sql`
    select topic.id, topic.published_at as at, topic.tag_id, topic.floors, topic.last_reply_at from topic
    where topic.author_id = ${author} and topic.kind = ${kind} and ${isInFeed(feed)} and (topic.published_at, topic.id) < ${after(feed.query)}
    order by topic.published_at desc, topic.id desc limit ${limit}`
  const isHereAlready = sql`(
    its.tag_id = any(${mine('tag_ids')})
    or (select true from topic_tag where topic_id = its.id and topic_tag.tag_id = any(${mine('tag_ids')}) limit 1)
    or exists (
      select from follow left join topic_read_position as read on read.member_id = ${memberId} and read.topic_id = its.id
      where of = 'topic' and of_id = its.id and ${isFollowing} and follow.member_id = ${memberId} and its.floors > coalesce(read.floor, 0)
        and ${isAfterAllRead(memberId, 'its.last_reply_at')}))`
  const kinds = feed.onlyQuestions ? ['question'] : threadKinds
  return sql`(
    select its.id, its.at, case when its.tag_id = any(${mine('muted_tag_ids')}) or ${isHereAlready} then 'again' else 'member' end as why
    from (
      select of_id, asked.kind from follow, unnest(${kinds}::text[]) as asked(kind), lateral (${newest(sql`of_id`, sql`asked.kind`, 1)}) as head
      where follow.member_id = ${memberId} and of = 'member'
      order by head.at desc, head.id desc limit ${most}
    ) as author, lateral (${newest(sql`author.of_id`, sql`author.kind`, most)}) as its
    order by its.at desc, its.id desc limit ${most})`
}
