import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { ErasedPost, MergedMembers } from '#base/server/moments.ts'

/** Gives the conversations of a merged member to the other one. */
export async function membersMerged(tx: Db, { from, into }: MergedMembers): Promise<void> {
  await sql`select merge_conversations(${from}::bigint, ${into}::bigint)`.execute(tx)
}

/** Deletes the cached texts about the topic of a post that is erased. */
export async function postErased(tx: Db, { kind, id }: ErasedPost): Promise<void> {
  const topicId = kind === 'topic' ? sql`${id}::bigint` : sql`(select topic_id from ${sql.table(kind)} where id = ${id})`
  await sql`delete from generated_text where topic_id = ${topicId}`.execute(tx)
}
