import { sql, type RawBuilder } from 'kysely'

/** The row after which a list continues, to compare with; infinity without a cursor. */
export function afterCursor(cursor: string | null): RawBuilder<unknown> {
  const [microseconds, id] = cursor?.split('.') ?? []
  if (!microseconds || !id) return sql`('infinity'::timestamptz, 0::bigint)`
  return sql`(timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond', ${id}::bigint)`
}

/** The cursor of a row. */
export function cursorOf(at: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(extract(epoch from ${at}) * 1000000)::bigint || '.' || ${id}`
}
