import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Kind } from '#kind/contract.ts'

type Review = { id: string; kind: Kind; post_id: string }

/** Records the editor of the published text, and keeps the author's version for staff. False where both are the same. */
export async function keepAuthorVersion(tx: Db, { id, kind, post_id }: Review): Promise<boolean> {
  const isTopic = kind === 'topic'
  const [column, value, differs] = isTopic
    ? [sql`title,`, sql`coalesce(own_title, post.title),`, sql`or own_title <> post.title`]
    : [sql``, sql``, sql``]
  const { rows } = await sql`
    with kept as (
      insert into ${sql.table(`${kind}_revision`)} (${sql.ref(`${kind}_id`)}, ${column} body, written_at, is_withheld)
      select post.id, ${value} own_body, coalesce(post.edited_at, post.published_at), true
      from ${sql.table(kind)} as post, review
      where review.id = ${id} and post.id = ${post_id} and (own_body <> post.body ${differs})
      returning 1
    )
    update ${sql.table(kind)} as post set edited_by = review.edited_by, edited_at = coalesce(post.edited_at, post.published_at)
    from review, kept where review.id = ${id} and post.id = ${post_id}
    returning post.id`.execute(tx)
  return rows.length > 0
}
