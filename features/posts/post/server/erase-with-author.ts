import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import * as file from '#file/server/file.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import type { Kind } from '#kind/contract.ts'
import * as notification from '#notification/server/notification.ts'
import { erase, eraseOpening } from '#post/server/erase.ts'
import { finishErasing } from '#post/server/finish-erasing.ts'
import { lockPosts, type Post } from '#post/server/lock.ts'
import { fileOwnerOf } from '#post/server/post-location.ts'
import { takeDown } from '#post/server/take-down.ts'
import { isAnswered, withdraw } from '#post/server/withdraw.ts'
import * as writing from '#writing/server/writing.ts'

/**
 * Some of an author's posts that are not erased yet: replies and comments first, so that they do not count as answers to the
 * author's own questions.
 */
export async function postsToErase(tx: Db, authorId: string, most: number): Promise<Pick<Post, 'kind' | 'id'>[]> {
  const { rows } = await sql<{ kind: Kind; id: string }>`
    (select 'reply' as kind, id from reply where author_id = ${authorId} and purged_at is null limit ${most})
    union all (select 'comment', id from comment where author_id = ${authorId} and purged_at is null limit ${most})
    union all (select 'topic', id from topic where author_id = ${authorId} and purged_at is null and (withdrawn_at is null
      or exists (select from topic_revision where topic_id = topic.id) or exists (select from postscript where topic_id = topic.id)) limit ${most})
    limit ${most}`.execute(tx)
  return rows
}

/**
 * Removes these posts and erases their content. Posts of others under a topic stay in the database, invisible as in any removed
 * topic; a question that others have answered keeps its title and its answers.
 */
export async function eraseWithAuthor(tx: Db, named: readonly Pick<Post, 'kind' | 'id'>[]): Promise<void> {
  const found = await lockPosts(tx, named)
  const removed: Post[] = []
  for (const post of found) {
    const stays =
      post.kind === 'topic' && post.thread.kind === 'question' && post.status === 'published' && (await isAnswered(tx, post.thread))
    if (!stays) removed.push(post)
    else {
      await withdraw(tx, post.thread)
      await hiddenPart.erase(tx, { topicIds: [post.id] })
      await finishErasing(tx, { kind: 'topic', id: post.id, withReplies: false, keepsThread: true })
    }
  }
  await takeDown(tx, removed, { by: 'author' })
  for (const post of removed) await eraseOne(tx, post)
}

async function eraseOne(tx: Db, post: Post): Promise<void> {
  const { kind, id, authorId } = post
  if (kind !== 'topic') return erase(tx, post)
  await eraseOpening(tx, id)
  await writing.releaseText(tx, authorId, kind, id)
  await file.detachOpening(tx, fileOwnerOf(post).topicId)
  await notification.purge(tx, id, { kind, id })
  await finishErasing(tx, { kind, id, withReplies: false, keepsThread: false })
}
