import type { Job } from '#base/server/jobs/jobs.ts'
import { inboxJob } from '#payment/server/inbox.ts'
import { testActiveKeys } from '#payment/server/provider-admin.ts'
import { queryDue } from '#payment/server/query.ts'
import { refundDue, refundJob } from '#payment/server/refund.ts'
import { processInbox } from '#payment/server/settle.ts'

export const jobs: Job[] = [
  { ...inboxJob, cron: '* * * * *', run: ({ database }) => processInbox(database) },
  { ...refundJob, cron: '* * * * *', run: ({ database }) => refundDue(database) },
  { name: 'payment-query', cron: '* * * * *', run: ({ database }) => queryDue(database) },
  { name: 'payment-keys', cron: '20 2 * * *', run: ({ database }) => testActiveKeys(database) },
]
