import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Kind, Row } from '#importer/server/importer.ts'

/** The rows of a kind in the order in which they are written. */
export type Exported<K extends Kind> = {
  count(tx: Db): Promise<number>
  rows(tx: Db): AsyncGenerator<Row<K>>
}

/** Rows of a query, each as the neutral shape has it. */
export function exported<Stored, Its extends object>({ query, from }: { query: RawBuilder<Stored>; from(stored: Stored): Its }) {
  return {
    count: (tx: Db) => countOf(tx, query),
    async *rows(tx: Db): AsyncGenerator<Its> {
      for await (const stored of cursorOver(tx, query)) yield from(stored)
    },
  }
}

/** Whether a thread comes along: what was erased for good, or merged into another, does not. */
export function isExported(topicId: string): RawBuilder<boolean> {
  return sql`exists (select from topic as kept where kept.id = ${sql.ref(topicId)} and kept.purged_at is null and kept.merged_as is null)`
}

export async function countOf(tx: Db, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (${query}) as its`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Rows of a query, some hundred at a time, however many there are. Queries that are read beside each other have cursors of their own. */
export async function* cursorOver<Stored>(tx: Db, query: RawBuilder<Stored>, name = 'exported_rows'): AsyncGenerator<Stored> {
  const cursor = sql.id(name)
  await sql`declare ${cursor} no scroll cursor for ${query}`.execute(tx)
  for (;;) {
    const { rows } = await sql<Stored>`fetch 500 from ${cursor}`.execute(tx)
    if (rows.length === 0) break
    yield* rows
  }
  await sql`close ${cursor}`.execute(tx)
}
