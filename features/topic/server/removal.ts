import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database.ts'
import type { PostView } from '#notice/contract.ts'
import * as notice from '#notice/server/notice.ts'

/** Which member of staff took something away, after which reports if any; or which other member, who keeps order. */
export type Removal = { by: string; caseId?: string } | { byMember: string }

type Down = { reason?: string | null; removal?: Removal; tells?: boolean }

/** Tells an author what staff took away, and keeps it as it read then where they may appeal. */
export async function removed(tx: Db, authorId: string, post: PostView, { reason, removal, tells = true }: Down): Promise<void> {
  const why = reason ?? ''
  if (tells) await notice.tell(tx, authorId, { kind: 'postRemoved', post, reason: why, mayAppeal: removal !== undefined })
  if (removal) await keep(tx, authorId, post, why, removal)
}

/** Tells an author that something of theirs is away no more, and whether it can be read with that: `statuses` of it and of its topic. */
export async function restored(tx: Db, authorId: string, post: PostView, statuses: readonly string[]): Promise<void> {
  const isHidden = statuses.some((status) => status !== 'published')
  await notice.tell(tx, authorId, { kind: 'postRestored', post, ...(isHidden && { isHidden }) })
}

/**
 * Somebody settled where posts are: took them away, put them back, or undid that they were gone. From then on it is not by an appeal that they
 * are there, and nobody who takes the appeal back moves them. Also where they lie so already.
 */
export async function settledAnew(tx: Db, kind: PostView['kind'], ids: readonly string[]): Promise<void> {
  await tx
    .updateTable('removal')
    .set({ put_back_at: null })
    .where('kind', '=', kind)
    .where('thing_id', '=', anyOf(ids))
    .where('put_back_at', 'is not', null)
    .execute()
}

async function keep(tx: Db, authorId: string, post: PostView, why: string, removal: Removal): Promise<void> {
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
      author_id: authorId,
      why,
      ...('by' in removal ? { removed_by: removal.by, case_id: removal.caseId ?? null } : { removed_by_member: removal.byMember }),
    })
    .execute()
}
