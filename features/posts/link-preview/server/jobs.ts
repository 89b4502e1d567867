import { deleteOlderThan } from '#base/server/database/data-retention.ts'
import type { BufferedWriter } from '#base/server/cache/write-behind.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import { fetchPreviews } from '#link-preview/server/fetch-previews.ts'
import { fetchJob, requestedPreviews } from '#link-preview/server/requested-previews.ts'

const keptUnreadDays = 30

export const jobs: Job[] = [
  { ...fetchJob, cron: '* * * * *', run: ({ database }) => fetchPreviews(database) },
  {
    name: 'forget-links',
    cron: '47 3 * * *',
    run: ({ database }) => deleteOlderThan(database.app, 'link_preview', 'try_at', keptUnreadDays),
  },
]

export const bufferedWriters: BufferedWriter[] = [requestedPreviews]
