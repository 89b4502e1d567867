import type { Job } from '#base/server/jobs.ts'
import { goOn } from '#content/server/batch-steps.ts'

/** Does what large batches have left, soon after they begin, and after whatever stopped them. */
export const onward: Job = {
  name: 'content-batch',
  cron: '* * * * *',
  longestHours: 6,
  async run({ database }) {
    await goOn(database)
  },
}

export const jobs = [onward]
