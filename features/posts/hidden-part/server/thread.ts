import { Missing } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { ThreadKind } from '#kind/contract.ts'

/** A published thread, as far as hidden parts need it. */
export type ThreadRow = { id: string; kind: ThreadKind; title: string; tagId: string }

/** The published threads among these that this viewer may see. */
export async function visibleThreads(db: Db, viewer: Viewer, ids: readonly string[]): Promise<Map<string, ThreadRow>> {
  const rows = await db
    .selectFrom('topic')
    .select(['id', 'kind', 'title', 'tag_id as tagId'])
    .where('id', '=', anyOf([...new Set(ids)]))
    .where('status', '=', 'published')
    .execute()
  return new Map(rows.filter(({ tagId }) => viewer.may('tag.view', tagId)).map((row) => [row.id, row]))
}

export async function visibleThread(db: Db, viewer: Viewer, id: string): Promise<ThreadRow> {
  const thread = (await visibleThreads(db, viewer, [id])).get(id)
  if (!thread) throw Missing()
  return thread
}
