import type { Job } from '#base/server/jobs/jobs.ts'
import type { BufferedWriter } from '#base/server/cache/write-behind.ts'
import { transact, type Database } from '#base/server/database/database.ts'
import { endDue } from '#red-envelope/server/end.ts'
import { openWaiting } from '#red-envelope/server/presence.ts'
import { payAll, payScheduled, payJob } from '#red-envelope/server/pay.ts'
import { notifyEnding } from '#red-envelope/server/notifications.ts'

/** Claims of this process are paid a moment later; the job pays those of a process that died. */
export const payments: BufferedWriter = { name: 'payments of red envelopes', write: payScheduled }

export const jobs: Job[] = [
  { ...payJob, cron: '* * * * *', run: ({ database }) => payAll(database) },
  { name: 'red-envelope-end', cron: '* * * * *', run: ({ database }) => endAndOpen(database) },
  {
    name: 'red-envelope-ending',
    cron: '* * * * *',
    async run({ database }) {
      while (await transact(database, notifyEnding)) continue
    },
  },
]

async function endAndOpen(database: Database): Promise<void> {
  await endDue(database)
  await openWaiting(database)
}
