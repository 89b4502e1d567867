import type { Job } from '#base/server/jobs/jobs.ts'
import { eraseDue } from '#leaving/server/erase.ts'
import { sendReminders } from '#leaving/server/erasure-reminder.ts'

/** Erases the accounts whose owners asked for it and did not return, and reminds them on the day before. */
const erase: Job = {
  name: 'leaving-erase',
  cron: '*/10 * * * *',
  maxHours: 2,
  async run({ database }) {
    await sendReminders(database)
    await eraseDue(database)
  },
}

export const jobs = [erase]
