import { sql } from 'kysely'
import type { Output, Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import { editsIn } from '#audit/server/edits.ts'
import { paged } from '#base/server/paged.ts'
import type { auditLog } from '#audit/contract.ts'
import { called } from '#audit/server/called.ts'

const id = sql`staff_deed.id`
// Deeds are numbered in the order in which they were done.
const keys = { at: { by: id, as: 'bigint' } } as const

export async function list(db: Db, asked: Taken<typeof auditLog>): Promise<Output<typeof auditLog>> {
  const { account, deed, about, since, until } = asked
  let query = db
    .selectFrom('staff_deed')
    .select(['id', 'at', 'staff_id as staffId', 'account', 'ip', 'deed', 'about', 'reason', 'before', 'after'])
  if (account) query = query.where('account', '=', account)
  if (deed) query = query.where(sql<boolean>`(deed = ${deed} or starts_with(deed, ${deed} || '.'))`)
  if (about) query = query.where('about', '=', about)
  if (since) query = query.where('at', '>=', new Date(since))
  if (until) query = query.where('at', '<', new Date(until))
  const page = await paged(db, query, { ...asked, keys, id })
  const [edits, names] = await Promise.all([
    editsIn(db, page.rows),
    called(
      db,
      page.rows.map(({ about }) => about),
    ),
  ])
  return {
    ...page,
    rows: page.rows.map((row) => ({
      ...row,
      at: row.at.toISOString(),
      called: names.get(row.about ?? '') ?? null,
      edit: edits.get(row.id) ?? null,
    })),
  }
}
