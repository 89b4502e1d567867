import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { maxListed, type Clause, type Filter } from '#search/server/engine.ts'
import { sharesOf } from '#search/server/postgres/shares.ts'
import { matchIn, type Slice } from '#search/server/postgres/slices.ts'
import { filterQueries, type Condition } from '#search/server/postgres/vector.ts'
import { hasNoUnindexedChange } from '#search/server/unindexed-changes.ts'
import * as tag from '#tag/server/tag.ts'

export type Row = { key: string; topic_id: string; published_at: Date; score: number; part: number; comment_count: number | null }
/** A select of such rows in their order. */
export type Hits = RawBuilder<Row>

// One more than the limit shows that there are more.
export const oneTooMany = maxListed + 1

// The order of hits takes it into account.
export const commentCount = sql`case when key like 'topic-%' then (select comment_count from topic where topic.id = topic_id) end as comment_count`

export function matchesIn(slices: readonly Slice[], conditions: readonly Condition[], filter: Filter): string[] {
  const all = [...conditions, ...filterQueries(filter)]
  return slices.map((slice) => matchIn(slice, all))
}

// A scan of this many entries is cheap.
export const smallScan = 1_500

/** By estimate, how many entries satisfy each clause. */
export async function expectedCounts(db: Db, clauses: readonly Clause[]): Promise<number[]> {
  const tokens = clauses.map(({ anyOf }) => anyOf.map(({ token, isStart }) => (isStart ? `${token}*` : token)))
  const { entries, of } = await sharesOf(db, tokens.flat())
  return tokens.map((some) => some.reduce((sum, token) => sum + entries * (of.get(token) ?? 0), 0))
}

export function visible({ scope, since, until }: Filter): RawBuilder<SqlBool> {
  return sql<boolean>`
    ${tag.within(scope, 'search_entry.tag_id')}
    and ${hasNoUnindexedChange}
    and published_at >= ${since ?? '-infinity'}::timestamptz and published_at < ${until ?? 'infinity'}::timestamptz`
}
