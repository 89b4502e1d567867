import { sql } from 'kysely'
import { Missing, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { remarkHistory } from '#comment/contract.ts'
import { tables } from '#kind/contract.ts'
import * as posts from '#post/server/post.ts'
import * as writing from '#writing/server/writing.ts'

const maxVersions = 50

/** The versions of a published comment or reply, the current one first. */
export async function list(db: Db, viewer: Viewer, { topicId, kind, id }: ParsedInput<typeof remarkHistory>) {
  await posts.findThread(db, viewer, topicId)
  const [present, earlier] = await Promise.all([
    db
      .selectFrom(kind)
      .select((row) => ['author_id', 'body', 'ai_label', row.fn.coalesce('edited_at', 'published_at').as('written_at')])
      .where('id', '=', id)
      .where('topic_id', '=', topicId)
      .where('status', '=', 'published')
      .executeTakeFirst(),
    sql<writing.VersionRow>`
      select body, ai_label, written_at, is_withheld from ${sql.table(tables[kind].revisions)}
      where ${sql.ref(`${kind}_id`)} = ${id} and ${writing.wasPublished} order by id desc limit ${maxVersions}`.execute(db),
  ])
  if (!present) throw Missing()
  return { versions: await writing.versionsOf(db, present.author_id, [{ ...present, is_withheld: false }, ...earlier.rows]) }
}
