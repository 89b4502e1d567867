import { sql, type RawBuilder } from 'kysely'
import type { AiFilter } from '#ai-label/contract.ts'
import * as aiLabel from '#ai-label/server/ai-label.ts'
import type { Db } from '#base/server/database/database.ts'
import { inBatch } from '#batch/server/batch.ts'
import type { State } from '#content/views.ts'
import * as search from '#search/server/search.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'
import type { Kind, ThreadKind } from '#kind/contract.ts'

export type PostFilters = {
  keyword?: string | undefined
  isCommon?: boolean
  tagId?: string | undefined
  author?: string | undefined
  since?: string | undefined
  until?: string | undefined
  state?: State | undefined
  batchId?: string | undefined
  thread?: ThreadKind | undefined
  ai?: AiFilter | undefined
}

type Condition = RawBuilder<boolean>

/** The conditions of a list's filters. Every list joins `topic` under that name. */
export function conditions(table: Kind, filters: PostFilters): Condition[] {
  const { keyword, isCommon = false, tagId, author, since, until, state, batchId, thread, ai } = filters
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return [
    sql<boolean>`${column('purged_at')} is null`,
    ...(keyword ? [contains(table, keyword, isCommon)] : []),
    ...(tagId ? [sql<boolean>`topic.tag_id in (select id from tag where tag.id = ${tagId} or tag.parent_id = ${tagId})`] : []),
    ...(author ? [sql<boolean>`${column('author_id')} in (${user.memberIdsNamed(author)})`] : []),
    ...(since ? [sql<boolean>`${column('published_at')} >= ${new Date(since)}`] : []),
    ...(until ? [sql<boolean>`${column('published_at')} < ${new Date(until)}`] : []),
    ...(state ? [hasState(table, state)] : []),
    ...(thread ? [sql<boolean>`${column(table === 'topic' ? 'kind' : 'thread_kind')} = ${thread}`] : []),
    ...(ai ? [aiLabel.isLabelled(table, ai)] : []),
    ...(batchId ? [sql<boolean>`${column('id')} in (${inBatch(table, batchId)})`] : []),
  ]
}

/** A select expression for the state of a row. */
export function stateOf(table: Kind): RawBuilder<State> {
  const [status, deletedBy] = [sql.ref(`${table}.status`), sql.ref(`${table}.deleted_by`)]
  return sql<State>`case when ${status} = 'pending' and ${isRejected(table)} then 'rejected' when ${status} <> 'deleted' then ${status} when ${deletedBy} = 'author' then 'deletedByAuthor' else 'deletedByStaff' end`
}

function isRejected(table: Kind) {
  const its = sql`review.kind = ${table} and review.post_id = ${sql.ref(`${table}.id`)}`
  return sql`exists (select from review where ${its} and ${writing.isRejected})`
}

/** Chooses the plan for a page of a list: for a very frequent word, a scan in list order is faster than the word index. */
export async function withPlanHint<Asked extends PostFilters>(
  db: Db,
  table: Kind,
  filters: Asked,
): Promise<Asked & Pick<PostFilters, 'isCommon'>> {
  return { ...filters, isCommon: filters.keyword !== undefined && (await search.isCommon(db, table, filters.keyword)) }
}

// The search index yields candidates, and each is compared with its present text. A keyword without words is compared with all texts.
function contains(table: Kind, keyword: string, isCommon: boolean): Condition {
  const ids = isCommon ? null : search.candidateIds(table, keyword)
  return ids ? sql<boolean>`(${sql.ref(`${table}.id`)} in (${ids}) and ${containsNow(table, keyword)})` : containsNow(table, keyword)
}

// Compares text nodes of the document, not its markup; for a topic also the title.
function containsNow(table: Kind, keyword: string): Condition {
  const path = `$.**.text ? (@ like_regex ${JSON.stringify(keyword)} flag "iq")`
  const inBody = sql`jsonb_path_exists(${sql.ref(`${table}.body`)}, ${path}::jsonpath)`
  return table === 'topic'
    ? sql<boolean>`(topic.title ilike ${likePattern(keyword)} or ${inBody} or ${inPostscript(path)})`
    : sql<boolean>`${inBody}`
}

function inPostscript(path: string) {
  return sql`exists (select from postscript where postscript.topic_id = topic.id and jsonb_path_exists(postscript.body, ${path}::jsonpath))`
}

function likePattern(keyword: string): string {
  return `%${keyword.replaceAll(/[\\%_]/g, '\\$&')}%`
}

// One condition for each state, literally that of its partial index.
function hasState(table: Kind, state: State): Condition {
  const [status, deletedBy] = [sql.ref(`${table}.status`), sql.ref(`${table}.deleted_by`)]
  if (state === 'published') return sql<boolean>`${status} = 'published'`
  if (state === 'pending') return sql<boolean>`${status} = 'pending' and not ${isRejected(table)}`
  if (state === 'rejected') return sql<boolean>`${status} = 'pending' and ${isRejected(table)}`
  const isByAuthor = state === 'deletedByAuthor'
  return isByAuthor
    ? sql<boolean>`${status} = 'deleted' and ${deletedBy} = 'author'`
    : sql<boolean>`${status} = 'deleted' and ${deletedBy} = 'staff'`
}
