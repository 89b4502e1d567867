import { toSegments } from '#base/rich-text/to-html.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database/database.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import type { SourceComment } from '#importer/server/source.ts'
import { authorsOf, type AuthorOf } from '#importer/server/write/authors.ts'
import { countInThreads } from '#importer/server/write/counts.ts'
import { filesIn, noteAll, referencesOf, resolved, type References } from '#importer/server/write/documents.ts'
import { idsFor, postPlaces, record, insertWithIds, type ImportContext, type PostPlace } from '#importer/server/write/import-context.ts'
import { splitParts } from '#importer/server/write/hidden-parts.ts'
import { recordLaterLinks } from '#importer/server/write/later-links.ts'
import { attachFiles, postColumns } from '#importer/server/write/posts.ts'
import { countRows, lockThreads, type Thread } from '#importer/server/write/remark-threads.ts'
import { writeReplies } from '#importer/server/write/replies.ts'

/** A longer gap between floors is an accident of the old program, and not filled. */
const maxGap = 200

type Row = { id: string; thread: Thread; authorId: string; source: SourceComment; floor: number | null; authorFloor: number | null }

/** Writes comments on their floors, and replies below them. Their threads and authors are there. */
export async function writeComments(tx: Db, context: ImportContext, sources: readonly SourceComment[]): Promise<void> {
  const threads = await lockThreads(tx, context, sources)
  const known = await postPlaces(
    tx,
    context,
    sources.map(({ id }) => id),
  )
  const coming = sources.filter(({ id, threadId }) => !known.has(id) && threads.has(threadId))
  for (const { id, threadId } of sources) if (!threads.has(threadId)) context.note('comment of a thread that did not come', id)
  const authorOf = await authorsOf(
    tx,
    context,
    coming.map(({ author }) => author),
  )
  const isReply = await repliesAmong(tx, context, coming, threads)
  const comments = coming.filter(({ id }) => !isReply.has(id))
  const rows = placed(context, comments, threads, authorOf)
  await writeCommentRows(tx, context, rows)
  await writeReplies(
    tx,
    context,
    coming.filter(({ id }) => isReply.has(id)),
    { threads, authorOf },
  )
  await countInThreads(
    tx,
    [...threads.values()].map(({ progress }) => progress),
  )
}

/** The posts below a comment of their thread that came before them. One below anything else is a comment, wherever the pages end. */
async function repliesAmong(
  tx: Db,
  context: ImportContext,
  coming: readonly SourceComment[],
  threads: ReadonlyMap<string, Thread>,
): Promise<Set<string>> {
  const places = await postPlaces(
    tx,
    context,
    coming.flatMap(({ belowId }) => belowId ?? []),
  )
  const threadsOfComments = new Map([...places].flatMap(([id, { kind, topicId }]) => (kind === 'comment' ? [[id, topicId] as const] : [])))
  const replies = new Set<string>()
  for (const { id, threadId, belowId } of coming) {
    const topicId = threads.get(threadId)?.id
    if (topicId === undefined) continue
    if (belowId !== null && threadsOfComments.get(belowId) === topicId) replies.add(id)
    else threadsOfComments.set(id, topicId)
  }
  return replies
}

type Gap = { thread: Thread; floor: number; authorFloor: number | null }
type Placed = Row | Gap

/** Gives each comment its floor. Where the old program shows floors, one that was purged there stays a gap, which is a row of its own here. */
function placed(
  { reader, guestId }: ImportContext,
  comments: readonly SourceComment[],
  threads: ReadonlyMap<string, Thread>,
  authorOf: AuthorOf,
): Placed[] {
  return comments.flatMap((source): Placed[] => {
    const thread = threads.get(source.threadId)
    if (!thread) return []
    const { progress } = thread
    const authorId = authorOf(source.author)
    if (source.state === 'pending') return [{ id: '', thread, authorId, source, floor: null, authorFloor: null }]
    const nextFloor = (by: string) => {
      const floor = ++progress.floors
      return { floor, authorFloor: by === thread.authorId ? ++progress.authorFloors : null }
    }
    const gap = reader.hasFloors && source.number !== null ? source.number - 2 - progress.floors : 0
    const missing = gap > 0 && gap <= maxGap ? Array.from({ length: gap }, () => ({ thread, ...nextFloor(guestId) })) : []
    return [...missing, { id: '', thread, authorId, source, ...nextFloor(authorId) }]
  })
}

async function writeCommentRows(tx: Db, context: ImportContext, placed: readonly Placed[]): Promise<void> {
  if (placed.length === 0) return
  const ids = await idsFor(
    tx,
    context,
    'comment',
    placed.map((one) => ('source' in one ? one.source.id : '')),
  )
  const rows: Row[] = []
  for (const [index, one] of placed.entries()) if ('source' in one) rows.push({ ...one, id: ids[index] ?? '' })
  const gaps = placed.flatMap((one, index) => ('source' in one ? [] : [gapRow(context, ids[index] ?? '', one)]))
  await record(
    tx,
    context,
    rows.map(({ id, thread, source: { id: oldId, number } }) => ({ kind: 'comment', oldId, newId: id, topicId: thread.id, number })),
  )
  const quoted = await postPlaces(
    tx,
    context,
    rows.flatMap(({ source }) => source.answersId ?? []),
  )
  const references = await referencesOf(
    tx,
    context,
    rows.map(({ source }) => source),
  )
  const written: WrittenRow[] = []
  for (const row of rows) {
    const { open, parts } = await splitParts(tx, resolved(context, row.source, references), { references, body: row.source.body })
    written.push({ ...row, document: open, parts })
  }
  const columns = written.map((row) => commentRow(context, row, { references, quoted }))
  await insertWithIds(tx, 'comment', [...gaps, ...columns])
  for (const { id, thread, parts } of written) if (parts.length > 0) await hiddenPart.save(tx, { topicId: thread.id, commentId: id }, parts)
  await attachFiles(
    tx,
    written.map(({ id, thread, authorId, document }) => ({
      topicId: thread.id,
      commentId: id,
      replyId: null,
      authorId,
      fileIds: filesIn(document),
    })),
  )
  await recordLaterLinks(tx, context, 'comment', written, references)
  await countRows(tx, rows, 'comment')
}

type WrittenRow = Row & { document: Doc; parts: hiddenPart.Part[] }
type Found = { references: References; quoted: ReadonlyMap<string, PostPlace> }

function commentRow(context: ImportContext, row: WrittenRow, { references, quoted }: Found) {
  const { id, thread, authorId, source, floor, authorFloor, document } = row
  noteAll(context, source.body, source.id)
  return {
    id,
    topic_id: thread.id,
    thread_kind: thread.kind,
    floor,
    author_floor: authorFloor,
    quotes: quotedComment(quoted, source, thread),
    text: toText(document),
    ...postColumns(context, source, authorId, document, source.isPurged ? [] : toSegments(document, references)),
    purged_at: source.isPurged ? context.now : null,
    reply_count: 0,
    like_count: 0,
  }
}

function quotedComment(quoted: ReadonlyMap<string, PostPlace>, { answersId }: SourceComment, thread: Thread): string | null {
  const place = answersId === null ? undefined : quoted.get(answersId)
  return place?.kind === 'comment' && place.topicId === thread.id ? place.id : null
}

/** The row of a floor whose comment is gone for good. */
function gapRow(context: ImportContext, id: string, { thread, floor, authorFloor }: Gap) {
  const nothing: Doc = { type: 'doc', content: [] }
  const gone = { publishedAt: context.now, editedAt: null, state: 'deleted' as const }
  return {
    id,
    topic_id: thread.id,
    thread_kind: thread.kind,
    floor,
    author_floor: authorFloor,
    quotes: null,
    text: '',
    ...postColumns(context, gone, context.guestId, nothing, []),
    purged_at: context.now,
    reply_count: 0,
    like_count: 0,
  }
}
