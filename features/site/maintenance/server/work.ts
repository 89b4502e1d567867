import { sql } from 'kysely'
import { isUnavailable, isDuplicate, transact, type Database, type Db } from '#base/server/database/database.ts'
import type { JobContext } from '#base/server/jobs/jobs.ts'
import { AlreadyAtIt, type FindingsView, type kinds, type WorkView } from '#maintenance/contract.ts'
import { problemOf } from '#maintenance/server/problem.ts'
import { view } from '#maintenance/server/work-view.ts'

type Kind = (typeof kinds)[number]
export type ReportProgress = (step: string, done: number, total: number) => void
export type Task = { id: string; kind: Kind; about: string | null; by: string | null }
export type Result = { about?: string; findings?: FindingsView }
/** The handler of each kind of task. It may run again after a crash. */
export type Actions = Record<Kind, (context: JobContext, task: Task, tell: ReportProgress) => Promise<Result>>

const lockClass = 7_205_117
const maxAttempts = 3
const progressIntervalMs = 400

/** Queues a task. Only one of each kind runs at a time. */
export async function enqueue(tx: Db, kind: Kind, { about = null, by }: { about?: string | null; by: string | null }): Promise<WorkView> {
  try {
    const row = { kind, about, asked_by: by }
    return view(await tx.insertInto('maintenance_task').values(row).returningAll().executeTakeFirstOrThrow())
  } catch (error) {
    throw isDuplicate(error) ? AlreadyAtIt() : error
  }
}

/**
 * Runs a task, unless it is finished or another process runs it. Failures are recorded; after an outage of the database the task is
 * retried.
 */
export async function runTask(context: JobContext, workId: string, actions: Actions): Promise<void> {
  await context.database.app.connection().execute(async (connection) => {
    if (!(await isFree(connection, workId))) return
    try {
      const task = await begin(context.database, workId)
      if (task) await attempt(context, task, actions)
    } finally {
      await sql`select pg_advisory_unlock(${lockClass}::int, ${workId}::int)`.execute(connection)
    }
  })
}

/** Tasks that were started or have waited for a while without a process: theirs has ended. */
export async function orphans({ app }: Database): Promise<string[]> {
  const rows = await app
    .selectFrom('maintenance_task')
    .select('id')
    .where('state', 'in', ['waiting', 'running'])
    .where(sql<boolean>`(state = 'running' or asked_at < now() - interval '1 minute')`)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

// An advisory lock ends with its connection, so a process that dies releases it immediately.
async function isFree(connection: Db, workId: string): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_lock(${lockClass}::int, ${workId}::int) as free`.execute(connection)
  return rows[0]?.free ?? false
}

async function begin(database: Database, workId: string): Promise<Task | null> {
  const row = await transact(database, (tx) =>
    tx
      .updateTable('maintenance_task')
      .set((eb) => ({ state: 'running', begun_at: sql`coalesce(begun_at, now())`, tries: eb('tries', '+', 1), done: '0', total: '0' }))
      .where('id', '=', workId)
      .where('state', 'in', ['waiting', 'running'])
      .returning(['id', 'kind', 'about', 'asked_by as by', 'tries'])
      .executeTakeFirst(),
  )
  if (!row) return null
  if (row.tries > maxAttempts) {
    await end(database, workId, { state: 'failed', problem: 'gaveUp' })
    return null
  }
  return row
}

async function attempt(context: JobContext, task: Task, actions: Actions): Promise<void> {
  const { database, log } = context
  const saying = progressWriter(context, task.id)
  try {
    const { about, findings } = await actions[task.kind](context, task, saying.tell)
    await saying.said()
    const isWell = !findings || isSound(findings)
    await end(database, task.id, {
      state: isWell ? 'done' : 'failed',
      ...(about && { about }),
      found: findings ? JSON.stringify(findings) : null,
    })
  } catch (error) {
    const { problem, detail } = problemOf(error)
    if (problem === 'other' && isUnavailable(error)) throw error
    log.warn({ err: error, work: task.kind }, 'Maintenance failed')
    await saying.said()
    await end(database, task.id, { state: 'failed', problem, detail })
  }
}

function isSound({ pending, differ, brokenAt, breaches }: FindingsView): boolean {
  return pending === 0 && differ.length === 0 && brokenAt === null && breaches === 0
}

type TaskEnd = { state: 'done' | 'failed'; about?: string; problem?: string; detail?: string; found?: string | null }

async function end(database: Database, workId: string, how: TaskEnd): Promise<void> {
  await transact(database, (tx) =>
    tx
      .updateTable('maintenance_task')
      .set({ ...how, ended_at: sql`now()`, step: null })
      .where('id', '=', workId)
      .execute(),
  )
}

/** Stores the progress, a few times a second at most. */
function progressWriter({ database: { app }, log }: JobContext, workId: string) {
  let last = { step: '', at: 0 }
  let writing: Promise<unknown> = Promise.resolve()

  function tell(step: string, done: number, total: number): void {
    const now = performance.now()
    if (step === last.step && now - last.at < progressIntervalMs) return
    last = { step, at: now }
    const words = { step, done: String(done), total: String(total) }
    writing = writing
      .then(() => app.updateTable('maintenance_task').set(words).where('id', '=', workId).execute())
      .catch((error: unknown) => log.warn({ err: error }, 'How far maintenance is could not be written'))
  }

  return { tell, said: () => writing }
}
