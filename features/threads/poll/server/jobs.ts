import type { Job } from '#base/server/jobs/jobs.ts'
import { endDue, endJob } from '#poll/server/end.ts'

export const jobs: Job[] = [{ ...endJob, cron: '* * * * *', run: ({ database }) => endDue(database) }]
