import type { Db } from '#base/server/database/database.ts'
import { counted } from '#base/server/database/paged.ts'
import type { Staff } from '#base/server/http/route.ts'
import { alive } from '#review/server/rows.ts'
import * as staff from '#staff/server/staff.ts'

/** How many posts wait until they have looked at them, as far as is counted: nobody judges their own, unless nobody else may. */
export async function waiting(db: Db, by: Staff): Promise<number> {
  const all = alive(db).where('review.state', '=', 'waiting')
  const isAlone = await staff.isAlone(db, by.staff, 'content.review')
  return counted(db, isAlone ? all : all.where('review.author_id', '<>', by.id))
}
