import type { Db } from '#base/server/database/database.ts'
import { hurry } from '#base/server/jobs/jobs.ts'

export const renaming = { name: 'follow-names' }

/** Has the texts that mention a member follow their new name at once. The database notes each new name by itself; those that nobody hurries follow within a minute. */
export function renamed(tx: Db): Promise<void> {
  return hurry(tx, renaming)
}
