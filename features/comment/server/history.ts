import { sql } from 'kysely'
import { Missing } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { Viewer } from '#base/server/route.ts'
import * as topics from '#topic/server/topic.ts'
import * as writing from '#writing/server/writing.ts'

const shown = 50

type Written = writing.Version & { author_id: string }

const isWithheld = sql<boolean>`false`

/** The versions of a comment that is on the page, the present one first. */
export async function ofComment(db: Db, viewer: Viewer, topicId: string, commentId: string) {
  await topics.find(db, viewer, topicId)
  const [present, earlier] = await Promise.all([
    db
      .selectFrom('comment')
      .select((row) => ['author_id', 'body', row.fn.coalesce('edited_at', 'published_at').as('written_at'), isWithheld.as('is_withheld')])
      .where('id', '=', commentId)
      .where('topic_id', '=', topicId)
      .where('status', '=', 'published')
      .executeTakeFirst(),
    db
      .selectFrom('comment_revision')
      .select(['body', 'written_at', 'is_withheld'])
      .where('comment_id', '=', commentId)
      .where(writing.wasShown)
      .orderBy('id', 'desc')
      .limit(shown)
      .execute(),
  ])
  return views(db, present, earlier)
}

/** The same for a reply. */
export async function ofReply(db: Db, viewer: Viewer, topicId: string, replyId: string) {
  await topics.find(db, viewer, topicId)
  const [present, earlier] = await Promise.all([
    db
      .selectFrom('reply')
      .select((row) => ['author_id', 'body', row.fn.coalesce('edited_at', 'published_at').as('written_at'), isWithheld.as('is_withheld')])
      .where('id', '=', replyId)
      .where('topic_id', '=', topicId)
      .where('status', '=', 'published')
      .executeTakeFirst(),
    db
      .selectFrom('reply_revision')
      .select(['body', 'written_at', 'is_withheld'])
      .where('reply_id', '=', replyId)
      .where(writing.wasShown)
      .orderBy('id', 'desc')
      .limit(shown)
      .execute(),
  ])
  return views(db, present, earlier)
}

async function views(db: Db, present: Written | undefined, earlier: readonly writing.Version[]) {
  if (!present) throw Missing()
  return { versions: await writing.versionsOf(db, present.author_id, [present, ...earlier]) }
}
