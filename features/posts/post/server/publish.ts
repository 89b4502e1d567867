import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import * as file from '#file/server/file.ts'
import * as hiddenPart from '#hidden-part/server/hidden-part.ts'
import * as notification from '#notification/server/notification.ts'
import { invalidateForAddition } from '#post/server/invalidate-thread.ts'
import { fileOwnerOf, duplicateScopeOf } from '#post/server/post-location.ts'
import { indexTitle } from '#post/server/index-title.ts'
import type { Thread } from '#post/server/thread.ts'
import type { Settings } from '#setting/contract.ts'
import * as tag from '#tag/server/tag.ts'
import * as user from '#user/server/user.ts'
import * as wallet from '#wallet/server/wallet.ts'
import * as writing from '#writing/server/writing.ts'

type PublishedThread = { id: string; isPending: boolean }
type NewThread = {
  thread: Pick<Thread, 'kind' | 'tagId' | 'parentTagId' | 'alsoListedIn'>
  settings: Settings
  ready: writing.PreparedPost
  at?: Date | undefined
}

/** Publishes a thread, or holds it for review. Refuses posts over the rate limit and duplicates. */
export async function publish(tx: Db, author: Member, { thread, settings, ready, at }: NewThread): Promise<PublishedThread> {
  const { text, fileIds, title } = ready
  const post = { kind: 'topic', commentId: null, refersTo: null } as const
  const hold = writing.reviewReason(settings, author, { kind: 'topic', thread: thread.kind, tagId: thread.tagId, post: ready, at })
  const place = duplicateScopeOf({ ...post, thread: { id: '' }, title })
  const throttle = writing.throttle(settings, author, {
    kind: 'topic',
    at,
    text,
    fileIds,
    place,
    isHeld: hold !== null,
  })
  const wrote = user.incrementWritten(tx, 'topic', sql`select ${author.id}::bigint, ${thread.tagId}::bigint, ${thread.kind}`)
  const { rows } = await sql<{ id: string; isCounted: boolean; isUnique: boolean }>`
    with added as (${insertTopic(author, { thread, ready, at }, hold ? 'pending' : 'published')}),
      counted as (${writing.counted(tx, throttle)}),
      deduplicated as (${writing.deduplicated(tx, throttle)})${hold ? sql`` : sql`, wrote as (${wrote})`}
    select id, ${writing.passesThrottle} from added`.execute(tx)
  const [done] = rows
  if (!done) throw new Error('What was written is not there')
  const { id } = done
  await writing.refuseIfThrottled(tx, throttle, done)
  await file.attach(tx, fileIds, fileOwnerOf({ ...post, id, thread: { id } }))
  if (ready.hidden.length > 0) await hiddenPart.save(tx, { topicId: id }, ready.hidden)
  if (hold) await writing.holdForReview(tx, hold, { kind: 'topic', postId: id, topicId: id, authorId: author.id })
  else {
    await indexTitle(tx, id, title)
    await tag.count(tx, [thread.tagId], 1)
    await wallet.award(tx, [{ kind: 'topic', id, authorId: author.id, thread, at }])
    await notification.notifyOfPost(tx, { kind: 'topic', id })
    invalidateForAddition(tx, { ...thread, id })
  }
  return { id, isPending: hold !== null }
}

/** The part of the statement that inserts the row. */
function insertTopic({ id: author_id }: Member, { thread, ready, at }: Omit<NewThread, 'settings'>, status: string): RawBuilder<unknown> {
  const { body, segments, summary, title, pictures, locks, ai } = ready
  // One value for both columns, since each call of clock_timestamp() returns another.
  const published_at = at ?? sql`statement_timestamp()`
  const words = { body, segments, title, summary, pictures, locks, ai_label: ai?.isGenerated ? ai.by : null }
  const row = { author_id, status, kind: thread.kind, tag_id: thread.tagId, ...words, published_at, last_reply_at: published_at }
  const columns = Object.keys(row).map((name) => sql.ref(name))
  return sql`insert into topic (${sql.join(columns, sql`, `)}) values (${sql.join(Object.values(row), sql`, `)}) returning id`
}
