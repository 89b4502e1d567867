import { transact, type Database } from '#base/server/database/database.ts'
import { deleteOlderThan } from '#base/server/database/data-retention.ts'
import { setJobRetention } from '#base/server/jobs/job-board.ts'
import { runSoon, type Job, type JobContext } from '#base/server/jobs/jobs.ts'
import { list, sweep } from '#maintenance/server/backups.ts'
import { backupsFolder } from '#maintenance/server/maintenance.ts'
import { nextAfter } from '#maintenance/server/schedule.ts'
import { actionsWith, type Tools } from '#maintenance/server/tools.ts'
import { enqueue, orphans, runTask } from '#maintenance/server/work.ts'
import { newest } from '#maintenance/server/work-view.ts'
import * as setting from '#setting/server/setting.ts'

// The result of a rehearsal matters while its backup exists.
const worksDays = 400

/** The name is known before the handler: callers only enqueue it. */
export const work: Pick<Job<{ workId: string }>, 'name'> = { name: 'maintenance-work' }

export function jobsWith(tools: Tools): Job[] {
  const actions = actionsWith(tools)
  const worker: Job<{ workId: string }> = { ...work, maxHours: 12, run: (context, { workId }) => runTask(context, workId, actions) }
  return [
    worker,
    { name: 'maintenance-tick', cron: '* * * * *', run: tick },
    { name: 'maintenance-forget', cron: '27 * * * *', run: purge },
  ]
}

/** Resumes the tasks of processes that ended, starts scheduled backups, and deletes removed ones. */
export async function tick({ database, dataDir }: JobContext): Promise<void> {
  for (const workId of await orphans(database)) await transact(database, (tx) => runSoon(tx, work, { workId }))
  await beginIfDue(database, dataDir)
  await sweep(backupsFolder(dataDir))
}

async function purge({ database }: JobContext): Promise<void> {
  const { jobDays } = await setting.all(database.reader)
  await setJobRetention(database.app, jobDays)
  await deleteOlderThan(database.app, 'maintenance_task', 'ended_at', worksDays)
}

async function beginIfDue(database: Database, dataDir: string, now = new Date()): Promise<void> {
  const { backupDays: days, backupHour: hour, timeZone } = await setting.all(database.reader)
  const next = nextAfter(await lastScheduled(database, dataDir), now, { days, hour, timeZone })
  if (!next || next > now) return
  const [last] = await newest(database.app, ['backup'], 1)
  if (last && !last.endedAt) return
  await transact(database, async (tx) => runSoon(tx, work, { workId: (await enqueue(tx, 'backup', { by: null })).id }))
}

/** Failed backups count too: the next attempt is the next scheduled one. */
export async function lastScheduled({ app }: Pick<Database, 'app'>, dataDir: string): Promise<Date | null> {
  const backup = (await list(backupsFolder(dataDir))).find(({ by }) => by === null)
  const queued = await app
    .selectFrom('maintenance_task')
    .select('asked_at')
    .where('kind', '=', 'backup')
    .where('asked_by', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const times = [backup?.at, queued?.asked_at].filter((one) => one !== undefined)
  return times.length > 0 ? new Date(Math.max(...times.map((one) => one.getTime()))) : null
}
