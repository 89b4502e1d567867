import type { Gathering } from '#base/server/gather.ts'
import { transact } from '#base/server/database.ts'
import type { Job } from '#base/server/jobs.ts'
import * as setting from '#setting/server/setting.ts'
import { countDays } from '#statistic/server/counting.ts'
import { pageViews } from '#statistic/server/statistic.ts'

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)

export const jobs: Job[] = [
  { name: 'count-days', cron: '* * * * *', run: ({ database }) => transact(database, countDays) },
  {
    name: 'forget-page-views',
    cron: '17 3 * * *',
    run: ({ database }) =>
      transact(database, async (tx) => {
        const { pageViewDays, pageViewIpDays } = await setting.all(tx)
        await tx.deleteFrom('page_view').where('at', '<', daysAgo(pageViewDays)).execute()
        await tx.updateTable('page_view').set({ ip: null }).where('at', '<', daysAgo(pageViewIpDays)).where('ip', 'is not', null).execute()
      }),
  },
]

export const gatherings: Gathering[] = [pageViews]
