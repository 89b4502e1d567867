import type { Job } from '#base/server/jobs/jobs.ts'
import { deleteExpiredUploads, removeStrays, removeUnused } from '#file/server/cleaning.ts'
import { renderAll } from '#file/server/rendering.ts'
import { storage } from '#file/server/storage.ts'

export const jobs: Job[] = [
  {
    name: 'file-render',
    cron: '* * * * *',
    async run({ database, log }) {
      const rendered = await renderAll(database, await storage(database.reader), log)
      if (rendered > 0) log.info({ rendered }, 'Pictures were made smaller')
    },
  },
  {
    name: 'file-remove-unused',
    cron: '7 * * * *',
    async run({ database, log }) {
      const place = await storage(database.reader)
      const removed = (await removeUnused(database, place)) + (await deleteExpiredUploads(database, place))
      if (removed > 0) log.info({ removed }, 'Unused files were cleared away')
    },
  },
  {
    name: 'file-remove-strays',
    cron: '37 3 * * *',
    async run({ database, log }) {
      const removed = await removeStrays(database, await storage(database.reader))
      if (removed > 0) log.info({ removed }, 'Files that nobody knew were cleared away')
    },
  },
]
