import { sql } from 'kysely'
import type { Kind } from '#kind/contract.ts'

/** Rows with columns `kind` and `column` that are about a post, or with `withReplies` about a topic and everything under it. */
export function isAboutPost({ kind, id, withReplies }: { kind: Kind; id: string; withReplies: boolean }, column: 'thing_id' | 'post_id') {
  const post = sql.ref(column)
  if (kind !== 'topic' || !withReplies) return sql<boolean>`kind = ${kind} and ${post} = ${id}`
  return sql<boolean>`case kind when 'topic' then ${post} = ${id}
    when 'comment' then ${post} in (select id from comment where topic_id = ${id}) else ${post} in (select id from reply where topic_id = ${id}) end`
}
