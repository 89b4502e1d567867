import type { Job } from '#base/server/jobs/jobs.ts'
import { eraseDue } from '#leaving/server/erase.ts'
import { remind } from '#leaving/server/remind.ts'

/** Erases the accounts whose owners asked for it and did not return, and reminds them on the day before. */
const erase: Job = {
  name: 'leaving-erase',
  cron: '*/10 * * * *',
  maxHours: 2,
  async run({ database }) {
    await remind(database)
    await eraseDue(database)
  },
}

export const jobs = [erase]
