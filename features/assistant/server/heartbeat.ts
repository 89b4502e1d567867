import { sql } from 'kysely'
import type { Database } from '#base/server/database/database.ts'

/** An answer whose process says nothing for so long was cut off with it. */
export const silentSeconds = 60
const beatMs = 20_000

/** The answers that this process writes. */
const written = new Map<Database, Set<string>>()
let timer: ReturnType<typeof setInterval> | undefined

/** Says again and again that an answer is being written, until what it gives is called. One statement does for all of a process. */
export function keepAlive(database: Database, useId: string): () => void {
  const ids = written.get(database) ?? new Set<string>()
  written.set(database, ids.add(useId))
  // A beat that fails is made up for by the next; while the database is away, nobody counts.
  timer ??= setInterval(() => void beat().catch(() => undefined), beatMs).unref()
  return () => {
    ids.delete(useId)
    if (ids.size === 0 && written.get(database) === ids) written.delete(database)
    if (written.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Says of all answers of this process that they are being written. */
export async function beat(): Promise<void> {
  const beats = [...written].map(([{ app }, ids]) => {
    const all = [...ids]
    return sql`update assistant_use set beat_at = clock_timestamp() where id = any(${all}::bigint[]) and ended_at is null`.execute(app)
  })
  await Promise.all(beats)
}
