import type { Job } from '#base/server/jobs/jobs.ts'
import { resume } from '#member-cleanup/server/clean.ts'
import * as merge from '#member-cleanup/server/merge.ts'

/** Resumes what a cleaning or a merging has left, soon after it began, and after whatever stopped it. */
export const clean: Job = {
  // The queue in the database bears this name.
  name: 'tidying-clean',
  cron: '* * * * *',
  async run({ database }) {
    await resume(database)
    await merge.resume(database)
  },
}

export const jobs = [clean]
