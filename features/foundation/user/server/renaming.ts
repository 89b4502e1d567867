import type { Db } from '#base/server/database/database.ts'
import { runSoon } from '#base/server/jobs/jobs.ts'

export const renaming = { name: 'follow-names' }

/**
 * Updates the texts that mention a member to their new name at once. The database records each new name by itself; texts whose job is not
 * requested follow within a minute.
 */
export function enqueueRenames(tx: Db): Promise<void> {
  return runSoon(tx, renaming)
}
