import { sql, type RawBuilder } from 'kysely'
import type { Value } from '#base/server/database/statement.ts'

export type CursorParts = { afterTime: string | null; afterId: string | null }

/** The values of a cursor; null without one. */
export function cursorParts(cursor: string | null): CursorParts {
  const [microseconds, id] = cursor?.split('.') ?? []
  return microseconds && id ? { afterTime: microseconds, afterId: id } : { afterTime: null, afterId: null }
}

/** The row after which a list continues, to compare with; infinity without a cursor. */
export function after({ afterTime, afterId }: { [Name in keyof CursorParts]: Value<CursorParts[Name]> }): RawBuilder<unknown> {
  return sql`(coalesce(timestamptz 'epoch' + ${afterTime}::bigint * interval '1 microsecond', 'infinity'), coalesce(${afterId}::bigint, 0))`
}

export function afterCursor(cursor: string | null): RawBuilder<unknown> {
  return after(cursorParts(cursor))
}

/** The cursor of a row. */
export function cursorOf(at: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(extract(epoch from ${at}) * 1000000)::bigint || '.' || ${id}`
}
