import { sql } from 'kysely'
import { transact, type Database } from '#base/server/database/database.ts'
import type { BufferedWriter } from '#base/server/cache/write-behind.ts'

const mostWaiting = 20_000

let waiting = new Map<string, number>()

/** These words were met, each once however often it stands in the text. */
export function hit(wordIds: Iterable<string>): void {
  for (const id of wordIds) {
    if (waiting.size < mostWaiting || waiting.has(id)) waiting.set(id, (waiting.get(id) ?? 0) + 1)
  }
}

export const hits: BufferedWriter = {
  name: 'hits of sensitive words',
  async write(database: Database) {
    if (waiting.size === 0) return
    const taken = [...waiting].sort(([one], [other]) => Number(BigInt(one) - BigInt(other)))
    waiting = new Map()
    try {
      await add(database, taken)
    } catch (error) {
      for (const [id, times] of taken) waiting.set(id, (waiting.get(id) ?? 0) + times)
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
