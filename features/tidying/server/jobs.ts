import type { Job } from '#base/server/jobs.ts'
import { goOn } from '#tidying/server/clean.ts'
import * as merge from '#tidying/server/merge.ts'

/** Goes on with what a cleaning or a merging has left, soon after it began, and after whatever stopped it. */
export const clean: Job = {
  name: 'tidying-clean',
  cron: '* * * * *',
  async run({ database }) {
    await goOn(database)
    await merge.goOn(database)
  },
}

export const jobs = [clean]
