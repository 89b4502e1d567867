import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { SourceThread } from '#importer/server/source.ts'
import { newIds, type ImportContext } from '#importer/server/write/import-context.ts'

type Row = { id: string; thread: SourceThread }

/** Gives threads the further tags that they have in another forum of this program. */
export async function writeFurtherTags(tx: Db, context: ImportContext, rows: readonly Row[]): Promise<void> {
  const further = rows.flatMap(({ id, thread }) => (thread.furtherTagIds ?? []).map((tagId) => ({ id, tagId })))
  const tags = await newIds(
    tx,
    context,
    'tag',
    further.map(({ tagId }) => tagId),
  )
  const found = further.flatMap(({ id, tagId }) => {
    const tag = tags.get(tagId)
    return tag === undefined ? [] : [{ id, tag }]
  })
  if (found.length === 0) return
  await sql`
    insert into topic_tag (topic_id, tag_id, place_id, state, last_reply_at, published_at, heat, is_listed, is_further, language)
    select topic.id, tag, topic.tag_id, question_state, last_reply_at, published_at, heat, status = 'published', true, language
    from unnest(${found.map(({ id }) => id)}::bigint[], ${found.map(({ tag }) => tag)}::bigint[]) as its (id, tag) join topic on topic.id = its.id
    where tag <> topic.tag_id on conflict do nothing`.execute(tx)
}
