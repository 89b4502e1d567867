import { sql } from 'kysely'
import type { Db, Parts } from '#base/server/database.ts'
import type { Viewer } from '#base/server/route.ts'

export type Counts = { topics: number; comments: number; replies: number }

/** Counts one more that a member has on the page in a tag, as a part of another statement. */
export function wrote(tx: Parts, memberId: string, tagId: string, what: keyof Counts) {
  return tx
    .insertInto('written')
    .values({ member_id: memberId, tag_id: tagId, [what]: 1 })
    .onConflict((there) => there.columns(['member_id', 'tag_id']).doUpdateSet({ [what]: sql`${sql.ref(`written.${what}`)} + 1` }))
}

/** Counts one less. */
export async function lost(tx: Db, memberId: string, tagId: string, what: keyof Counts): Promise<void> {
  await tx
    .updateTable('written')
    .set((row) => ({ [what]: row(what, '-', 1) }))
    .where('member_id', '=', memberId)
    .where('tag_id', '=', tagId)
    .execute()
}

/** What a member has on the page where this viewer may look. */
export async function countsFor(db: Db, viewer: Viewer, memberId: string): Promise<Counts> {
  const rows = await db
    .selectFrom('written')
    .select(['tag_id', 'topics', 'comments', 'replies'])
    .where('member_id', '=', memberId)
    .execute()
  const seen = rows.filter(({ tag_id }) => viewer.may('topic.view', tag_id))
  const sum = (what: keyof Counts) => seen.reduce((total, row) => total + row[what], 0)
  return { topics: sum('topics'), comments: sum('comments'), replies: sum('replies') }
}
