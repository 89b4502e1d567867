import type { Job } from '#base/server/jobs.ts'
import { goOn } from '#tidying/server/clean.ts'

/** Goes on with what a cleaning has left, soon after it began, and after whatever stopped it. */
export const clean: Job = {
  name: 'tidying-clean',
  cron: '* * * * *',
  async run({ database }) {
    await goOn(database)
  },
}

export const jobs = [clean]
