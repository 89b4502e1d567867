import { sql } from 'kysely'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import type { BecamePost, MergedMembers } from '#base/server/moments.ts'
import * as file from '#file/server/file.ts'
import type { Part, Parts, PostRef } from '#hidden-part/server/part.ts'
import { markErased } from '#hidden-part/server/refund-due.ts'

export { extract, locksIn } from '#hidden-part/server/extract.ts'
export type { Part, Parts, PostRef } from '#hidden-part/server/part.ts'
export { boughtAmong } from '#hidden-part/server/lists.ts'
export { refundedSince, onPostsRemoved } from '#hidden-part/server/refund-due.ts'
export { countIn, visibleAmong, restore } from '#hidden-part/server/reveal.ts'
export { withHiddenViews, withTextPlaceholders } from '#hidden-part/server/views.ts'

type WriteResult = 'same' | 'other' | 'more'

/**
 * Stores these parts as the parts of the post. Returns whether a part changed ('other'), or whether text was hidden that may have been
 * public ('more').
 */
export async function save(tx: Db, post: PostRef, parts: Parts): Promise<WriteResult> {
  if (parts === 'waiting') return applyStaged(tx, post)
  const { topicId, commentId } = post
  const { rows } = await sql<{ cameOut: WriteResult }>`
    select hidden.save(${commentId ? null : topicId}::bigint, ${commentId ?? null}::bigint, ${rowsOf(parts)}::json) as "cameOut"`.execute(
    tx,
  )
  for (const { id, fileIds } of parts) await file.attach(tx, fileIds, { ...post, partId: id })
  return rows[0]?.cameOut ?? 'same'
}

/** Stages these parts until staff approve their edit. */
export async function stage(tx: Db, topicId: string, parts: readonly Part[]): Promise<void> {
  const fileIds = parts.flatMap((part) => part.fileIds)
  if (fileIds.length > 0) await file.markUsed(tx, fileIds)
  await sql`select hidden.stage(${topicId}, ${rowsOf(parts)}::json)`.execute(tx)
}

/** Whether these parts equal the stored ones. */
export async function areUnchanged(tx: Db, parts: Parts): Promise<boolean> {
  if (parts === 'waiting' || parts.length === 0) return true
  const { rows } = await sql<{ differs: boolean }>`select hidden.has_changes(${rowsOf(parts)}::json) as differs`.execute(tx)
  return !rows[0]?.differs
}

/** Discards the staged parts of a topic. */
export async function discardStaged(tx: Db, topicId: string): Promise<void> {
  await sql`select hidden.discard_staged(${topicId})`.execute(tx)
}

/** The parts of a post go along with its content. */
export async function postBecame(tx: Db, { from, to }: BecamePost): Promise<void> {
  const idIn = (post: BecamePost['from'], kind: 'topic' | 'comment') => sql`${post.kind === kind ? post.id : null}::bigint`
  await sql`select hidden.convert(${idIn(from, 'topic')}, ${idIn(from, 'comment')}, ${idIn(to, 'topic')}, ${idIn(to, 'comment')})`.execute(
    tx,
  )
}

/** Erases the parts of these posts with their earlier versions; buyers get the price back. */
export async function erase(
  tx: Db,
  { topicIds = [], commentIds = [] }: { topicIds?: string[]; commentIds?: readonly string[] },
): Promise<void> {
  await markErased(tx, { topicIds, commentIds })
  await sql`select hidden.erase(${topicIds}::bigint[], ${commentIds}::bigint[])`.execute(tx)
}

/** One account goes on as another: what either opened is open to it. */
export async function membersMerged(tx: Db, { from, into }: MergedMembers): Promise<void> {
  await sql`select hidden.merge(${from}, ${into})`.execute(tx)
}

/** The parts of a public document, each marked as unchanged. */
export function placeholdersIn(open: Doc): Part[] {
  return open.content.flatMap((block) => {
    if (block.type !== 'hidden' || !block.attrs.id) return []
    const { id, lock, value } = block.attrs
    return { id, lock, needs: value || null, passwordHash: null, document: null, segments: [], fileIds: [] }
  })
}

async function applyStaged(tx: Db, { topicId }: PostRef): Promise<WriteResult> {
  const { rows } = await sql<{
    id: string
    file_ids: string[]
    came_out: WriteResult
  }>`select * from hidden.apply_staged(${topicId})`.execute(tx)
  for (const { id, file_ids } of rows) await file.attach(tx, file_ids, { topicId, partId: id })
  return rows[0]?.came_out ?? 'same'
}

function rowsOf(parts: readonly Part[]): string {
  return JSON.stringify(
    parts.map(({ id, lock, needs, passwordHash: password_hash, document, segments, fileIds: file_ids }, position) => ({
      id,
      position,
      lock,
      needs,
      password_hash,
      document,
      ...(document && { segments, file_ids }),
    })),
  )
}
