import type { Job } from '#base/server/jobs/jobs.ts'
import { inboxJob } from '#payment/server/inbox.ts'
import { tryKeysInUse } from '#payment/server/provider-desk.ts'
import { queryDue } from '#payment/server/query.ts'
import { refundDue, refundJob } from '#payment/server/refund.ts'
import { settleAll } from '#payment/server/settle.ts'
import { takeStatements } from '#payment/server/statement.ts'

export const jobs: Job[] = [
  { ...inboxJob, cron: '* * * * *', run: ({ database }) => settleAll(database) },
  { ...refundJob, cron: '* * * * *', run: ({ database }) => refundDue(database) },
  { name: 'payment-query', cron: '* * * * *', run: ({ database }) => queryDue(database) },
  { name: 'payment-keys', cron: '20 2 * * *', run: ({ database }) => tryKeysInUse(database) },
  { name: 'payment-statement', cron: '17 * * * *', run: ({ database, log }) => takeStatements(database, log) },
]
