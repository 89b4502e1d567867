import { sql } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Value } from '#base/server/database/statement.ts'
import type { Member } from '#base/server/http/route.ts'
import type { freshCounts, markRead } from '#comment/reading-contract.ts'
import * as tag from '#tag/server/tag.ts'
import * as posts from '#post/server/post.ts'

/** Stores a member's read position. Devices may report in any order. */
export async function mark(tx: Db, member: Member, { topicId, floor }: ParsedInput<typeof markRead>): Promise<void> {
  const topic = await posts.findThread(tx, member, topicId)
  await posts.saveReadPosition(tx, member.id, topic.id, Math.min(floor, topic.floors)).execute()
}

/** A member's read position, as a subquery. */
export function readFloor(db: Db, memberId: Value<string>, topicId: Value<string>) {
  return db.selectFrom('topic_read_position').select('floor').where('member_id', '=', memberId).where('topic_id', '=', topicId)
}

/** A member's reading state of a list of topics that they may see. */
export async function readingStates(db: Db, member: Member, topicIds: readonly string[]): Promise<Output<typeof freshCounts>> {
  if (topicIds.length === 0) return { topics: [] }
  const { rows } = await sql<Output<typeof freshCounts>['topics'][number]>`
    select id::text as "topicId", coalesce(floor, 0) as "readTo",
      case when floor is null then 0 else ${newCount(member)} end as fresh,
      floor is null and author_id <> ${member.id} and last_reply_at > coalesce(all_read_at, '-infinity') as "isUnread"
    from (
      select topic.id, topic.author_id, topic.last_reply_at, floor, read_at, ${posts.markedReadAt(member.id)} as all_read_at
      from topic left join topic_read_position on topic_id = topic.id and member_id = ${member.id}
      where topic.id = ${anyOf(topicIds)} and status = 'published' and ${tag.seenBy(member)}
    ) as topic`.execute(db)
  return { topics: rows }
}

const maxCounted = 999

// Comments before the visit are not new, read or not; the member's own and removed ones do not count.
function newCount(member: Member) {
  return sql`(
    select count(*)::int from (
      select from comment
      where comment.topic_id = topic.id and comment.status = 'published' and comment.published_at > greatest(topic.read_at, topic.all_read_at)
        and comment.floor > topic.floor and comment.author_id <> ${member.id}
      limit ${maxCounted}
    ) as counted)`
}
