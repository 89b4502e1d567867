import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { kinds, tables, type Kind } from '#kind/contract.ts'
import * as notification from '#notification/server/notification.ts'
import { postView, type Post } from '#post/server/lock.ts'
import { locationColumns } from '#post/server/post-location.ts'

/** The actor of a removal: a member of staff, with the report case if any, or a moderator. */
export type Removal = { by: string; caseId?: string } | { byMember: string }

type RemovalOptions = { reason?: string | null; removal?: Removal; notifies?: boolean }

/** Notifies authors of a removal by staff, and stores the removed content where they may appeal. */
export async function recordRemoval(tx: Db, posts: readonly Post[], { reason, removal, notifies = true }: RemovalOptions): Promise<void> {
  const why = reason ?? ''
  if (notifies)
    for (const post of posts)
      await notification.notify(tx, post.authorId, {
        kind: 'postRemoved',
        post: await postView(tx, post),
        reason: why,
        mayAppeal: removal !== undefined,
      })
  if (removal) await forEachKind(posts, (kind, ids) => saveRemoval(tx, kind, ids, why, removal))
}

/**
 * Ends the effect of earlier appeals on the state of posts: after staff removed, restored or reverted them, a reversal of the
 * appeal no longer moves them. Also for posts that are in that state already.
 */
export async function detachFromAppeals(tx: Db, posts: readonly Pick<Post, 'kind' | 'id'>[]): Promise<void> {
  await forEachKind(posts, (kind, ids) =>
    tx
      .updateTable('removal')
      .set({ put_back_at: null })
      .where('kind', '=', kind)
      .where('thing_id', '=', anyOf(ids))
      .where('put_back_at', 'is not', null)
      .execute(),
  )
}

/** Applies a change to the posts of each kind, in the lock order of writers. */
export async function forEachKind(
  posts: readonly Pick<Post, 'kind' | 'id'>[],
  change: (kind: Kind, ids: string[]) => Promise<unknown>,
): Promise<void> {
  for (const kind of kinds) {
    const ids = posts.flatMap((post) => (post.kind === kind ? post.id : []))
    if (ids.length > 0) await change(kind, ids)
  }
}

async function saveRemoval(tx: Db, kind: Kind, ids: readonly string[], why: string, removal: Removal): Promise<void> {
  const [by, caseId, byMember] = 'by' in removal ? [removal.by, removal.caseId ?? null, null] : [null, null, removal.byMember]
  await sql`
    insert into removal (kind, thing_id, topic_id, comment_id, reply_id, title, excerpt, author_id, why, removed_by, case_id, removed_by_member)
    select ${kind}, post.id, ${locationColumns[kind]}, topic.title, post.${sql.ref(tables[kind].text)}, post.author_id,
      ${why}, ${by}::bigint, ${caseId}::bigint, ${byMember}::bigint
    from ${sql.table(kind)} as post join topic on topic.id = ${kind === 'topic' ? sql`post.id` : sql`post.topic_id`}
    where post.id = any(${ids}::bigint[])`.execute(tx)
}
