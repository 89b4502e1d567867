import { sql } from 'kysely'
import type { Doc } from '#base/rich-text/document.ts'
import { truncate } from '#base/characters.ts'
import { summaryOf, toText } from '#base/rich-text/to-text.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Kind } from '#kind/contract.ts'

/** A version of a post, before and after the renaming. */
export type RenamedPost = { kind: Kind; postId: string; topicId: string; was: Doc; now: Doc }

// The excerpts of a post that notifications, reports and removals store.
const beginnings: readonly ((doc: Doc) => string)[] = [summaryOf, (doc) => truncate(toText(doc), 200)]

/** Updates the stored excerpts of these posts in reports, removals and notifications. */
export async function renameExcerpts(tx: Db, posts: readonly RenamedPost[]): Promise<void> {
  const pairs = posts.flatMap(({ was, now, ...post }) => beginnings.map((of) => ({ ...post, before: of(was), after: of(now) })))
  const changed = pairs.filter(({ before, after }) => before !== after)
  if (changed.length === 0) return
  const changes = sql`unnest(${changed.map(({ kind }) => kind)}::text[], ${changed.map(({ postId }) => postId)}::bigint[],
    ${changed.map(({ topicId }) => topicId)}::bigint[], ${changed.map(({ before }) => before)}::text[],
    ${changed.map(({ after }) => after)}::text[]) as told(kind, post_id, topic_id, before, after)`
  for (const table of ['report_case', 'removal'])
    await sql`update ${sql.table(table)} as its set excerpt = told.after from ${changes}
      where its.kind = told.kind and its.thing_id = told.post_id and its.excerpt = told.before`.execute(tx)
  await sql`update notice as its set facts = jsonb_set(its.facts, '{post,excerpt}', to_jsonb(told.after)) from ${changes}
    where its.topic_id = told.topic_id and its.facts -> 'post' ->> 'excerpt' = told.before`.execute(tx)
}
