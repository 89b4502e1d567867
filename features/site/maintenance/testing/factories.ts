import { pino } from 'pino'
import type { JobContext } from '#base/server/jobs/jobs.ts'
import type { Forum } from '#base/testing/forum.ts'
import { runTask, type Actions } from '#maintenance/server/work.ts'

export function jobGround({ database, dataDir }: Pick<Forum, 'database' | 'dataDir'>): JobContext {
  return { database, dataDir, log: pino({ level: 'silent' }) }
}

/** Runs all waiting or interrupted tasks, as the job does. */
export async function workDone(forum: Pick<Forum, 'database' | 'dataDir'>, actions: Actions): Promise<void> {
  const rows = await forum.database.app
    .selectFrom('maintenance_task')
    .select('id')
    .where('state', 'in', ['waiting', 'running'])
    .orderBy('id')
    .execute()
  for (const { id } of rows) await runTask(jobGround(forum), id, actions)
}
