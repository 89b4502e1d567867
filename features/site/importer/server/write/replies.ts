import { toSegments } from '#base/rich-text/to-html.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { SourceComment } from '#importer/server/source.ts'
import type { AuthorOf } from '#importer/server/write/authors.ts'
import { filesIn, noteAll, referencesOf, resolved, type References } from '#importer/server/write/documents.ts'
import { idsFor, insertWithIds, postPlaces, record, type ImportContext } from '#importer/server/write/import-context.ts'
import { recordLaterLinks } from '#importer/server/write/later-links.ts'
import { attachFiles, postColumns } from '#importer/server/write/posts.ts'
import { countRows, type Thread } from '#importer/server/write/remark-threads.ts'

type Written = { threads: ReadonlyMap<string, Thread>; authorOf: AuthorOf }
type Row = { id: string; thread: Thread; commentId: string; authorId: string; source: SourceComment; document: Doc }

/** Writes posts that stand below a comment. Their comments are there. */
export async function writeReplies(tx: Db, context: ImportContext, sources: readonly SourceComment[], written: Written): Promise<void> {
  if (sources.length === 0) return
  const references = await referencesOf(tx, context, sources)
  const rows = await rowsOf(tx, context, sources, { ...written, references })
  await record(
    tx,
    context,
    rows.map(({ id, thread, source }) => ({ kind: 'reply', oldId: source.id, newId: id, topicId: thread.id })),
  )
  const answered = await answeredReplies(tx, context, rows)
  await insertWithIds(
    tx,
    'reply',
    rows.map(({ id, thread, commentId, authorId, source, document }) => ({
      id,
      topic_id: thread.id,
      comment_id: commentId,
      answers: answered.get(id) ?? null,
      purged_at: source.isPurged ? context.now : null,
      thread_kind: thread.kind,
      text: toText(document),
      ...postColumns(context, source, authorId, document, source.isPurged ? [] : toSegments(document, references)),
      like_count: 0,
    })),
  )
  await recordLaterLinks(tx, context, 'reply', rows, references)
  await attachFiles(
    tx,
    rows.map(({ id: replyId, thread, document, ...its }) => ({ ...its, topicId: thread.id, replyId, fileIds: filesIn(document) })),
  )
  await countBelow(tx, rows)
  await countRows(tx, rows, 'reply')
}

async function rowsOf(
  tx: Db,
  context: ImportContext,
  sources: readonly SourceComment[],
  { threads, authorOf, references }: Written & { references: References },
): Promise<Row[]> {
  const ids = await idsFor(
    tx,
    context,
    'reply',
    sources.map(({ id }) => id),
  )
  const places = await postPlaces(
    tx,
    context,
    sources.flatMap(({ belowId }) => belowId ?? []),
  )
  return sources.flatMap((source, index) => {
    const [thread, place] = [threads.get(source.threadId), places.get(source.belowId ?? '')]
    if (!thread || place?.kind !== 'comment') return []
    noteAll(context, source.body, source.id)
    const document = withoutHidden(context, resolved(context, source, references), source.id)
    return [{ id: ids[index] ?? '', thread, commentId: place.id, authorId: authorOf(source.author), source, document }]
  })
}

/** The replies that these answer, each below the same comment and before it. */
async function answeredReplies(tx: Db, context: ImportContext, rows: readonly Row[]): Promise<Map<string, string>> {
  const places = await postPlaces(
    tx,
    context,
    rows.flatMap(({ source }) => source.answersId ?? []),
  )
  const answered = [...places.values()].flatMap(({ kind, id }) => (kind === 'reply' ? [id] : []))
  const before = await tx.selectFrom('reply').select(['id', 'comment_id']).where('id', '=', anyOf(answered)).execute()
  const above = new Map([
    ...before.map(({ id, comment_id }) => [id, comment_id] as const),
    ...rows.map(({ id, commentId }) => [id, commentId] as const),
  ])
  return new Map(
    rows.flatMap(({ id, commentId, source }) => {
      const place = places.get(source.answersId ?? '')
      return place?.kind === 'reply' && place.id !== id && above.get(place.id) === commentId ? [[id, place.id] as const] : []
    }),
  )
}

/** Replies have no hidden parts. One would be public, so it is left out. */
function withoutHidden(context: ImportContext, document: Doc, oldId: string): Doc {
  const content = document.content.filter(({ type }) => type !== 'hidden')
  if (content.length === document.content.length) return document
  context.note('hidden part of a reply', oldId)
  return { type: 'doc', content: content.length > 0 ? content : [{ type: 'paragraph' }] }
}

async function countBelow(tx: Db, rows: readonly Row[]): Promise<void> {
  const shown = rows.filter(({ source }) => source.state === 'published')
  for (const [commentId, here] of Map.groupBy(shown, (row) => row.commentId))
    await tx
      .updateTable('comment')
      .set((row) => ({ reply_count: row('reply_count', '+', here.length) }))
      .where('id', '=', commentId)
      .execute()
}
