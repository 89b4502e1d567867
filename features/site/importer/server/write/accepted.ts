import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { SourceAccepted } from '#importer/server/source.ts'
import type { ImportContext } from '#importer/server/write/import-context.ts'

/** Marks the accepted answers of questions, once all comments are there. */
export async function acceptAnswers(tx: Db, { importId }: ImportContext, accepted: readonly SourceAccepted[]): Promise<void> {
  await sql`
    with answer as (
      select comment.topic_id, comment.id as comment_id, comment.author_id, coalesce(its.at, comment.published_at) as published_at
      from unnest(${accepted.map(({ acceptedId }) => acceptedId)}::text[], ${accepted.map(({ at }) => at ?? null)}::timestamptz[]) as its (accepted_id, at)
      join import_row on old_id = its.accepted_id join comment on comment.id = new_id::bigint join topic on topic.id = comment.topic_id
      where import_id = ${importId} and import_row.kind = 'comment'
        and topic.kind = 'question' and comment.status = 'published' and topic.status = 'published' and comment.author_id <> topic.author_id
    ), adopted as (
      insert into adoption (topic_id, comment_id, author_id, adopted_at) select topic_id, comment_id, author_id, published_at from answer
      on conflict do nothing returning topic_id, comment_id, author_id
    ), rewarded as (
      insert into reward (post_kind, post_id, is_adoption, member_id, rule, points, round, is_due, is_given)
      select 'comment', comment_id, true, author_id, 'adopted', 0, 1, true, true from adopted on conflict do nothing
    )
    update topic set is_resolved = true from adopted where topic.id = adopted.topic_id`.execute(tx)
}
