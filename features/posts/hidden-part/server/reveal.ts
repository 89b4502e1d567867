import { sql } from 'kysely'
import type { Output } from '#base/contract.ts'
import type { Block, Doc } from '#base/rich-text/document.ts'
import type { Segment } from '#base/rich-text/to-html.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import type { hiddenForStaff, myHidden } from '#hidden-part/contract.ts'
import { seeAll } from '#hidden-part/server/may.ts'
import { labeler } from '#hidden-part/server/views.ts'
import type { ThreadRow } from '#hidden-part/server/thread.ts'
import * as user from '#user/server/user.ts'

type RevealedParts = Output<typeof myHidden>['parts']

/** The hidden parts that a viewer sees. The caller checks that the viewer sees the thread. */
export async function reveal(db: Db, viewer: Viewer, thread: ThreadRow): Promise<RevealedParts> {
  const { rows } = await sql<RevealedParts[number]>`
    select id, why, segments from hidden.reveal(${thread.id}, ${viewer.id}::bigint, ${seeAll(viewer, thread.tagId)})`.execute(db)
  return withNames(db, rows)
}

/** Rendered parts with the current names of the members mentioned. */
export async function withNames<Row extends { segments: Segment[] | null }>(db: Db, rows: readonly Row[]): Promise<Row[]> {
  const mentioned = rows.flatMap(({ segments }) => user.mentionedIn(segments ?? []))
  if (mentioned.length === 0) return [...rows]
  const people = await user.authors(db, mentioned)
  return rows.map((row) => ({ ...row, segments: row.segments && user.withNames(row.segments, people) }))
}

/** The parts among these that a viewer sees, for the files in them. */
export async function visibleAmong(db: Db, viewer: Viewer, partIds: readonly string[]): Promise<Set<string>> {
  if (partIds.length === 0 || viewer.id === null) return new Set()
  const ids = [...new Set(partIds)]
  const [{ rows: own }, placed] = await Promise.all([
    sql<{ id: string }>`select id from hidden.visible_among(${ids}::text[], ${viewer.id}, false) as id`.execute(db),
    db
      .selectFrom('hidden.outline')
      .innerJoin('topic', 'topic.id', 'thread_id')
      .select(['hidden.outline.id', 'tag_id'])
      .where('hidden.outline.id', '=', anyOf(ids))
      .execute(),
  ])
  const moderated = placed.filter(({ tag_id }) => seeAll(viewer, tag_id))
  return new Set([...own, ...moderated].map(({ id }) => id ?? ''))
}

type Row = Omit<Output<typeof hiddenForStaff>['parts'][number], 'value' | 'writtenAt'> & { needs: string | null; at: Date | null }

export async function forStaff(db: Db, topicId: string): Promise<Output<typeof hiddenForStaff>['parts']> {
  const { rows } = await sql<Row>`select * from hidden.for_staff(${topicId})`.execute(db)
  const [parts, named] = await Promise.all([withNames(db, rows), labeler(db)])
  return Promise.all(
    parts.map(async ({ id, stands, lock, needs, segments, at }) => ({
      ...named({ id, lock, value: needs ?? '' }),
      stands,
      writtenAt: at?.toISOString() ?? null,
      segments: await Promise.all(segments.map(async ({ html }) => ({ html: await file.withStaffKeys(db, html) }))),
    })),
  )
}

export async function countIn(db: Db, topicId: string): Promise<{ there: number; takenOut: number }> {
  const row = await db
    .selectFrom('hidden.outline')
    .select([
      sql<number>`count(*) filter (where is_there)::int`.as('there'),
      sql<number>`count(*) filter (where not is_there)::int`.as('takenOut'),
    ])
    .where('thread_id', '=', topicId)
    .executeTakeFirstOrThrow()
  return row
}

type RestoreParams = { topicId: string; body: Doc; tagId: string; waits?: boolean }

/** The opening post with the parts that this member may edit in their places; the others stay closed and unchanged. */
export async function restore(db: Db, viewer: Viewer, { topicId, body, tagId, waits = false }: RestoreParams): Promise<Doc> {
  if (!body.content.some(({ type }) => type === 'hidden')) return body
  const { rows } = await sql<{ id: string; document: Doc }>`
    select id, document from hidden.documents(${topicId}, ${viewer.id}::bigint, ${seeAll(viewer, tagId)}, ${waits})`.execute(db)
  const documents = new Map(rows.map(({ id, document }) => [id, document]))
  const content = body.content.map((block): Block => {
    const its = block.type === 'hidden' && documents.get(block.attrs.id ?? '')
    return its ? { ...block, content: its.content } : block
  })
  return { type: 'doc', content }
}
