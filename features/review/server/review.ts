import type { Db } from '#base/server/database.ts'
import { counted } from '#base/server/paged.ts'
import { alive } from '#review/server/rows.ts'

/** How many posts wait until staff have looked at them, as far as is counted. */
export function waiting(db: Db): Promise<number> {
  return counted(db, alive(db).where('review.state', '=', 'waiting'))
}
