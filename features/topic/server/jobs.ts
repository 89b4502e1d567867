import { transact } from '#base/server/database.ts'
import type { BufferedWriter } from '#base/server/gather.ts'
import type { Job } from '#base/server/jobs.ts'
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

export const gatherings: BufferedWriter[] = [views]
