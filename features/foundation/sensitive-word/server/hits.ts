import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { BufferedWriter } from '#base/server/cache/write-behind.ts'
import { perProgram } from '#base/server/program.ts'

const maxPending = 20_000

const countsOf = perProgram(() => new Map<string, number>())

/** Counts a hit of each of these words, once however often it stands in the text. */
export function countHits(db: Db, wordIds: Iterable<string>): void {
  const counts = countsOf(db)
  for (const id of wordIds) {
    if (counts.size < maxPending || counts.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
}

export const hits: BufferedWriter = {
  name: 'hits of sensitive words',
  async write(database: Database) {
    const counts = countsOf(database.app)
    if (counts.size === 0) return
    const flushed = [...counts].sort(([one], [other]) => Number(BigInt(one) - BigInt(other)))
    counts.clear()
    try {
      await add(database, flushed)
    } catch (error) {
      for (const [id, times] of flushed) counts.set(id, (counts.get(id) ?? 0) + times)
      throw error
    }
  },
}

async function add(database: Database, counts: readonly [string, number][]): Promise<void> {
  const ids = counts.map(([id]) => id)
  const times = counts.map(([, count]) => count)
  await transact(database, (tx) =>
    sql`
      update sensitive_word set hits = hits + met.times, last_hit_at = now()
      from unnest(${ids}::bigint[], ${times}::int[]) as met(id, times)
      where sensitive_word.id = met.id`.execute(tx),
  )
}
