import { toText } from '#base/rich-text/to-text.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import type { SourceComment } from '#importer/server/source.ts'
import { authorsOf } from '#importer/server/write/authors.ts'
import { countInThreads, type ThreadProgress } from '#importer/server/write/counts.ts'
import { filesIn, noteAll, referencesOf, render, resolved } from '#importer/server/write/documents.ts'
import {
  newIds,
  postPlaces,
  record,
  insertWithIds,
  reserveIds,
  type ImportContext,
  type PostPlace,
} from '#importer/server/write/import-context.ts'
import { splitParts } from '#importer/server/write/hidden-parts.ts'
import { attachFiles, postColumns, rewardRows } from '#importer/server/write/posts.ts'
import type { ThreadKind } from '#kind/contract.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

/** A longer gap between floors is an accident of the old program, and not filled. */
const maxGap = 200

type Thread = { id: string; kind: ThreadKind; tagId: string; authorId: string; isShown: boolean; progress: ThreadProgress }
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
  const below = await postPlaces(
    tx,
    context,
    coming.flatMap(({ belowId }) => belowId ?? []),
  )
  const withinPage = new Set(coming.map(({ id }) => id))
  const isReply = ({ belowId }: SourceComment) => belowId !== null && (below.get(belowId)?.kind === 'comment' || withinPage.has(belowId))
  const comments = coming.filter((source) => !isReply(source))
  const rows = placed(context, comments, threads, authorOf)
  await writeCommentRows(tx, context, rows)
  await writeReplies(
    tx,
    context,
    coming.filter((source) => isReply(source)),
    { threads, authorOf },
  )
  await countInThreads(
    tx,
    [...threads.values()].map(({ progress }) => progress),
  )
}

/** The threads of comments by their old ids, locked in one order. */
async function lockThreads(tx: Db, context: ImportContext, sources: readonly SourceComment[]): Promise<Map<string, Thread>> {
  const ids = await newIds(
    tx,
    context,
    'thread',
    sources.map(({ threadId }) => threadId),
  )
  const rows = await tx
    .selectFrom('topic')
    .select(['id', 'kind', 'tag_id', 'author_id', 'status', 'floors', 'author_floors'])
    .where('id', '=', anyOf([...ids.values()]))
    .orderBy('id')
    .forUpdate()
    .execute()
  const byId = new Map(
    rows.map(({ id, kind, tag_id: tagId, author_id: authorId, status, floors, author_floors: authorFloors }) => {
      const progress = { topicId: id, floors, authorFloors, comments: 0, replies: 0, last: null }
      return [id, { id, kind, tagId, authorId, isShown: status === 'published', progress }]
    }),
  )
  return new Map(
    [...ids].flatMap(([oldId, id]) => {
      const thread = byId.get(id)
      return thread ? [[oldId, thread] as const] : []
    }),
  )
}

type Placed = Row | { thread: Thread; floor: number }

/** Gives each comment its floor. Where the old program shows floors, one that was purged there stays a gap, which is a row of its own here. */
function placed(
  { reader }: ImportContext,
  comments: readonly SourceComment[],
  threads: ReadonlyMap<string, Thread>,
  authorOf: (author: SourceComment['author']) => string,
): Placed[] {
  return comments.flatMap((source): Placed[] => {
    const thread = threads.get(source.threadId)
    if (!thread) return []
    const { progress } = thread
    const authorId = authorOf(source.author)
    if (source.state === 'pending') return [{ id: '', thread, authorId, source, floor: null, authorFloor: null }]
    const gap = reader.hasFloors && source.number !== null ? source.number - 2 - progress.floors : 0
    const missing = gap > 0 && gap <= maxGap ? Array.from({ length: gap }, () => ({ thread, floor: ++progress.floors })) : []
    const floor = ++progress.floors
    const authorFloor = authorId === thread.authorId ? ++progress.authorFloors : null
    return [...missing, { id: '', thread, authorId, source, floor, authorFloor }]
  })
}

async function writeCommentRows(tx: Db, context: ImportContext, placed: readonly Placed[]): Promise<void> {
  if (placed.length === 0) return
  const ids = await reserveIds(tx, 'comment', placed.length)
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
  const written: (Row & { document: Doc; parts: hiddenPart.Part[] })[] = []
  for (const row of rows) {
    const { open, parts } = await splitParts(resolved(context, row.source, references), references)
    written.push({ ...row, document: open, parts })
  }
  const columns = written.map(({ id, thread, authorId, source, floor, authorFloor, document }) => {
    noteAll(context, source.body, source.id)
    return {
      id,
      topic_id: thread.id,
      thread_kind: thread.kind,
      floor,
      author_floor: authorFloor,
      quotes: quotedComment(quoted, source, thread),
      text: toText(document),
      ...postColumns(context, source, authorId, document, render(document, references)),
      purged_at: null,
      reply_count: 0,
      like_count: 0,
    }
  })
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
  await countRows(tx, rows, 'comment')
}

function quotedComment(quoted: ReadonlyMap<string, PostPlace>, { answersId }: SourceComment, thread: Thread): string | null {
  const place = answersId === null ? undefined : quoted.get(answersId)
  return place?.kind === 'comment' && place.topicId === thread.id ? place.id : null
}

/** The row of a floor whose comment is gone for good. */
function gapRow(context: ImportContext, id: string, { thread, floor }: { thread: Thread; floor: number }) {
  const nothing: Doc = { type: 'doc', content: [] }
  const gone = { publishedAt: context.now, editedAt: null, state: 'deleted' as const }
  return {
    id,
    topic_id: thread.id,
    thread_kind: thread.kind,
    floor,
    author_floor: null,
    quotes: null,
    text: '',
    ...postColumns(context, gone, context.guestId, nothing, []),
    purged_at: context.now,
    reply_count: 0,
    like_count: 0,
  }
}

/** Replies have no hidden parts. One would be public, so it is left out. */
function withoutHidden(context: ImportContext, document: Doc, oldId: string): Doc {
  const content = document.content.filter(({ type }) => type !== 'hidden')
  if (content.length === document.content.length) return document
  context.note('hidden part of a reply', oldId)
  return { type: 'doc', content: content.length > 0 ? content : [{ type: 'paragraph' }] }
}

type Written = { threads: ReadonlyMap<string, Thread>; authorOf: (author: SourceComment['author']) => string }

async function writeReplies(
  tx: Db,
  context: ImportContext,
  sources: readonly SourceComment[],
  { threads, authorOf }: Written,
): Promise<void> {
  if (sources.length === 0) return
  const ids = await reserveIds(tx, 'reply', sources.length)
  const places = await postPlaces(
    tx,
    context,
    sources.flatMap(({ belowId }) => belowId ?? []),
  )
  const references = await referencesOf(tx, context, sources)
  const rows = sources.flatMap((source, index) => {
    const [thread, place] = [threads.get(source.threadId), places.get(source.belowId ?? '')]
    if (!thread || place?.kind !== 'comment') return []
    noteAll(context, source.body, source.id)
    const document = withoutHidden(context, resolved(context, source, references), source.id)
    return [{ id: ids[index] ?? '', thread, commentId: place.id, authorId: authorOf(source.author), source, document }]
  })
  await record(
    tx,
    context,
    rows.map(({ id, thread, source }) => ({ kind: 'reply', oldId: source.id, newId: id, topicId: thread.id })),
  )
  await insertWithIds(
    tx,
    'reply',
    rows.map(({ id, thread, commentId, authorId, source, document }) => ({
      id,
      topic_id: thread.id,
      comment_id: commentId,
      thread_kind: thread.kind,
      text: toText(document),
      ...postColumns(context, source, authorId, document, render(document, references)),
      like_count: 0,
    })),
  )
  await attachFiles(
    tx,
    rows.map(({ id, thread, commentId, authorId, document }) => ({
      topicId: thread.id,
      commentId,
      replyId: id,
      authorId,
      fileIds: filesIn(document),
    })),
  )
  for (const [commentId, here] of Map.groupBy(rows, (row) => row.commentId)) {
    const shown = here.filter(({ source }) => source.state === 'published').length
    if (shown > 0)
      await tx
        .updateTable('comment')
        .set((row) => ({ reply_count: row('reply_count', '+', shown) }))
        .where('id', '=', commentId)
        .execute()
  }
  await countRows(tx, rows, 'reply')
}

type Counted = { id: string; thread: Thread; authorId: string; source: SourceComment }

/** Counts posts for their threads and authors; those that wait stand in the review queue. */
async function countRows(tx: Db, rows: readonly Counted[], kind: 'comment' | 'reply'): Promise<void> {
  for (const { id, thread, authorId, source } of rows) {
    const { progress } = thread
    if (source.state === 'published') {
      progress.comments += 1
      if (kind === 'reply') progress.replies += 1
      if (!progress.last || progress.last.at <= source.publishedAt) progress.last = { at: source.publishedAt, by: authorId }
    }
    if (source.state === 'pending')
      await writing.holdForReview(tx, { why: 'everybody', words: [] }, { kind, postId: id, topicId: thread.id, authorId })
  }
  await rewardRows(
    tx,
    rows.map(({ id, thread, authorId, source: { state } }) => ({ kind, id, authorId, thread: thread.kind, state })),
  )
  const shown = rows.filter(({ thread, source }) => thread.isShown && source.state === 'published')
  if (shown.length > 0)
    await user.count(
      tx,
      shown.map(({ thread, authorId }) => ({ kind, thread: thread.kind, memberId: authorId, tagId: thread.tagId })),
      1,
    )
}
