import { sql, type Expression } from 'kysely'
import type { Db } from '#base/server/database.ts'

/** The tags of a question beside the one it lies in, in one order, so that two lists of them can be compared. */
export function furtherTagsOf(topicId: string | Expression<unknown>) {
  return sql<string[]>`array(select tag_id from question_tag where topic_id = ${topicId} and tag_id <> place_id order by tag_id)`
}

/** The condition that a question stands under these. */
export function standsUnder(topicId: string, tagIds: readonly string[]) {
  return sql<boolean>`${furtherTagsOf(topicId)} = array(select unnest(${tagIds}::bigint[]) order by 1)`
}

/** From now on a question that is locked stands under these tags, beside the one it lies in, and under no others. */
export async function putUnder(tx: Db, topicId: string, tagIds: readonly string[]): Promise<void> {
  await sql`
    delete from question_tag where topic_id = ${topicId} and tag_id <> place_id and tag_id <> all(${tagIds}::bigint[])`.execute(tx)
  // A tag may be gone, or have tags below it, since somebody chose it and waited.
  await sql`
    insert into question_tag (topic_id, tag_id, place_id, state, last_reply_at, is_listed, language)
    select place.topic_id, tag.id, place.place_id, place.state, place.last_reply_at, place.is_listed, place.language
    from tag, question_tag as place
    where tag.id = any(${tagIds}::bigint[]) and not exists (select from tag as below where below.parent_id = tag.id)
      and place.topic_id = ${topicId} and place.tag_id = place.place_id
    on conflict do nothing`.execute(tx)
}
