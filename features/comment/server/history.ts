import { Missing } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import type { Db } from '#base/server/database.ts'
import type { Viewer } from '#base/server/route.ts'
import * as topics from '#topic/server/topic.ts'
import * as writing from '#writing/server/writing.ts'

const shown = 50

type Version = { body: unknown; written_at: Date }
type Written = Version & { author_id: string }

/** The versions of a comment that is on the page, the present one first. */
export async function ofComment(db: Db, viewer: Viewer, topicId: string, commentId: string) {
  await topics.find(db, viewer, topicId)
  const [present, earlier] = await Promise.all([
    db
      .selectFrom('comment')
      .select((row) => ['author_id', 'body', row.fn.coalesce('edited_at', 'published_at').as('written_at')])
      .where('id', '=', commentId)
      .where('topic_id', '=', topicId)
      .where('status', '=', 'published')
      .executeTakeFirst(),
    db
      .selectFrom('comment_revision')
      .select(['body', 'written_at'])
      .where('comment_id', '=', commentId)
      .where('is_withheld', '=', false)
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
      .select((row) => ['author_id', 'body', row.fn.coalesce('edited_at', 'published_at').as('written_at')])
      .where('id', '=', replyId)
      .where('topic_id', '=', topicId)
      .where('status', '=', 'published')
      .executeTakeFirst(),
    db
      .selectFrom('reply_revision')
      .select(['body', 'written_at'])
      .where('reply_id', '=', replyId)
      .where('is_withheld', '=', false)
      .orderBy('id', 'desc')
      .limit(shown)
      .execute(),
  ])
  return views(db, present, earlier)
}

async function views(db: Db, present: Written | undefined, earlier: readonly Version[]) {
  if (!present) throw Missing()
  const versions = [present, ...earlier]
  const rendered = await writing.renderAll(
    db,
    present.author_id,
    versions.map((version) => version.body as Doc),
  )
  return { versions: versions.map((version, index) => ({ segments: rendered[index] ?? [], writtenAt: version.written_at.toISOString() })) }
}
