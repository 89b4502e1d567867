import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Log } from '#base/server/log.ts'

/** A process that runs jobs is seen twice a minute. */
export const maxUnattendedSeconds = 180
const checkMs = 60_000

/** How many seconds ago a process that runs jobs was last seen, by the clock of the database; null if there never was one. */
export async function unattendedSeconds(db: Db): Promise<number | null> {
  // Whoever runs jobs looks for those that are due, and leaves its time here.
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from clock_timestamp() - cron_on)::float8 as seconds from jobs.version`.execute(db)
  return rows[0]?.seconds ?? null
}

/** Warns while no process has run jobs for minutes. The returned function ends it. */
export function watchUnattended(db: Db, log: Log, everyMs = checkMs): () => void {
  const since = Date.now()
  let isMissed = false

  async function check(): Promise<void> {
    // Before the first one was seen, the time counts from our own start.
    const seconds = (await unattendedSeconds(db)) ?? (Date.now() - since) / 1_000
    const isUnattended = seconds > maxUnattendedSeconds
    if (isUnattended) log.warn({ seconds: Math.round(seconds) }, 'No process runs jobs. Start one with "npm run teahouse -- jobs"')
    else if (isMissed) log.info('Jobs are run again')
    isMissed = isUnattended
  }

  // A database that is away is reported by others.
  const timer = setInterval(() => void check().catch(() => undefined), everyMs).unref()
  return () => clearInterval(timer)
}
