import type { PgBoss, QueueResult } from 'pg-boss'

// A working process sends a heartbeat, so the jobs of a dead one are soon free for others.
const heartbeatSeconds = 45
const keptDays = 3

type QueuedJob = { name: string; cron?: string; maxHours?: number }
type Queues = { stored: ReadonlyMap<string, QueueResult>; scheduled: ReadonlySet<string> }

export async function storedQueues(boss: PgBoss): Promise<Queues> {
  const [queues, schedules] = await Promise.all([boss.getQueues(), boss.getSchedules()])
  return { stored: new Map(queues.map((queue) => [queue.name, queue])), scheduled: new Set(schedules.map(({ name }) => name)) }
}

/** Creates the queue of a job, or gives one that an earlier version created the settings of this one. Staff's retention stays. */
export async function prepareQueue(boss: PgBoss, { name, cron, maxHours = 0.25 }: QueuedJob, { stored, scheduled }: Queues): Promise<void> {
  const policy = cron ? 'singleton' : 'standard'
  const settings = { retryLimit: 5, retryBackoff: true, heartbeatSeconds, expireInSeconds: maxHours * 3_600 }
  const queue = stored.get(name)
  if (!queue) await boss.createQueue(name, { policy, ...settings, deleteAfterSeconds: keptDays * 86_400 })
  else {
    const isChanged = (Object.keys(settings) as (keyof typeof settings)[]).some((setting) => queue[setting] !== settings[setting])
    if (isChanged) await boss.updateQueue(name, settings)
    if (queue.policy !== policy) await changePolicy(boss, name, policy)
  }
  if (!cron && scheduled.has(name)) await boss.unschedule(name)
}

// The library refuses it, for a queue may have jobs that break the new policy. Here jobs keep the one that they were made under.
async function changePolicy(boss: PgBoss, name: string, policy: string): Promise<void> {
  await boss.getDb().executeSql('update jobs.queue set policy = $2 where name = $1', [name, policy])
}
