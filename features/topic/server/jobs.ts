import { transact } from '#base/server/database.ts'
import type { Gathering } from '#base/server/gather.ts'
import type { Job } from '#base/server/jobs.ts'
import { cool } from '#topic/server/heat.ts'
import { views } from '#topic/server/views.ts'

export const jobs: Job[] = [
  {
    name: 'cool-topics',
    cron: '*/10 * * * *',
    run: ({ database }) => transact(database, cool),
  },
]

export const gatherings: Gathering[] = [views]
