import type { Output, Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { auditLog } from '#audit/contract.ts'

const perPage = 50

export async function list(db: Db, asked: Taken<typeof auditLog>): Promise<Output<typeof auditLog>> {
  const { staffId, deed, about, from, until, page } = asked
  const rows = await db
    .selectFrom('staff_deed')
    .select(['id', 'at', 'staff_id', 'account', 'ip', 'deed', 'about', 'reason', 'before', 'after'])
    .$if(staffId !== undefined, (query) => query.where('staff_id', '=', staffId ?? null))
    .$if(deed !== undefined, (query) => query.where('deed', '=', deed ?? ''))
    .$if(about !== undefined, (query) => query.where('about', '=', about ?? ''))
    .$if(from !== undefined, (query) => query.where('at', '>=', new Date(from ?? 0)))
    .$if(until !== undefined, (query) => query.where('at', '<', new Date(until ?? 0)))
    .orderBy('id', 'desc')
    .limit(perPage + 1)
    .offset((page - 1) * perPage)
    .execute()
  const deeds = rows.slice(0, perPage).map(({ staff_id, at, ...row }) => ({ ...row, staffId: staff_id, at: at.toISOString() }))
  return { deeds, page, hasMore: rows.length > perPage }
}
