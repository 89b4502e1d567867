import type { BufferedWriter } from '#base/server/cache/write-behind.ts'
import { transact } from '#base/server/database/database.ts'
import { deleteOlderThan } from '#base/server/database/data-retention.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import * as setting from '#setting/server/setting.ts'
import { answers, hourDays } from '#statistic/server/answer-times.ts'
import { countDays } from '#statistic/server/counting.ts'
import { pageViews } from '#statistic/server/statistic.ts'

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)

export const jobs: Job[] = [
  { name: 'count-days', cron: '* * * * *', run: ({ database }) => transact(database, countDays) },
  {
    name: 'forget-page-views',
    cron: '17 3 * * *',
    async run({ database }) {
      const { pageViewDays, pageViewIpDays, searchWordDays, answerTimeDays } = await setting.all(database.reader)
      await deleteOlderThan(database.app, 'page_view', 'at', pageViewDays)
      await deleteOlderThan(database.app, 'day_search', 'day', searchWordDays)
      await deleteOlderThan(database.app, 'answer_time', 'at', answerTimeDays)
      await transact(database, async (tx) => {
        await tx.deleteFrom('answer_time').where('span', '=', 'hour').where('at', '<', daysAgo(hourDays)).execute()
        await tx.updateTable('page_view').set({ ip: null }).where('at', '<', daysAgo(pageViewIpDays)).where('ip', 'is not', null).execute()
      })
    },
  },
]

export const bufferedWriters: BufferedWriter[] = [pageViews, answers]
