import { sql } from 'kysely'
import type { Output, Taken } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import type { freshCounts, markRead } from '#comment/reading-contract.ts'
import * as tag from '#tag/server/tag.ts'
import * as posts from '#post/server/post.ts'

/** Keeps how far a member has read. Two devices may tell of it in any order. */
export async function mark(tx: Db, member: Member, { topicId, floor }: Taken<typeof markRead>): Promise<void> {
  const topic = await posts.findThread(tx, member, topicId)
  await posts.readUpTo(tx, member.id, topic.id, Math.min(floor, topic.floors)).execute()
}

/** How far a member has read, as a part of another statement. */
export function floorRead(db: Db, member: Member, topicId: string) {
  return db.selectFrom('topic_read').select('floor').where('member_id', '=', member.id).where('topic_id', '=', topicId)
}

/** What is new to a member in a whole list of topics, where they may look. */
export async function fresh(db: Db, member: Member, topicIds: readonly string[]): Promise<Output<typeof freshCounts>> {
  if (topicIds.length === 0) return { topics: [] }
  const rows = await db
    .selectFrom('topic_read')
    .innerJoin('topic', 'topic.id', 'topic_id')
    .select(['topic_id', 'floor', newTo(member).as('fresh')])
    .where('member_id', '=', member.id)
    .where('topic_id', '=', anyOf(topicIds))
    .where('status', '=', 'published')
    .where(tag.seenBy(member))
    .execute()
  return { topics: rows.map(({ topic_id, floor, fresh }) => ({ topicId: topic_id, readTo: floor, fresh })) }
}

const fewEnough = 50

// Few are counted one by one, without what was removed and what one wrote oneself; of many it does not matter.
function newTo(member: Member) {
  return sql<number>`case
    when topic.floors - topic_read.floor > ${fewEnough}::int then topic.floors - topic_read.floor
    else (
      select count(*)::int from comment
      where comment.topic_id = topic.id and comment.floor > topic_read.floor and status = 'published' and author_id <> ${member.id}
    )
  end`
}
