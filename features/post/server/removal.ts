import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { kinds, tables, type Kind } from '#kind/contract.ts'
import * as notice from '#notice/server/notice.ts'
import { postView, type Post } from '#post/server/lock.ts'
import { placeColumns } from '#post/server/place.ts'

/** Which member of staff took something away, after which reports if any; or which other member, who keeps order. */
export type Removal = { by: string; caseId?: string } | { byMember: string }

type Down = { reason?: string | null; removal?: Removal; tells?: boolean }

/** Tells authors what staff took away, and keeps it as it read then where they may appeal. */
export async function removed(tx: Db, posts: readonly Post[], { reason, removal, tells = true }: Down): Promise<void> {
  const why = reason ?? ''
  if (tells)
    for (const post of posts)
      await notice.tell(tx, post.authorId, {
        kind: 'postRemoved',
        post: await postView(tx, post),
        reason: why,
        mayAppeal: removal !== undefined,
      })
  if (removal) await eachKind(posts, (kind, ids) => keep(tx, kind, ids, why, removal))
}

/**
 * Somebody settled where posts are: took them away, put them back, or undid that they were gone. From then on it is not by an appeal that they
 * are there, and nobody who takes the appeal back moves them. Also where they lie so already.
 */
export async function detachFromAppeals(tx: Db, posts: readonly Pick<Post, 'kind' | 'id'>[]): Promise<void> {
  await eachKind(posts, (kind, ids) =>
    tx
      .updateTable('removal')
      .set({ put_back_at: null })
      .where('kind', '=', kind)
      .where('thing_id', '=', anyOf(ids))
      .where('put_back_at', 'is not', null)
      .execute(),
  )
}

/** Does something to the posts of each kind there is among these: from the top down, as those lock who write. */
export async function eachKind(
  posts: readonly Pick<Post, 'kind' | 'id'>[],
  change: (kind: Kind, ids: string[]) => Promise<unknown>,
): Promise<void> {
  for (const kind of kinds) {
    const ids = posts.flatMap((post) => (post.kind === kind ? post.id : []))
    if (ids.length > 0) await change(kind, ids)
  }
}

async function keep(tx: Db, kind: Kind, ids: readonly string[], why: string, removal: Removal): Promise<void> {
  const [by, caseId, byMember] = 'by' in removal ? [removal.by, removal.caseId ?? null, null] : [null, null, removal.byMember]
  await sql`
    insert into removal (kind, thing_id, topic_id, comment_id, reply_id, title, excerpt, author_id, why, removed_by, case_id, removed_by_member)
    select ${kind}, post.id, ${placeColumns[kind]}, topic.title, post.${sql.ref(tables[kind].text)}, post.author_id,
      ${why}, ${by}::bigint, ${caseId}::bigint, ${byMember}::bigint
    from ${sql.table(kind)} as post join topic on topic.id = ${kind === 'topic' ? sql`post.id` : sql`post.topic_id`}
    where post.id = any(${ids}::bigint[])`.execute(tx)
}
