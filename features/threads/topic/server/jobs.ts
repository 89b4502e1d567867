import { transact } from '#base/server/database/database.ts'
import type { BufferedWriter } from '#base/server/cache/write-behind.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import { decayHeat } from '#topic/server/heat.ts'
import { purgeExpiredViews, views } from '#topic/server/views.ts'

export const jobs: Job[] = [
  {
    name: 'cool-topics',
    cron: '*/10 * * * *',
    async run({ database }) {
      await transact(database, decayHeat)
      await purgeExpiredViews(database)
    },
  },
]

export const bufferedWriters: BufferedWriter[] = [views]
