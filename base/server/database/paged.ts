import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { countLimit, type Paging } from '#base/list.ts'
import { Malformed } from '#base/server/http/request.ts'

/** A sort key: never null, and of this type in the database. */
export type SortKey = { by: RawBuilder<unknown>; as: 'timestamptz' | 'date' | 'bigint' | 'text' }
export type SortKeys<Sort extends string> = Record<Sort, SortKey>

export type Page<Row> = { rows: Row[]; next: string | null; previous: string | null; count: number }

const sqlTypes = { timestamptz: sql`timestamptz`, date: sql`date`, bigint: sql`bigint`, text: sql`text` }

/** The part of each source that a merged query needs: so many rows beyond this key, ascending or descending. */
export type MergeWindow = { isAscending: boolean; fromKey: string | null; limit: number }

type Cursor = { key: string; id: string; isBack: boolean }

type Sorting<Sort extends string> = Paging<Sort> & { keys: SortKeys<Sort>; id: RawBuilder<unknown> }

/**
 * One page of a query that has neither order nor limit, by keyset, so that the last page costs the same as the first. Its rows must have an
 * `id`. Refuses a foreign cursor.
 */
export function paged<Tables, From extends keyof Tables, Row extends { id: string }, Sort extends string>(
  db: Db,
  query: SelectQueryBuilder<Tables, From, Row>,
  sorting: Sorting<Sort>,
): Promise<Page<Row>> {
  return pagedMerge(db, () => query, sorting)
}

/** The same for a query merged of several, built for each window. */
export async function pagedMerge<Tables, From extends keyof Tables, Row extends { id: string }, Sort extends string>(
  db: Db,
  queryFor: (reach: MergeWindow) => SelectQueryBuilder<Tables, From, Row>,
  { keys, id, sort, order, size, cursor }: Sorting<Sort>,
): Promise<Page<Row>> {
  const { by, as } = keys[sort]
  const from = cursor === undefined ? null : parseCursor(cursor, as)
  const isBack = from?.isBack ?? false
  const isUp = (order === 'desc') === isBack
  const [direction, comparison] = isUp ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`]
  const sorted = queryFor({ isAscending: isUp, fromKey: from?.key ?? null, limit: size + 1 })
    .select(sql<string>`(${by})::text`.as('sorted_by'))
    .$castTo<Row & { sorted_by: string }>()
  const continued = from
    ? sorted.where(sql<boolean>`(${by}, ${id}) ${comparison} (${from.key}::${sqlTypes[as]}, ${from.id}::bigint)`)
    : sorted
  const found = await continued
    .orderBy(sql`${by} ${direction}, ${id} ${direction}`)
    .limit(size + 1)
    .execute()
  const rows = found.slice(0, size)
  const isMore = found.length > size
  if (isBack) rows.reverse()
  const edges = { first: rows[0], last: rows.at(-1) }
  return {
    rows: rows.map((row) => withoutSortKey<Row>(row)),
    next: edges.last && (isBack || isMore) ? cursorOf(edges.last, false) : null,
    previous: edges.first && (isBack ? isMore : from !== null) ? cursorOf(edges.first, true) : null,
    count: await countUpTo(db, queryFor({ isAscending: false, fromKey: null, limit: countLimit })),
  }
}

// The sort key is internal.
function withoutSortKey<Row>(row: Row & { sorted_by: string }): Row {
  const result: Row & { sorted_by?: string } = { ...row }
  delete result.sorted_by
  return result
}

/** The number of rows of a query, up to `to`. */
export async function countUpTo<Tables, From extends keyof Tables, Row>(
  db: Db,
  query: SelectQueryBuilder<Tables, From, Row>,
  to = countLimit,
): Promise<number> {
  const few = query
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(to)
  const { rows } = await sql<{ count: string }>`select count(*) as count from (${few}) as few`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

function cursorOf({ sorted_by, id }: { sorted_by: string; id: string }, isBack: boolean): string {
  return Buffer.from(JSON.stringify([sorted_by, id, isBack])).toString('base64url')
}

const keyPatterns = {
  bigint: /^-?\d{1,18}$/,
  timestamptz: /^\d{4}-(0[1-9]|1[0-2])-([0-2]\d|30|31) \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d$/,
  date: /^\d{4}-(0[1-9]|1[0-2])-([0-2]\d|30|31)$/,
  text: /^[^\0]{0,300}$/,
}

function parseCursor(cursor: string, as: SortKey['as']): Cursor {
  const [key, id, isBack] = decodeCursor(cursor)
  if (typeof key !== 'string' || typeof id !== 'string' || typeof isBack !== 'boolean') throw Malformed()
  if (
    !keyPatterns[as].test(key) ||
    !keyPatterns.bigint.test(id) ||
    ((as === 'timestamptz' || as === 'date') && Number.isNaN(Date.parse(key)))
  )
    throw Malformed()
  return { key, id, isBack }
}

function decodeCursor(cursor: string): unknown[] {
  try {
    const found: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(found) ? found : []
  } catch {
    throw Malformed()
  }
}
