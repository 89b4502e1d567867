import type { Gathering } from '#base/server/gather.ts'
import type { Job } from '#base/server/jobs.ts'
import { pageViews } from '#statistic/server/statistic.ts'

const keptDays = 400

export const jobs: Job[] = [
  {
    name: 'forget-page-views',
    cron: '17 3 * * *',
    async run({ database }) {
      const until = new Date(Date.now() - keptDays * 86_400_000)
      await database.app.deleteFrom('page_view').where('at', '<', until).execute()
    },
  },
]

export const gatherings: Gathering[] = [pageViews]
