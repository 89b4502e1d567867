import type { Job } from '#base/server/jobs/jobs.ts'
import { refundDue } from '#hidden-part/server/refund-due.ts'

export const jobs: Job[] = [{ name: 'refund-hidden-parts', cron: '* * * * *', run: ({ database }) => refundDue(database) }]
