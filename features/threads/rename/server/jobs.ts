import type { Job } from '#base/server/jobs/jobs.ts'
import { applyRenames } from '#rename/server/rename.ts'
import * as user from '#user/server/user.ts'

export const jobs: Job[] = [{ ...user.renaming, cron: '* * * * *', maxHours: 4, run: ({ database }) => applyRenames(database) }]
