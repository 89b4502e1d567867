import { transact } from '#base/server/database/database.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import { purgeExpired } from '#draft/server/draft.ts'

export const jobs: Job[] = [
  {
    name: 'forget-drafts',
    cron: '47 3 * * *',
    run: ({ database }) => transact(database, purgeExpired),
  },
]
