import type { Job } from '#base/server/jobs/jobs.ts'
import { removeExpired, makeAll } from '#personal-data/server/make.ts'
import { makeJob } from '#personal-data/server/personal-data.ts'

/** Makes the archives that members asked for, and removes those that were kept for a week. */
const make: Job = {
  ...makeJob,
  cron: '*/5 * * * *',
  maxHours: 2,
  async run(ground) {
    await removeExpired(ground.database)
    await makeAll(ground)
  },
}

export const jobs = [make]
