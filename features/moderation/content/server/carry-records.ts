import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'

type PostRef = { kind: 'topic' | 'comment'; id: string }

/** Carries pending reviews and reports of a post along when it turns from a comment into an opening or back. */
export async function carryRecords(tx: Db, from: PostRef, to: PostRef & { topicId: string; title: string | null }): Promise<void> {
  const { kind, id, topicId: topic_id, title } = to
  const reviews = tx.updateTable('review').where('kind', '=', from.kind).where('post_id', '=', from.id)
  // Only an edit of a topic has a title.
  await reviews.set({ title }).where('is_edit', '=', true).execute()
  await reviews.set({ kind, post_id: id, topic_id }).execute()
  const place = { kind, thing_id: id, topic_id, comment_id: kind === 'comment' ? id : null }
  for (const table of ['report_case', 'removal'] as const)
    await tx.updateTable(table).set(place).where('kind', '=', from.kind).where('thing_id', '=', from.id).execute()
}

/** Carries drafts along to another topic, unless the member has one there already. */
export async function carryDrafts(tx: Db, from: string, to: string): Promise<void> {
  const [here, there] = [`comment ${from}`, `comment ${to}`]
  await sql`update draft set place = ${there} where place = ${here}
    and not exists (select from draft as other where other.member_id = draft.member_id and other.place = ${there})`.execute(tx)
}
