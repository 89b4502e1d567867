import type { Job } from '#base/server/jobs/jobs.ts'
import { find } from '#collusion/server/collusion.ts'

export const jobs: Job[] = [{ name: 'find-collusion', cron: '23 * * * *', maxHours: 2, run: ({ database }) => find(database) }]
