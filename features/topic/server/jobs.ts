import { transact } from '#base/server/database/database.ts'
import type { BufferedWriter } from '#base/server/cache/write-behind.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import { cool } from '#topic/server/heat.ts'
import { forgetLooks, views } from '#topic/server/views.ts'

export const jobs: Job[] = [
  {
    name: 'cool-topics',
    cron: '*/10 * * * *',
    async run({ database }) {
      await transact(database, cool)
      await forgetLooks(database)
    },
  },
]

export const bufferedWriters: BufferedWriter[] = [views]
