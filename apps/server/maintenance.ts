import { join } from 'node:path'
import { proveBooks } from '#apps/server/prove-books.ts'
import type { Config } from '#base/server/config.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import { writeBackup } from '#database/backup.ts'
import { rehearse } from '#database/rehearsal.ts'
import type { FindingsView } from '#maintenance/contract.ts'
import { jobsWith } from '#maintenance/server/jobs.ts'
import type { Tools } from '#maintenance/server/tools.ts'

type MaintenanceOptions = { config: Pick<Config, 'dataDir' | 'store'>; ownerUrl: string }

/** The maintenance jobs, with the operator's own tools for backups. */
export function maintaining(ground: MaintenanceOptions): Job[] {
  return jobsWith(toolsOf(ground))
}

export function toolsOf({ config: { dataDir, store }, ownerUrl }: MaintenanceOptions): Tools {
  const files = join(dataDir, 'files')
  return {
    async writeBackup(wish) {
      await proveBooks(ownerUrl)
      return writeBackup({ ...wish, ownerUrl, files, now: new Date() })
    },
    async rehearse(wish): Promise<FindingsView> {
      const { rows, ...found } = await rehearse({ ...wish, ownerUrl, hasStore: store !== null })
      return { ...found, members: rows.member, topics: rows.topic, comments: rows.comment, replies: rows.reply }
    },
  }
}
