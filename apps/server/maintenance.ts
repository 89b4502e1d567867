import { join } from 'node:path'
import { checkBooksAt } from '#apps/server/check-books.ts'
import type { Config } from '#base/server/config.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import { writeBackup } from '#database/backup.ts'
import { rehearse } from '#database/rehearsal.ts'
import type { FindingsView } from '#maintenance/contract.ts'
import { jobsWith } from '#maintenance/server/jobs.ts'
import type { Tools } from '#maintenance/server/tools.ts'

type MaintenanceOptions = { config: Pick<Config, 'dataDir' | 'store'>; ownerUrl: string }

/** The maintenance jobs, with the operator's own tools for backups. */
export function maintenanceJobs(options: MaintenanceOptions): Job[] {
  return jobsWith(maintenanceTools(options))
}

export function maintenanceTools({ config: { dataDir, store }, ownerUrl }: MaintenanceOptions): Tools {
  const files = join(dataDir, 'files')
  return {
    async writeBackup(request) {
      await checkBooksAt(ownerUrl)
      return writeBackup({ ...request, ownerUrl, files, now: new Date() })
    },
    async rehearse(request): Promise<FindingsView> {
      const { rows, ...found } = await rehearse({ ...request, ownerUrl, hasStore: store !== null })
      return { ...found, members: rows.member, topics: rows.topic, comments: rows.comment, replies: rows.reply }
    },
  }
}
