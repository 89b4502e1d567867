import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { ThreadKind } from '#kind/contract.ts'
import type { SourceState } from '#importer/server/source.ts'
import * as tag from '#tag/server/tag.ts'
import * as user from '#user/server/user.ts'

type CountedThread = { authorId: string; tagId: string; kind: ThreadKind; state: SourceState }

/** Counts new threads for their authors and tags. */
export async function countThreads(tx: Db, threads: readonly CountedThread[]): Promise<void> {
  const shown = threads.filter(({ state }) => state === 'published')
  if (shown.length === 0) return
  await user.count(
    tx,
    shown.map(({ authorId, tagId, kind }) => ({ kind: 'topic', thread: kind, memberId: authorId, tagId })),
    1,
  )
  await tag.count(
    tx,
    shown.map(({ tagId }) => tagId),
    1,
  )
}

export type ThreadProgress = {
  topicId: string
  floors: number
  authorFloors: number
  comments: number
  replies: number
  last: { at: Date; by: string } | null
}

/** Moves the counters of threads on by what was written below them. */
export async function countInThreads(tx: Db, threads: readonly ThreadProgress[]): Promise<void> {
  await sql`
    update topic set floors = its.floors, author_floors = its.author_floors, comment_count = comment_count + its.comments,
      reply_count = topic.reply_count + its.replies,
      last_reply_by = case when its.at is null or its.at < topic.last_reply_at and topic.last_reply_by is not null then topic.last_reply_by else its.by end,
      last_reply_at = case when its.at is null or its.at < topic.last_reply_at and topic.last_reply_by is not null then topic.last_reply_at else its.at end
    from unnest(${threads.map(({ topicId }) => topicId)}::bigint[], ${threads.map(({ floors }) => floors)}::int[],
      ${threads.map(({ authorFloors }) => authorFloors)}::int[], ${threads.map(({ comments }) => comments)}::int[],
      ${threads.map(({ replies }) => replies)}::int[], ${threads.map(({ last }) => last?.at ?? null)}::timestamptz[],
      ${threads.map(({ last }) => last?.by ?? null)}::bigint[]) as its (id, floors, author_floors, comments, replies, at, by)
    where topic.id = its.id`.execute(tx)
}
