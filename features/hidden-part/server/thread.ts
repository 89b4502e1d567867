import { Missing } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { ThreadKind } from '#kind/contract.ts'

/** A thread on the page, as those need to know it who look at what it hides. */
export type ThreadRow = { id: string; kind: ThreadKind; title: string; tagId: string }

/** The threads among these that are on the page where this viewer may look. */
export async function seenThreads(db: Db, viewer: Viewer, ids: readonly string[]): Promise<Map<string, ThreadRow>> {
  const rows = await db
    .selectFrom('topic')
    .select(['id', 'kind', 'title', 'tag_id as tagId'])
    .where('id', '=', anyOf([...new Set(ids)]))
    .where('status', '=', 'published')
    .execute()
  return new Map(rows.filter(({ tagId }) => viewer.may('tag.view', tagId)).map((row) => [row.id, row]))
}

export async function seenThread(db: Db, viewer: Viewer, id: string): Promise<ThreadRow> {
  const thread = (await seenThreads(db, viewer, [id])).get(id)
  if (!thread) throw Missing()
  return thread
}
