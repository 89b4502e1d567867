import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as tag from '#tag/server/tag.ts'

/** Invalidates the pages that show whether the envelope is open, and its live cards. */
export async function invalidateEnvelope(tx: Db, { id, topicId }: { id: string; topicId: string | null }): Promise<void> {
  invalidateCard(tx, id)
  if (topicId === null) return
  const { rows } = await sql<{ tagId: string; parentTagId: string | null; alsoListedIn: string[]; isQuestion: boolean }>`
    select topic.tag_id::text as "tagId", parent_id::text as "parentTagId", ${tag.alsoListedIn} as "alsoListedIn", topic.kind = 'question' as "isQuestion"
    from topic join tag on tag.id = topic.tag_id where topic.id = ${topicId}`.execute(tx)
  for (const { tagId, parentTagId, alsoListedIn, isQuestion } of rows) {
    invalidate(tx, `topic:${topicId}`)
    tag.invalidateLists(tx, tagId, parentTagId, alsoListedIn)
    // Questions are also listed under tags other than their own.
    if (isQuestion) invalidate(tx, 'tags')
  }
}

/** Updates the live cards only: cached pages do not show the number of opened shares. */
export function invalidateCard(tx: Db, envelopeId: string): void {
  invalidate(tx, cacheTagOf(envelopeId))
}

/** The cache tag whose invalidation updates the live cards of an envelope. */
export function cacheTagOf(envelopeId: string): string {
  return `redEnvelope:${envelopeId}`
}
