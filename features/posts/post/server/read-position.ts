import { sql, type RawBuilder } from 'kysely'
import type { StatementBuilder } from '#base/server/database/database.ts'
import type { Value } from '#base/server/database/statement.ts'

/** Stores the highest floor a member has read in a thread; it never decreases. */
export function saveReadPosition(tx: StatementBuilder, memberId: string, topicId: string, floor: number) {
  return upsertReadPosition(tx, sql`values (${memberId}::bigint, ${topicId}::bigint, ${floor}::int)`)
}

/** The same for a row expression of member, thread and floor. */
export function upsertReadPosition(tx: StatementBuilder, row: RawBuilder<unknown>) {
  return tx
    .insertInto('topic_read_position')
    .columns(['member_id', 'topic_id', 'floor'])
    .expression(row)
    .onConflict((there) =>
      there.columns(['member_id', 'topic_id']).doUpdateSet({
        floor: sql`greatest(topic_read_position.floor, excluded.floor)`,
        read_at: sql`now()`,
      }),
    )
}

/** The latest time at which a member marked a list with this thread as read; null for never. */
export function markedReadAt(memberId: Value<string>, tagId = 'topic.tag_id'): RawBuilder<Date | null> {
  return sql<Date | null>`(
    select max(at) from read_all_marker
    where member_id = ${memberId} and (
      tag_id is null or tag_id = ${sql.ref(tagId)} or tag_id = (select parent_id from tag where tag.id = ${sql.ref(tagId)})))`
}
