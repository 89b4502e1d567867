import { sql, type RawBuilder } from 'kysely'

/** The place beyond which a list goes on, as a row to compare with; the very beginning without one. */
export function afterCursor(before: string | null): RawBuilder<unknown> {
  const [microseconds, id] = before?.split('.') ?? []
  if (!microseconds || !id) return sql`('infinity'::timestamptz, 0::bigint)`
  return sql`(timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond', ${id}::bigint)`
}

/** The place of a row, to go on from. */
export function cursorOf(at: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(extract(epoch from ${at}) * 1000000)::bigint || '.' || ${id}`
}
