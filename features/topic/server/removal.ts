import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import type { PostView } from '#notice/contract.ts'

/** Which member of staff took something away, after which reports if any. */
export type Removal = { by: string; caseId?: string }

/** Keeps what staff took away as it read then, so that its author may appeal. */
export async function noteRemoval(tx: Db, authorId: string, post: PostView, why: string, { by, caseId }: Removal): Promise<void> {
  const { kind, id, topicId, commentId, title, excerpt } = post
  await tx
    .insertInto('removal')
    .values({
      kind,
      thing_id: id,
      topic_id: topicId,
      comment_id: commentId,
      reply_id: kind === 'reply' ? id : null,
      title,
      excerpt: kind === 'topic' ? sql<string>`(select summary from topic where id = ${id})` : excerpt,
      case_id: caseId ?? null,
      author_id: authorId,
      why,
      removed_by: by,
    })
    .execute()
}
