import { sql, type RawBuilder } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { userDynamicList } from '#activity/contract.ts'
import { addCacheTags } from '#base/server/cache/cache-tags.ts'
import type { Db } from '#base/server/database/database.ts'
import { afterCursor, cursorOf } from '#base/server/database/cursor.ts'
import type { Viewer } from '#base/server/http/route.ts'
import { threadKinds, type Kind, type RemarkKind, type ThreadKind } from '#kind/contract.ts'
import * as tag from '#tag/server/tag.ts'
import * as user from '#user/server/user.ts'

const perPage = 30

type Row = {
  kind: Kind
  thread: ThreadKind
  id: string
  topicId: string
  commentId: string | null
  title: string
  excerpt: string
  at: Date
  place: string
}

/** A member's posts that this viewer may see, newest first. Each kind is read from its own index, and the newest are merged. */
export async function list(
  db: Db,
  viewer: Viewer,
  { userId, before }: ParsedInput<typeof userDynamicList>,
): Promise<Output<typeof userDynamicList>> {
  const author = await user.activityOwner(db, viewer, userId)
  const after = afterCursor(before ?? null)
  const parts = threadKinds.flatMap((thread) => [
    openingsBy(viewer, author.id, thread, after),
    ...(['comment', 'reply'] as const).map((kind) => remarksBy(viewer, author.id, { kind, thread }, after)),
  ])
  const { rows } = await sql<Row>`
    select *, ${cursorOf(sql`at`, sql`id`)} as place from (${sql.join(parts, sql` union all `)}) as written
    order by at desc, id desc limit ${perPage + 1}`.execute(db)
  const visible = rows.slice(0, perPage)
  addCacheTags(visible.map(({ topicId }) => `topic:${topicId}`))
  return {
    user: author,
    posts: visible.map(({ kind, thread, id, topicId, commentId, title, excerpt, at }) => {
      return { kind, thread, id, topicId, commentId, title, excerpt, at: at.toISOString() }
    }),
    next: rows.length > perPage ? (visible.at(-1)?.place ?? null) : null,
  }
}

// The status is a literal, since a generic plan uses a partial index only if the statement itself implies its predicate.
function openingsBy(viewer: Viewer, authorId: string, thread: ThreadKind, after: RawBuilder<unknown>) {
  return sql`(
    select 'topic' as kind, topic.kind as thread, id, id as "topicId", null::bigint as "commentId", title, summary as excerpt, published_at as at
    from topic where author_id = ${authorId} and kind = ${thread} and status = 'published' and ${tag.seenBy(viewer)}
      and (published_at, id) < ${after}
    order by published_at desc, id desc limit ${perPage + 1})`
}

function remarksBy(
  viewer: Viewer,
  authorId: string,
  { kind, thread }: { kind: RemarkKind; thread: ThreadKind },
  after: RawBuilder<unknown>,
) {
  const commentId = kind === 'comment' ? sql`post.id` : sql`post.comment_id`
  return sql`(
    select ${kind} as kind, topic.kind as thread, post.id, topic.id as "topicId", ${commentId} as "commentId", topic.title, post.text as excerpt,
      post.published_at as at
    from ${sql.table(kind)} as post join topic on topic.id = post.topic_id
    where post.author_id = ${authorId} and post.thread_kind = ${thread} and post.status = 'published' and topic.status = 'published'
      and ${tag.seenBy(viewer)} and (post.published_at, post.id) < ${after}
    order by post.published_at desc, post.id desc limit ${perPage + 1})`
}
