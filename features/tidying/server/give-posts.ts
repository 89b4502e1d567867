import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import { touch } from '#base/server/touched.ts'
import type { Pair } from '#tidying/server/give-over.ts'
import { atOnce, idsOf, kinds, type Kind, type Named, type Post } from '#tidying/server/posts.ts'

/** Some of what a member wrote, wherever it stands. */
export async function writtenBy(tx: Db, memberId: string): Promise<Named[]> {
  const { rows } = await sql<Named>`
    (select 'comment' as kind, id from comment where author_id = ${memberId} limit ${atOnce})
    union all (select 'reply', id from reply where author_id = ${memberId} limit ${atOnce})
    union all (select 'topic', id from topic where author_id = ${memberId} limit ${atOnce})
    limit ${atOnce}`.execute(tx)
  return rows
}

/** Gives posts from one member to another, with their counts. They must be locked, with all that they stand under. */
export async function givePosts(tx: Db, pair: Pair, posts: readonly Post[]): Promise<void> {
  const topicIds = [...new Set(posts.map(({ topicId }) => topicId))]
  for (const kind of kinds)
    await sql`update ${sql.table(kind)} set author_id = ${pair.into} where id = any(${idsOf(posts, kind)}::bigint[])`.execute(tx)
  await sql`update topic set last_reply_by = ${pair.into} where last_reply_by = ${pair.from} and id = any(${topicIds}::bigint[])`.execute(
    tx,
  )
  await renumber(tx, topicIds)
  await giveCounts(
    tx,
    pair,
    posts.filter(({ status }) => status === 'published'),
  )
  touch(tx, `member:${pair.from}`, `member:${pair.into}`, 'titles', ...topicIds.map((id) => `topic:${id}`))
}

// Who comments on a topic of their own may be another by now, so that the author's floors are counted anew.
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

// Members by number, and tags by theirs, so that two who give to each other's receivers wait for one another, and not in a circle.
async function giveCounts(tx: Db, { from, into }: Pair, posts: readonly Post[]): Promise<void> {
  const of = (kind: Kind, among = posts) => among.filter((post) => post.kind === kind).length
  const members = [[from, -1] as const, [into, 1] as const].toSorted(([one], [other]) => Number(BigInt(one) - BigInt(other)))
  for (const [id, sign] of members)
    await sql`update member set topic_count = topic_count + ${sign * of('topic')}, comment_count = comment_count + ${sign * of('comment')},
      reply_count = reply_count + ${sign * of('reply')} where id = ${id}`.execute(tx)
  const byTag = [...Map.groupBy(posts, ({ tagId }) => tagId)].toSorted(([one], [other]) => Number(BigInt(one) - BigInt(other)))
  for (const [tagId, its] of byTag) {
    const [topics, comments, replies] = [of('topic', its), of('comment', its), of('reply', its)]
    await sql`update written set topics = topics - ${topics}, comments = comments - ${comments}, replies = replies - ${replies}
      where member_id = ${from} and tag_id = ${tagId}`.execute(tx)
    await sql`insert into written (member_id, tag_id, topics, comments, replies) values (${into}, ${tagId}, ${topics}, ${comments}, ${replies})
      on conflict (member_id, tag_id) do update set topics = written.topics + excluded.topics,
        comments = written.comments + excluded.comments, replies = written.replies + excluded.replies`.execute(tx)
  }
}
