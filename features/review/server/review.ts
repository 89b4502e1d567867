import type { Db } from '#base/server/database.ts'
import { counted } from '#base/server/paged.ts'

/** How many posts wait until staff have looked at them, as far as is counted. */
export function waiting(db: Db): Promise<number> {
  return counted(db, db.selectFrom('review').where('state', '=', 'waiting'))
}
