import { sql } from 'kysely'
import { Missing, type Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { topicHistory } from '#topic/contract.ts'
import * as writing from '#writing/server/writing.ts'
import * as posts from '#post/server/post.ts'

const perPage = 10

/** A page of ten versions of a topic, newest first; the current one is the first of all. */
export async function list(db: Db, viewer: Viewer, topicId: string, page: number): Promise<Output<typeof topicHistory>> {
  const topic = await posts.findThread(db, viewer, topicId)
  const { count } = await db
    .selectFrom('topic_revision')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('topic_id', '=', topicId)
    .where(writing.wasPublished)
    .executeTakeFirstOrThrow()
  const total = Number(count) + 1
  const pages = Math.ceil(total / perPage)
  if (page > pages) throw Missing()

  const rows = await versions(db, topicId, page)
  // The versions of a withdrawn question are for its author and staff only.
  const views = await writing.versionsOf(
    db,
    topic.authorId,
    rows.map((row) => ({ ...row, is_withheld: row.is_withheld || topic.isWithdrawn })),
  )
  return {
    total,
    page,
    pages,
    versions: views.map((version, index) => ({ ...version, title: version.isWithheld ? '' : (rows[index]?.title ?? '') })),
  }
}

async function versions(db: Db, topicId: string, page: number) {
  const isFirst = page === 1
  const [present, earlier] = await Promise.all([
    db
      .selectFrom('topic')
      .select((row) => [
        'title',
        'body',
        'ai_label',
        row.fn.coalesce('edited_at', 'published_at').as('written_at'),
        sql<boolean>`false`.as('is_withheld'),
      ])
      .where('id', '=', topicId)
      .execute(),
    db
      .selectFrom('topic_revision')
      .select(['title', 'body', 'ai_label', 'written_at', 'is_withheld'])
      .where('topic_id', '=', topicId)
      .where(writing.wasPublished)
      .orderBy('id', 'desc')
      .limit(isFirst ? perPage - 1 : perPage)
      .offset(isFirst ? 0 : (page - 1) * perPage - 1)
      .execute(),
  ])
  return isFirst ? [...present, ...earlier] : earlier
}
