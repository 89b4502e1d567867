import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Kind } from '#kind/contract.ts'

/** The version stored by the latest edit, withheld from members if requested; null for a post that was not published. */
export async function withholdLatest(tx: Db, kind: Kind, postId: string, isWithheld: boolean): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(`${kind}_revision`)} where ${sql.ref(`${kind}_id`)} = ${postId} order by id desc limit 1`.execute(tx)
  const versionId = rows[0]?.id ?? null
  if (versionId && isWithheld) await withhold(tx, kind, versionId, true)
  return versionId
}

/** Withholds all earlier versions, since they contain in public what is hidden now. */
export async function withholdEarlier(tx: Db, kind: Kind, postId: string): Promise<void> {
  await sql`update ${sql.table(`${kind}_revision`)} set is_withheld = true, withheld_at = clock_timestamp()
    where ${sql.ref(`${kind}_id`)} = ${postId} and not is_withheld`.execute(tx)
  await refreshCopies(tx, kind, postId)
}

/** Withholds a version from members, or releases it; returns false if it is in that state already. */
export async function withhold(tx: Db, kind: Kind, versionId: string, isWithheld: boolean): Promise<boolean> {
  const { rows } = await sql<{ postId: string }>`
    update ${sql.table(`${kind}_revision`)} set is_withheld = ${isWithheld}, withheld_at = ${isWithheld ? sql`clock_timestamp()` : null}
    where id = ${versionId} and is_withheld <> ${isWithheld} returning ${sql.ref(`${kind}_id`)} as "postId"`.execute(tx)
  const [changed] = rows
  if (changed && isWithheld) await refreshCopies(tx, kind, changed.postId)
  return changed !== undefined
}

/** Updates the copies of a post in reports and removals to its present text, so that withheld text is not in them. */
export async function refreshCopies(tx: Db, kind: Kind, postId: string): Promise<void> {
  for (const table of ['report_case', 'removal'] as const) {
    const excerpt = sql<string>`(select ${sql.ref(kind === 'topic' ? 'summary' : 'text')} from ${sql.table(kind)} where id = ${postId})`
    await tx.updateTable(table).set({ excerpt }).where('kind', '=', kind).where('thing_id', '=', postId).execute()
    if (kind !== 'topic') continue
    const title = sql<string>`(select title from topic where id = ${postId})`
    await tx.updateTable(table).set({ title }).where('topic_id', '=', postId).execute()
  }
}
