import { sql } from 'kysely'
import type { Database } from '#base/server/database/database.ts'

/** An answer counts as cut off when its process missed its heartbeats for this time. */
export const silentSeconds = 60
const beatMs = 20_000

/** The running answers of this process. */
const runningUses = new Map<Database, Set<string>>()
let timer: ReturnType<typeof setInterval> | undefined

/** Sends heartbeats for an answer until the returned function is called. One statement serves all answers of a process. */
export function keepAlive(database: Database, useId: string): () => void {
  const ids = runningUses.get(database) ?? new Set<string>()
  runningUses.set(database, ids.add(useId))
  // The next heartbeat makes up for a failed one; while the database is away, no answer expires.
  timer ??= setInterval(() => void beat().catch(() => undefined), beatMs).unref()
  return () => {
    ids.delete(useId)
    if (ids.size === 0 && runningUses.get(database) === ids) runningUses.delete(database)
    if (runningUses.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** A heartbeat for all answers of this process. */
export async function beat(): Promise<void> {
  const beats = [...runningUses].map(([{ app }, ids]) => {
    const all = [...ids]
    return sql`update assistant_usage set beat_at = clock_timestamp() where id = any(${all}::bigint[]) and ended_at is null`.execute(app)
  })
  await Promise.all(beats)
}
