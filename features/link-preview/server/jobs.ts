import { deleteOlderThan } from '#base/server/database/data-retention.ts'
import type { BufferedWriter } from '#base/server/cache/write-behind.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import { lookAtLinks } from '#link-preview/server/look.ts'
import { looking, wantedLinks } from '#link-preview/server/wanted.ts'

const keptUnreadDays = 30

export const jobs: Job[] = [
  { ...looking, cron: '* * * * *', run: ({ database }) => lookAtLinks(database) },
  {
    name: 'forget-links',
    cron: '47 3 * * *',
    run: ({ database }) => deleteOlderThan(database.app, 'link_preview', 'try_at', keptUnreadDays),
  },
]

export const bufferedWriters: BufferedWriter[] = [wantedLinks]
