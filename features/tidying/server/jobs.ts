import type { Job } from '#base/server/jobs.ts'
import { resume } from '#tidying/server/clean.ts'
import * as merge from '#tidying/server/merge.ts'

/** Goes on with what a cleaning or a merging has left, soon after it began, and after whatever stopped it. */
export const clean: Job = {
  name: 'tidying-clean',
  cron: '* * * * *',
  async run({ database }) {
    await resume(database)
    await merge.resume(database)
  },
}

export const jobs = [clean]
