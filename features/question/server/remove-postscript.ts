import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { cut } from '#base/characters.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Staff } from '#base/server/http/route.ts'
import * as notice from '#notice/server/notice.ts'
import * as posts from '#post/server/post.ts'
import { OwnCase } from '#staff/contract.ts'

type Which = { topicId: string; number: number; reason: string }

const toldLength = 200

/** Removes an addendum. The asker is told the reason, and the others keep their numbers. */
export function removePostscript(tx: Db, by: Staff, client: ClientInfo, which: Which): Promise<void> {
  return settle(tx, by, client, which, true)
}

/** Restores an addendum, unless it is by the actor: that needs another member of staff. */
export function restorePostscript(tx: Db, by: Staff, client: ClientInfo, which: Which): Promise<void> {
  return settle(tx, by, client, which, false)
}

async function settle(tx: Db, by: Staff, client: ClientInfo, { topicId, number, reason }: Which, isAway: boolean): Promise<void> {
  const thread = await posts.lockAnyThread(tx, topicId)
  if (!isAway && by.id === thread.authorId) throw OwnCase()
  const settled = await tx
    .updateTable('postscript')
    .set({ removed_at: isAway ? sql<Date>`clock_timestamp()` : null, removed_reason: isAway ? reason : null })
    .where('topic_id', '=', topicId)
    .where('number', '=', number)
    .where('removed_at', isAway ? 'is' : 'is not', null)
    .returning('body')
    .executeTakeFirst()
  if (!settled) throw Missing()
  const post = { ...(await posts.postView(tx, posts.openingOf(thread))), excerpt: cut(toText(settled.body as Doc), toldLength) }
  await notice.tell(
    tx,
    thread.authorId,
    isAway ? { kind: 'postscriptRemoved', post, number, reason } : { kind: 'postscriptRestored', post, number },
  )
  await audit.note(tx, by.staff, client, {
    deed: isAway ? 'topic.removePostscript' : 'topic.restorePostscript',
    about: `topic ${topicId}`,
    ...(reason && { reason }),
    after: { postscript: number },
  })
  posts.wasChanged(tx, thread)
}
