import { sql, type Expression } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import * as tag from '#tag/server/tag.ts'

/** The further tags of a thread, sorted, so that two lists can be compared. */
export function furtherTagsOf(topicId: string | Expression<unknown>) {
  return sql<string[]>`array(select tag_id from topic_tag where topic_id = ${topicId} and tag_id <> place_id order by tag_id)`
}

/** The condition that a thread has exactly these further tags. */
export function hasFurtherTags(topicId: string, tagIds: readonly string[]) {
  return sql<boolean>`${furtherTagsOf(topicId)} = array(select unnest(${tagIds}::bigint[]) order by 1)`
}

/** Sets the further tags of a locked thread, replacing the former. */
export async function setFurtherTags(tx: Db, topicId: string, tagIds: readonly string[]): Promise<void> {
  const removed = await sql<{ tag_id: string }>`
    delete from topic_tag where topic_id = ${topicId} and tag_id <> place_id and tag_id <> all(${tagIds}::bigint[]) returning tag_id`.execute(
    tx,
  )
  // Since the author chose a tag, it may have been deleted or got subtags.
  const added = await sql<{ tag_id: string }>`
    insert into topic_tag (topic_id, tag_id, place_id, state, last_reply_at, published_at, heat, is_listed, language)
    select topic.id, tag.id, topic.tag_id, question_state, last_reply_at, published_at, heat, status = 'published', language
    from tag, topic
    where tag.id = any(${tagIds}::bigint[]) and not exists (select from tag as below where below.parent_id = tag.id)
      and topic.id = ${topicId} and topic.tag_id <> tag.id
    on conflict do nothing returning tag_id`.execute(tx)
  const places = await tag.places(tx)
  for (const { tag_id } of [...removed.rows, ...added.rows]) tag.invalidateLists(tx, tag_id, places.get(tag_id)?.parent?.id ?? null)
}
