import type { Job } from '#base/server/jobs.ts'
import { inboxJob } from '#payment/server/inbox.ts'
import { queryDue } from '#payment/server/query.ts'
import { settleAll } from '#payment/server/settle.ts'

export const jobs: Job[] = [
  { ...inboxJob, cron: '* * * * *', run: ({ database }) => settleAll(database) },
  { name: 'payment-query', cron: '* * * * *', run: ({ database }) => queryDue(database) },
]
