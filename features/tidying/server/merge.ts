import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import type { Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { From, Hand } from '#base/server/route.ts'
import { touch } from '#base/server/touched.ts'
import * as member from '#member/server/member.ts'
import { NotItsName, type mergeMembers } from '#tidying/contract.ts'
import { giveBans, giveRest, mustFit, other, type Pair } from '#tidying/server/give-over.ts'

/** Gives all that one member wrote to another, with its counts and files, and ends the account of the first. */
export async function merge(tx: Db, by: Hand, from: From, asked: Taken<typeof mergeMembers>): Promise<void> {
  const { memberId, account, reason } = asked
  const { id: intoId } = await other(tx, asked)
  const pair = { from: memberId, into: intoId }
  // By number, so that two who merge the same two do not wait for each other.
  for (const id of [memberId, intoId].toSorted((one, other) => Number(BigInt(one) - BigInt(other)))) await member.lock(tx, id)
  await mustFit(tx, pair)
  const old = await member.lock(tx, memberId)
  if (old.account !== account) throw NotItsName()
  const topicIds = await touched(tx, pair)
  await giveWords(tx, pair)
  await renumber(tx, intoId, topicIds)
  await giveCounts(tx, pair)
  await giveRest(tx, pair)
  const bans = await giveBans(tx, by, pair)
  await member.end(tx, old, reason, intoId)
  touch(tx, `member:${intoId}`, 'titles', ...topicIds.map((id) => `topic:${id}`))
  await audit.note(tx, by, from, {
    deed: 'member.merge',
    about: `member ${memberId}`,
    reason,
    after: { into: intoId, topics: topicIds.length, bans },
  })
}

// Locked top down, as those lock who write.
async function touched(tx: Db, { from }: Pair): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from topic where author_id = ${from} or last_reply_by = ${from}
    or id in (select topic_id from comment where author_id = ${from}) or id in (select topic_id from reply where author_id = ${from})
    order by id for update`.execute(tx)
  return rows.map(({ id }) => id)
}

async function giveWords(tx: Db, { from, into }: Pair): Promise<void> {
  await sql`update topic set last_reply_by = ${into} where last_reply_by = ${from}`.execute(tx)
  for (const kind of ['topic', 'comment', 'reply'])
    await sql`update ${sql.table(kind)} set author_id = ${into} where author_id = ${from}`.execute(tx)
}

// Who commented on a topic of the other comments on their own by now, so that the author's floors are counted anew.
async function renumber(tx: Db, authorId: string, topicIds: readonly string[]): Promise<void> {
  const theirs = sql`topic.author_id = ${authorId} and topic.id = any(${topicIds}::bigint[])`
  await sql`update comment set author_floor = null from topic where topic.id = topic_id and ${theirs} and author_floor is not null`.execute(
    tx,
  )
  await sql`
    update comment set author_floor = numbered.place
    from (
      select comment.id, row_number() over (partition by topic_id order by floor) as place
      from comment join topic on topic.id = topic_id where ${theirs} and comment.author_id = topic.author_id and floor is not null
    ) as numbered where numbered.id = comment.id`.execute(tx)
  await sql`update topic set author_floors = (select count(*) from comment where topic_id = topic.id and author_floor is not null)
    where ${theirs}`.execute(tx)
}

async function giveCounts(tx: Db, { from, into }: Pair): Promise<void> {
  await sql`insert into written (member_id, tag_id, topics, comments, replies)
    select ${into}, tag_id, topics, comments, replies from written where member_id = ${from}
    on conflict (member_id, tag_id) do update set topics = written.topics + excluded.topics,
      comments = written.comments + excluded.comments, replies = written.replies + excluded.replies`.execute(tx)
  await sql`delete from written where member_id = ${from}`.execute(tx)
  await sql`update member as one set topic_count = one.topic_count + other.topic_count,
      comment_count = one.comment_count + other.comment_count, reply_count = one.reply_count + other.reply_count
    from member as other where one.id = ${into} and other.id = ${from}`.execute(tx)
  await sql`update member set topic_count = 0, comment_count = 0, reply_count = 0 where id = ${from}`.execute(tx)
}
