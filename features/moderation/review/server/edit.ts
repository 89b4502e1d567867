import * as audit from '#audit/server/audit.ts'
import { NotAllowed, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import type { editReview } from '#review/contract.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import { lockForDecision } from '#review/server/lock-review.ts'
import * as writing from '#writing/server/writing.ts'
import * as posts from '#post/server/post.ts'

/** Edits a pending post; it still waits, and the author's version is kept. */
export async function edit(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { title, body, ...decision }: ParsedInput<typeof editReview>,
): Promise<{ version: number }> {
  if (!by.staff.may('content.edit')) throw NotAllowed()
  const { review, post, about } = await lockForDecision(tx, by, decision)
  const { kind, author_id: authorId } = review
  const named = kind === 'topic' ? (title ?? (await titleOf(tx, review))) : undefined
  const ready = await writing.prepare(tx, {
    kind,
    thread: post.thread.kind,
    by,
    authorId,
    place: { topicId: post.thread.id, ...(kind === 'comment' && { commentId: post.id }) },
    document: body,
    origin: client.origin,
    ...(named && { title: named }),
  })
  if (review.is_edit) {
    await writing.recordEditor(tx, by, kind, review.post_id)
    await tx.updateTable('review').set(contentOf(ready, named)).where('id', '=', review.id).execute()
    if (kind === 'topic' && ready.hidden !== 'waiting') await hiddenPart.stage(tx, post.id, ready.hidden)
  } else await posts.overwritePending(tx, by, post, ready)
  // The author's version is stored with the post, and is erased with it; the audit log is permanent.
  const version = review.version + 1
  await audit.note(tx, by.staff, client, { action: 'review.edit', about, before: { version: review.version }, after: { version } })
  return { version }
}

function contentOf(post: writing.PreparedPost, title: string | undefined) {
  return writing.contentOf({ post, ...(title !== undefined && { title }) })
}

async function titleOf(tx: Db, { title, topic_id }: { title: string | null; topic_id: string }): Promise<string> {
  return title ?? (await tx.selectFrom('topic').select('title').where('id', '=', topic_id).executeTakeFirstOrThrow()).title
}
