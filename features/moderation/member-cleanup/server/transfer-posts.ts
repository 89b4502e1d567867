import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { kinds } from '#kind/contract.ts'
import * as posts from '#post/server/post.ts'
import type { Pair } from '#member-cleanup/server/transfer.ts'
import { postsPerTransaction, idsOf, type PostRef } from '#member-cleanup/server/post-batch.ts'

/** Some of a member's posts, in any thread. */
export async function somePostsBy(tx: Db, memberId: string): Promise<PostRef[]> {
  const { rows } = await sql<PostRef>`
    (select 'comment' as kind, id from comment where author_id = ${memberId} limit ${postsPerTransaction})
    union all (select 'reply', id from reply where author_id = ${memberId} limit ${postsPerTransaction})
    union all (select 'topic', id from topic where author_id = ${memberId} limit ${postsPerTransaction})
    limit ${postsPerTransaction}`.execute(tx)
  return rows
}

/** Transfers posts from one member to another, with their counts. They must be locked, with everything above them. */
export async function transferPosts(tx: Db, pair: Pair, found: readonly posts.Post[]): Promise<void> {
  const topicIds = [...new Set(found.map(({ thread }) => thread.id))]
  for (const kind of kinds)
    await sql`update ${sql.table(kind)} set author_id = ${pair.into} where id = any(${idsOf(found, kind)}::bigint[])`.execute(tx)
  await sql`update topic set last_reply_by = ${pair.into} where last_reply_by = ${pair.from} and id = any(${topicIds}::bigint[])`.execute(
    tx,
  )
  await renumber(tx, topicIds)
  await posts.onAuthorChanged(tx, found, pair.into)
  invalidate(tx, `member:${pair.from}`, `member:${pair.into}`, 'titles')
}

// A comment by the topic's author may have another author by now, so the author's floors are numbered anew.
async function renumber(tx: Db, topicIds: readonly string[]): Promise<void> {
  const theirs = sql`topic.id = any(${topicIds}::bigint[])`
  await sql`update comment set author_floor = null from topic
    where topic.id = topic_id and ${theirs} and author_floor is not null`.execute(tx)
  await sql`
    update comment set author_floor = numbered.place
    from (
      select comment.id, row_number() over (partition by topic_id order by floor) as place
      from comment join topic on topic.id = topic_id where ${theirs} and comment.author_id = topic.author_id and floor is not null
    ) as numbered where numbered.id = comment.id`.execute(tx)
  await sql`update topic set author_floors = (select count(*) from comment where topic_id = topic.id and author_floor is not null)
    where ${theirs}`.execute(tx)
}
