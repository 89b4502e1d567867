import type { Job } from '#base/server/jobs.ts'
import { endDue } from '#red-envelope/server/end.ts'
import { payAll, payJob } from '#red-envelope/server/pay.ts'

export const jobs: Job[] = [
  { ...payJob, cron: '* * * * *', run: ({ database }) => payAll(database) },
  { name: 'red-envelope-end', cron: '* * * * *', run: ({ database }) => endDue(database) },
]
