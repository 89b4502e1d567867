import { sql } from 'kysely'
import { fromKysely } from 'pg-boss'
import type { Db } from '#base/server/database/database.ts'
import { nextRun } from '#base/server/jobs/cron.ts'
import { bossOf } from '#base/server/jobs/jobs.ts'

export type QueueStatus = {
  name: string
  cron: string | null
  waiting: number
  running: number
  failed: number
  lastDoneAt: Date | null
  nextAt: Date | null
}

export type PendingJob = {
  id: string
  name: string
  state: 'created' | 'retry' | 'active' | 'failed'
  tries: number
  madeAt: Date
  startAt: Date
  begunAt: Date | null
  endedAt: Date | null
  output: { message?: string; code?: string } | null
}

const maxRows = 200

/** Every queue with its waiting, running and failed jobs; null if this process runs no jobs. */
export async function queueBoard(db: Db, now = new Date()): Promise<QueueStatus[] | null> {
  const boss = bossOf(db)
  if (!boss) return null
  const [queues, schedules, counts] = await Promise.all([boss.getQueues(), boss.getSchedules(), countsByQueue(db)])
  const crons = new Map(schedules.map(({ name, cron }) => [name, cron]))
  return queues
    .filter(({ name }) => !name.startsWith('__'))
    .map(({ name }) => {
      const cron = crons.get(name) ?? null
      const found = counts.get(name)
      return {
        name,
        cron,
        waiting: found?.waiting ?? 0,
        running: found?.running ?? 0,
        failed: found?.failed ?? 0,
        lastDoneAt: found?.last_done ?? null,
        nextAt: found?.next_start ?? (cron === null ? null : nextRun(cron, now)),
      }
    })
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
}

type Counts = { name: string; waiting: number; running: number; failed: number; last_done: Date | null; next_start: Date | null }

// Counted here: the library's counts are a minute old.
async function countsByQueue(db: Db): Promise<Map<string, Counts>> {
  const { rows } = await sql<Counts>`
    select name, count(*) filter (where state < 'active')::int as waiting, count(*) filter (where state = 'active')::int as running,
      count(*) filter (where state = 'failed')::int as failed, max(completed_on) filter (where state = 'completed') as last_done,
      min(start_after) filter (where state < 'active') as next_start
    from jobs.job group by name`.execute(db)
  return new Map(rows.map((row) => [row.name, row]))
}

/** Failed, running and waiting jobs, one by one. */
export async function pendingJobs(db: Db): Promise<PendingJob[]> {
  if (!bossOf(db)) return []
  const { rows } = await sql<PendingJob>`
    select id, name, state, retry_count as tries, created_on as "madeAt", start_after as "startAt", started_on as "begunAt",
      completed_on as "endedAt", output
    from jobs.job where (state <= 'active' or state = 'failed') and not starts_with(name, '__')
    order by state desc, created_on desc limit ${maxRows}`.execute(db)
  return rows
}

export type JobTroubles = { failed: number; /** For how long the oldest one that is due has waited. */ lateSeconds: number }

/** The same in two numbers, also where others run the jobs. */
export async function jobTroubles(db: Db): Promise<JobTroubles> {
  const { rows } = await sql<JobTroubles>`
    select count(*) filter (where state = 'failed')::int as failed,
      coalesce(extract(epoch from max(now() - start_after) filter (where state = 'created' and start_after < now())), 0)::float8 as "lateSeconds"
    from jobs.job where not starts_with(name, '__')`.execute(db)
  return rows[0] ?? { failed: 0, lateSeconds: 0 }
}

type FailedJobId = { name: string; id: string }

/** Retries a failed job; false if it is gone or has not failed. */
export async function retryJob(tx: Db, { name, id }: FailedJobId): Promise<boolean> {
  const boss = bossOf(tx)
  if (!boss || !(await lockFailed(tx, { name, id }))) return false
  await boss.retry(name, id, { db: fromKysely(tx) })
  return true
}

/** Deletes a failed job; false if it is gone or has not failed. */
export async function discardJob(tx: Db, { name, id }: FailedJobId): Promise<boolean> {
  const boss = bossOf(tx)
  if (!boss || !(await lockFailed(tx, { name, id }))) return false
  await boss.deleteJob(name, id, { db: fromKysely(tx) })
  return true
}

/** Keeps what was done and what failed for so many days. */
export async function setJobRetention(db: Db, days: number): Promise<void> {
  const boss = bossOf(db)
  const deleteAfterSeconds = days * 86_400
  for (const queue of (await boss?.getQueues()) ?? []) {
    if (!queue.name.startsWith('__') && queue.deleteAfterSeconds !== deleteAfterSeconds)
      await boss?.updateQueue(queue.name, { deleteAfterSeconds })
  }
}

async function lockFailed(tx: Db, { name, id }: FailedJobId): Promise<boolean> {
  const { rows } = await sql`select from jobs.job where name = ${name} and id = ${id}::uuid and state = 'failed' for update`.execute(tx)
  return rows.length > 0
}
