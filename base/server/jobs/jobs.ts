import { fromKysely, PgBoss, type JobResult, type QueueResult } from 'pg-boss'
import type { Database, Db } from '#base/server/database/database.ts'
import type { Log } from '#base/server/log.ts'
import { limitStatements } from '#base/server/database/statement-limit.ts'
import { perProgram } from '#base/server/program.ts'
import { histogram } from '#base/server/histogram.ts'
import { prepareQueue, storedQueues } from '#base/server/jobs/queue.ts'
import { connectAsOwner } from '#base/server/database/connect-as-owner.ts'
import { jobsSize } from '#base/server/database/connection-count.ts'
import { appRole } from '#base/server/database/roles.ts'

const schema = 'jobs'

const heartbeatRefreshSeconds = 10
const superviseSeconds = 20

export type JobContext = { database: Database; log: Log; dataDir: string }

/** Slow or regular work. It may run twice, so it must be idempotent. */
export type Job<Data extends object = object> = {
  name: string
  /** The folder of the feature that brings it, which has its words; set where the program puts its features together. */
  feature?: string
  /** The schedule, as a cron expression in UTC. */
  cron?: string
  /** The time limit, if longer than a quarter of an hour. */
  maxHours?: number
  run(context: JobContext, data: Data): Promise<void>
}

const inUse = perProgram((): { boss: PgBoss | null; features: ReadonlyMap<string, string | undefined> } => ({
  boss: null,
  features: new Map(),
}))
const stopping = new WeakSet<PgBoss>()

export const jobSeconds = histogram('teahouse_job_seconds', 'Duration of jobs in this process in seconds.', ['job', 'outcome'])

/** Creates or upgrades the tables of the jobs, as the owner. */
export async function prepareJobs(ownerUrl: string): Promise<void> {
  const maker = new PgBoss({ connectionString: limitStatements(ownerUrl, null), schema, supervise: false, schedule: false, max: 1 })
  const broken = new Promise<never>((_, fail) => maker.on('error', fail))
  try {
    await Promise.race([maker.start(), broken])
  } finally {
    await maker.stop({ graceful: false })
  }
  const client = await connectAsOwner(ownerUrl)
  try {
    await client.query(`
      grant usage on schema ${schema} to ${appRole};
      grant select, insert, update, delete on all tables in schema ${schema} to ${appRole};
      grant usage on all sequences in schema ${schema} to ${appRole};
      grant execute on all functions in schema ${schema} to ${appRole}`)
  } finally {
    await client.end()
  }
}

/** Runs the jobs of this process until stopped. Their work grows with the forum, so they have no statement timeout. */
export async function startJobs(
  appUrl: string,
  jobs: readonly Job[],
  { database, ...rest }: JobContext,
): Promise<{ stop(): Promise<void> }> {
  const context = { ...rest, database: database.longRunning }
  const started = new PgBoss({
    connectionString: limitStatements(appUrl, null),
    schema,
    migrate: false,
    createSchema: false,
    max: jobsSize,
    application_name: 'teahouse jobs',
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  })
  started.on('error', (error) => context.log.warn({ err: error }, 'The jobs met an error'))
  try {
    await started.start()
    const queues = await storedQueues(started)
    for (const job of jobs) {
      await prepareQueue(started, job, queues)
      await registerJob(started, job, context)
    }
    await started.supervise()
  } catch (error) {
    await started.stop({ graceful: false })
    throw error
  }
  const its = inUse(database.app)
  its.boss = started
  its.features = new Map(jobs.map(({ name, feature }) => [name, feature]))
  return {
    async stop() {
      its.boss = null
      stopping.add(started)
      await started.stop({ graceful: true, timeout: 10_000 })
    },
  }
}

/** Enqueues a job in the write's own transaction: it runs if that commits, and never otherwise. */
export async function enqueue<Data extends object>(tx: Db, job: Pick<Job<Data>, 'name'>, data: Data): Promise<void> {
  const boss = bossOf(tx)
  if (!boss) throw new Error(`${job.name} cannot be put aside: the jobs are not running`)
  await boss.send(job.name, data, { db: fromKysely(tx) })
}

/** Runs a scheduled job early, if jobs run here. */
export async function runSoon(tx: Db, job: Pick<Job, 'name'>, data: object = {}): Promise<void> {
  if (bossOf(tx)) await enqueue(tx, job, data)
}

/** The runner of the program's jobs; null where this process runs none. */
export function bossOf(db: Db): PgBoss | null {
  return inUse(db).boss
}

/** The feature that brings this job; null for jobs that this version does not have. */
export function featureOf(db: Db, job: string): string | null {
  return inUse(db).features.get(job) ?? null
}

/** Counts of waiting and running jobs, of all processes together; none while this process runs no jobs. */
export async function queues(db: Db): Promise<QueueResult[]> {
  return (await bossOf(db)?.getQueues()) ?? []
}

async function registerJob(started: PgBoss, job: Job, context: JobContext): Promise<void> {
  await started.work<object>(
    job.name,
    { batchSize: 20, burstWhenBatchFull: true, perJobResults: true, heartbeatRefreshSeconds },
    async (batch) => {
      const results: JobResult[] = []
      for (const { id, data } of batch) {
        const { error, ...result } = await runJob(job, context, data ?? {})
        // A job that outlasts the shutdown is restarted by another process.
        if (error !== null && !stopping.has(started)) context.log.warn({ err: error, job: job.name }, 'A job failed')
        results.push({ id, ...result })
      }
      return results
    },
  )
  if (job.cron) await started.schedule(job.name, job.cron)
}

function outputOf(error: unknown): object {
  if (!(error instanceof Error)) return {}
  return { message: error.message, ...('code' in error && { code: String(error.code) }) }
}

// A failed job is retried by itself: the others of its batch are done.
async function runJob(job: Job, context: JobContext, data: object): Promise<Omit<JobResult, 'id'> & { error: unknown }> {
  const began = performance.now()
  const took = (outcome: string) => jobSeconds.observe([job.name, outcome], (performance.now() - began) / 1000)
  try {
    await job.run(context, data)
    took('done')
    return { status: 'completed', error: null }
  } catch (error) {
    took('failed')
    return { status: 'failed', output: outputOf(error), error }
  }
}
