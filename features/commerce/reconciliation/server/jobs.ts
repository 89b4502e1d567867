import type { Job } from '#base/server/jobs/jobs.ts'
import { fetchStatements } from '#reconciliation/server/statement.ts'

export const jobs: Job[] = [{ name: 'payment-statement', cron: '17 * * * *', run: ({ database, log }) => fetchStatements(database, log) }]
