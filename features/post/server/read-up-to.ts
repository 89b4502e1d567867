import { sql } from 'kysely'
import type { Parts } from '#base/server/database.ts'

/** Keeps how far a member has read a thread; it never goes back. */
export function readUpTo(tx: Parts, memberId: string, topicId: string, floor: number) {
  return tx
    .insertInto('topic_read')
    .values({ member_id: memberId, topic_id: topicId, floor })
    .onConflict((there) =>
      there.columns(['member_id', 'topic_id']).doUpdateSet({
        floor: sql`greatest(topic_read.floor, excluded.floor)`,
        read_at: sql`now()`,
      }),
    )
}
