import type { Job } from '#base/server/jobs/jobs.ts'
import { resume } from '#member-cleanup/server/clean.ts'
import * as merge from '#member-cleanup/server/merge.ts'

/** Resumes clean-ups and merges, soon after they began, and after any interruption. */
export const clean: Job = {
  // The queue in the database has this name.
  name: 'tidying-clean',
  cron: '* * * * *',
  async run({ database }) {
    await resume(database)
    await merge.resume(database)
  },
}

export const jobs = [clean]
