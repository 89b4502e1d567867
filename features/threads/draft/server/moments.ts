import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { BecamePost, ErasedPost, MergedThreads } from '#base/server/moments.ts'

/** Deletes what members began to write in the place of a post that is erased, or under it. */
export async function postErased(tx: Db, post: ErasedPost): Promise<void> {
  await tx
    .deleteFrom('draft')
    .where('place', 'in', () => placesOf(post))
    .execute()
}

function placesOf({ kind, id, withReplies }: ErasedPost) {
  if (kind !== 'topic' || !withReplies) return sql<string>`(${`edit ${kind} ${id}`})`
  return sql<string>`(
    select unnest(array['edit topic ', 'comment ']) || ${id}::text
    union all select unnest(array['edit comment ', 'reply ']) || id from comment where topic_id = ${id}
    union all select 'edit reply ' || id from reply where topic_id = ${id})`
}

/** Comments that were begun under a thread are carried to the one it goes on in. */
export async function threadMerged(tx: Db, { from, into }: MergedThreads): Promise<void> {
  await carry(tx, `comment ${from}`, `comment ${into}`)
}

/** An edit that was begun goes along with the content of its post. Replies that were begun stay with the comment they answer. */
export async function postBecame(tx: Db, { from, to }: BecamePost): Promise<void> {
  await carry(tx, `edit ${from.kind} ${from.id}`, `edit ${to.kind} ${to.id}`)
}

// Unless the member has one there already.
async function carry(tx: Db, here: string, there: string): Promise<void> {
  await sql`update draft set place = ${there} where place = ${here}
    and not exists (select from draft as other where other.member_id = draft.member_id and other.place = ${there})`.execute(tx)
}
