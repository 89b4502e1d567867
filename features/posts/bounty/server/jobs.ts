import type { Job } from '#base/server/jobs/jobs.ts'
import { endDue } from '#bounty/server/due.ts'

export const jobs: Job[] = [{ name: 'end-bounties', cron: '* * * * *', run: ({ database }) => endDue(database) }]
