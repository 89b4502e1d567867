import { sql, type SelectQueryBuilder } from 'kysely'
import type { z } from 'zod'
import { listParams, maxBulkRows, filterOf, NoneMatch, TooManyMatch, type BulkSelection } from '#base/list.ts'
import type { Db } from '#base/server/database/database.ts'
import { countUpTo } from '#base/server/database/paged.ts'
import { Malformed } from '#base/server/http/request.ts'

const maxCount = 100_000

/** The selected ids, each once and in one order, so that two bulk actions on the same rows wait for one another without a deadlock. */
export async function resolveSelection<Tables, From extends keyof Tables, Row extends { id: string }>(
  db: Db,
  selection: BulkSelection,
  queryFor: (all: Record<string, string>) => SelectQueryBuilder<Tables, From, Row>,
): Promise<string[]> {
  const { ids, all, everything = false } = selection
  if ([ids !== undefined, all !== undefined, everything].filter(Boolean).length !== 1) throw Malformed()
  if (all && Object.keys(all).length === 0) throw Malformed()
  const which = ids ?? (await idsOf(db, queryFor(filterOf(selection) ?? {})))
  return [...new Set(which)].toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1))
}

/** The filter of a list, parsed by the list's own input schema; a filter that narrows nothing is refused. */
export function parseFilter<Takes extends z.ZodObject>(list: { input: Takes }, all: Record<string, string>): z.output<Takes> {
  if (listParams.some((name) => Object.hasOwn(all, name))) throw Malformed()
  return list.input.strict().parse(all) as z.output<Takes>
}

async function idsOf<Tables, From extends keyof Tables, Row>(db: Db, query: SelectQueryBuilder<Tables, From, Row>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from (${query}) as found limit ${maxBulkRows + 1}`.execute(db)
  if (rows.length === 0) throw NoneMatch()
  if (rows.length <= maxBulkRows) return rows.map(({ id }) => id)
  const count = await countUpTo(db, query, maxCount)
  throw TooManyMatch({ count, most: maxBulkRows, far: count < maxCount ? 'no' : 'yes' })
}
