import { sql, type RawBuilder } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import { kinds, type Kind, type ThreadKind } from '#kind/contract.ts'
import * as tag from '#tag/server/tag.ts'

/** A post as lists of other features name it. The excerpt of an opening is its summary. */
export type PostSummary = {
  kind: Kind
  id: string
  thread: ThreadKind
  topicId: string
  /** The comment itself, or the comment above a reply. */
  commentId: string | null
  title: string
  excerpt: string
  authorId: string
}

/**
 * The posts of a list that the viewer may see, by kind and id (`comment 12`): published ones in published threads of tags that are open to
 * them.
 * A list that pages by what is visible has the same conditions in its own statement, and so have features above this one.
 */
export async function visible(
  db: Db,
  viewer: Pick<Viewer, 'where'>,
  references: readonly Pick<PostSummary, 'kind' | 'id'>[],
): Promise<Map<string, PostSummary>> {
  const found = new Map<string, PostSummary>()
  for (const kind of kinds) {
    const ids = references.flatMap((one) => (one.kind === kind ? one.id : []))
    if (ids.length === 0) continue
    const { rows } = await sql<PostSummary>`
      select ${kind} as kind, post.id, topic.kind as thread, topic.id as "topicId", ${columnsOf[kind]}, topic.title,
        post.author_id as "authorId"
      from ${sql.table(kind)} as post join topic on topic.id = ${kind === 'topic' ? sql`post.id` : sql`post.topic_id`}
      where post.id = ${anyOf(ids)} and post.status = 'published' and topic.status = 'published' and ${tag.seenBy(viewer, 'topic.tag_id')}`.execute(
      db,
    )
    for (const row of rows) found.set(`${kind} ${row.id}`, row)
  }
  return found
}

const columnsOf: Readonly<Record<Kind, RawBuilder<unknown>>> = {
  topic: sql`null as "commentId", topic.summary as excerpt`,
  comment: sql`post.id as "commentId", post.text as excerpt`,
  reply: sql`post.comment_id as "commentId", post.text as excerpt`,
}
