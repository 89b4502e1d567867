import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { Entry, Key } from '#search/server/engine.ts'
import { countsTag } from '#search/server/postgres/shares.ts'
import { coreVector, weekOf, wordsVector } from '#search/server/postgres/vector.ts'

export async function write(tx: Db, entries: readonly Entry[], removed: readonly Key[]): Promise<void> {
  const keys = [...removed, ...entries.map(({ key }) => key)]
  if (keys.length === 0) return
  const before = await tx.selectFrom('search_entry').select(['key', 'published_at']).where('key', '=', anyOf(keys)).execute()
  if (removed.length > 0) await tx.deleteFrom('search_entry').where('key', '=', anyOf(removed)).execute()
  await enter(tx, entries)
  await countWeeks(
    tx,
    before.map((row) => row.published_at),
    entries.map((entry) => entry.publishedAt),
  )
}

export async function removeTopics(tx: Db, topicIds: readonly string[]): Promise<void> {
  const rows = await tx.deleteFrom('search_entry').where('topic_id', '=', anyOf(topicIds)).returning('published_at').execute()
  await countWeeks(
    tx,
    rows.map((row) => row.published_at),
    [],
  )
}

export async function sweep(tx: Db, since: Date): Promise<void> {
  const rows = await tx.deleteFrom('search_entry').where('written_at', '<', since).returning('published_at').execute()
  await countWeeks(
    tx,
    rows.map((row) => row.published_at),
    [],
  )
}

async function enter(tx: Db, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  const column = <T>(of: (entry: Entry) => T) => entries.map(of)
  await sql`
    insert into search_entry (key, kind, topic_id, tag_id, published_at, core, words)
    select key, kind, topic_id, tag_id, published_at, core::tsvector, words::tsvector
    from unnest(
      ${column((entry) => entry.key)}::text[], ${column((entry) => entry.kind)}::text[], ${column((entry) => entry.topicId)}::bigint[],
      ${column((entry) => entry.tagId)}::bigint[], ${column((entry) => entry.publishedAt.toISOString())}::timestamptz[],
      ${column(coreVector)}::text[], ${column(wordsVector)}::text[]
    ) as entered(key, kind, topic_id, tag_id, published_at, core, words)
    on conflict (key) do update set
      topic_id = excluded.topic_id, tag_id = excluded.tag_id, published_at = excluded.published_at, written_at = now(),
      core = excluded.core, words = excluded.words`.execute(tx)
}

async function countWeeks(tx: Db, less: readonly Date[], more: readonly Date[]): Promise<void> {
  const counts = new Map<number, number>()
  for (const date of less) counts.set(weekOf(date), (counts.get(weekOf(date)) ?? 0) - 1)
  for (const date of more) counts.set(weekOf(date), (counts.get(weekOf(date)) ?? 0) + 1)
  const changed = [...counts].filter(([, by]) => by !== 0).sort(([one], [other]) => one - other)
  if (changed.length === 0) return
  const { rows } = await sql<{ is_new: boolean }>`
    insert into search_week (week, entries)
    select week, by from unnest(${changed.map(([week]) => week)}::int[], ${changed.map(([, by]) => by)}::int[]) as counted(week, by)
    on conflict (week) do update set entries = search_week.entries + excluded.entries
    returning xmax = 0 as is_new`.execute(tx)
  // Searches look into the weeks that they know.
  if (rows.some((row) => row.is_new)) invalidate(tx, countsTag)
}
