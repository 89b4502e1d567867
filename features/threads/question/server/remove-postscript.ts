import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { truncate } from '#base/characters.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import * as notification from '#notification/server/notification.ts'
import * as posts from '#post/server/post.ts'
import { OwnCase } from '#staff/contract.ts'

type PostscriptRef = { topicId: string; number: number; reason: string }

const excerptLength = 200

/** Removes an addendum. The asker is told the reason, and the others keep their numbers. */
export function removePostscript(tx: Db, by: Staff, client: ClientInfo, postscript: PostscriptRef): Promise<void> {
  return setRemoved(tx, by, client, postscript, true)
}

/** Restores an addendum, unless it is by the actor: that needs another member of staff. */
export function restorePostscript(tx: Db, by: Staff, client: ClientInfo, postscript: PostscriptRef): Promise<void> {
  return setRemoved(tx, by, client, postscript, false)
}

async function setRemoved(
  tx: Db,
  by: Staff,
  client: ClientInfo,
  { topicId, number, reason }: PostscriptRef,
  isRemoved: boolean,
): Promise<void> {
  const thread = await posts.lockAnyThread(tx, topicId)
  if (!isRemoved && by.id === thread.authorId) throw OwnCase()
  const changed = await tx
    .updateTable('postscript')
    .set({ removed_at: isRemoved ? sql<Date>`clock_timestamp()` : null, removed_reason: isRemoved ? reason : null })
    .where('topic_id', '=', topicId)
    .where('number', '=', number)
    .where('removed_at', isRemoved ? 'is' : 'is not', null)
    .returning('body')
    .executeTakeFirst()
  if (!changed) throw Missing()
  const post = { ...(await posts.postView(tx, posts.openingOf(thread))), excerpt: truncate(toText(changed.body as Doc), excerptLength) }
  await notification.notify(
    tx,
    thread.authorId,
    isRemoved ? { kind: 'postscriptRemoved', post, number, reason } : { kind: 'postscriptRestored', post, number },
  )
  await audit.note(tx, by.staff, client, {
    action: isRemoved ? 'topic.removePostscript' : 'topic.restorePostscript',
    about: `topic ${topicId}`,
    ...(reason && { reason }),
    after: { postscript: number },
  })
  posts.invalidateThread(tx, thread)
}
