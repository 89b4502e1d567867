import type { Db } from '#base/server/database/database.ts'
import { countUpTo } from '#base/server/database/paged.ts'
import type { Staff } from '#base/server/http/route.ts'
import { withoutRemoved } from '#review/server/rows.ts'
import * as staff from '#staff/server/staff.ts'

/** Counts pending posts that this actor may decide, up to a limit: staff do not judge their own posts, unless no other staff can. */
export async function waiting(db: Db, by: Staff): Promise<number> {
  const all = withoutRemoved(db).where('review.state', '=', 'waiting')
  const isAlone = await staff.isOnlyHolder(db, by.staff, 'content.review')
  return countUpTo(db, isAlone ? all : all.where('review.author_id', '<>', by.id))
}
