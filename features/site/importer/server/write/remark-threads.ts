import { anyOf, type Db } from '#base/server/database/database.ts'
import type { SourceComment } from '#importer/server/source.ts'
import type { ThreadProgress } from '#importer/server/write/counts.ts'
import { newIds, type ImportContext } from '#importer/server/write/import-context.ts'
import { rewardRows } from '#importer/server/write/posts.ts'
import type { ThreadKind } from '#kind/contract.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

/** A thread that is written below, with how far its counters move. */
export type Thread = { id: string; kind: ThreadKind; tagId: string; authorId: string; isShown: boolean; progress: ThreadProgress }

/** The threads of comments by their old ids, locked in one order. */
export async function lockThreads(tx: Db, context: ImportContext, sources: readonly SourceComment[]): Promise<Map<string, Thread>> {
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

type Counted = { id: string; thread: Thread; authorId: string; source: SourceComment }

/** Counts posts for their threads and authors; those that wait stand in the review queue. */
export async function countRows(tx: Db, rows: readonly Counted[], kind: 'comment' | 'reply'): Promise<void> {
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
