import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as tag from '#tag/server/tag.ts'

/** Pages that show whether it can be opened are out of date, and the cards of those who look at it. */
export async function changed(tx: Db, { id, topicId }: { id: string; topicId: string | null }): Promise<void> {
  shareOpened(tx, id)
  if (topicId === null) return
  const { rows } = await sql<{ tagId: string; parentTagId: string | null; alsoListedIn: string[]; isQuestion: boolean }>`
    select topic.tag_id::text as "tagId", parent_id::text as "parentTagId", ${tag.alsoListedIn} as "alsoListedIn", topic.kind = 'question' as "isQuestion"
    from topic join tag on tag.id = topic.tag_id where topic.id = ${topicId}`.execute(tx)
  for (const { tagId, parentTagId, alsoListedIn, isQuestion } of rows) {
    invalidate(tx, `topic:${topicId}`)
    tag.invalidateLists(tx, tagId, parentTagId, alsoListedIn)
    // A question shows under tags beside the one it lies in.
    if (isQuestion) invalidate(tx, 'tags')
  }
}

/** Only the cards change; kept pages say nothing of how many shares were opened. */
export function shareOpened(tx: Db, envelopeId: string): void {
  invalidate(tx, channelOf(envelopeId))
}

/** Under this tag those who look at an envelope hear of it. */
export function channelOf(envelopeId: string): string {
  return `redEnvelope:${envelopeId}`
}
