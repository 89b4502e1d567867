import { anyOf, type Db } from '#base/server/database.ts'
import { counted } from '#base/server/paged.ts'
import type { Staff } from '#base/server/route.ts'
import { shownCurrencies } from '#wallet/server/shown.ts'

/** How many adjustments wait that this one may agree to, which are others'. */
export async function adjustmentsWaiting(db: Db, by: Staff): Promise<number> {
  const query = db
    .selectFrom('adjustment')
    .where('state', '=', 'waiting')
    .where('asked_by', '<>', by.staff.id)
    .where('member_id', '<>', by.id)
    .where('currency', '=', anyOf(await shownCurrencies(db)))
  return counted(db, query)
}
