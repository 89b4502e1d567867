import { transact } from '#base/server/database/database.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import * as setting from '#setting/server/setting.ts'
import { purgeExpiredTexts } from '#writing/server/throttle.ts'

export const jobs: Job[] = [
  {
    name: 'forget-said',
    cron: '17 * * * *',
    run: ({ database }) => transact(database, async (tx) => purgeExpiredTexts(tx, await setting.all(tx))),
  },
]
