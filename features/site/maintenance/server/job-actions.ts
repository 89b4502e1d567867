import * as audit from '#audit/server/audit.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import * as board from '#base/server/jobs/job-board.ts'
import { featureOf } from '#base/server/jobs/jobs.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { JobGone, type jobBoard, type JobView, type retryJob } from '#maintenance/contract.ts'
import { maintenanceContext } from '#maintenance/server/maintenance.ts'
import { firstLine } from '#maintenance/server/problem.ts'

type FailedJob = ParsedInput<typeof retryJob>

// The read-only role has no access to the tables of jobs.
export async function show(): Promise<Output<typeof jobBoard>> {
  const db = maintenanceContext().database.app
  const [queues, jobs] = await Promise.all([board.queueBoard(db), board.pendingJobs(db)])
  return {
    isRun: queues !== null,
    queues: (queues ?? []).map(({ lastDoneAt, nextAt, ...queue }) => ({
      ...queue,
      feature: featureOf(db, queue.name),
      lastDoneAt: textOf(lastDoneAt),
      nextAt: textOf(nextAt),
    })),
    jobs: jobs.map((job) => ({ ...viewOf(job), feature: featureOf(db, job.name) })),
  }
}

function viewOf({ output, madeAt, startAt, begunAt, endedAt, ...job }: board.PendingJob): Omit<JobView, 'feature'> {
  return {
    ...job,
    madeAt: madeAt.toISOString(),
    startAt: startAt.toISOString(),
    begunAt: textOf(begunAt),
    endedAt: textOf(endedAt),
    code: output?.code ?? null,
    message: output?.message ? firstLine(output.message) : null,
  }
}

function textOf(date: Date | null): string | null {
  return date?.toISOString() ?? null
}

export async function retry(tx: Db, by: StaffActor, client: ClientInfo, job: FailedJob): Promise<void> {
  if (!(await board.retryJob(tx, job))) throw JobGone()
  await audit.note(tx, by, client, { action: 'job.retry', about: `job ${job.name}` })
}

export async function discard(tx: Db, by: StaffActor, client: ClientInfo, job: FailedJob): Promise<void> {
  if (!(await board.discardJob(tx, job))) throw JobGone()
  await audit.note(tx, by, client, { action: 'job.discard', about: `job ${job.name}` })
}
