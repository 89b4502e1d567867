import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { Kind, ThreadKind } from '#kind/contract.ts'
import * as notification from '#notification/server/notification.ts'
import { invalidateEnvelope } from '#red-envelope/server/invalidate.ts'
import { forEachIsolated } from '#red-envelope/server/isolate.ts'
import { drop, endLocked, lockWhere } from '#red-envelope/server/end.ts'
import { open } from '#red-envelope/server/give.ts'
import type { Envelope } from '#red-envelope/server/pay.ts'
import { isPostVisible } from '#red-envelope/server/place.ts'
import * as setting from '#setting/server/setting.ts'
import { toMinor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

type PostRef = { kind: Kind; id: string }

/**
 * Posts were published or removed. The envelopes of these posts, and of all comments in their threads, are funded and opened while their
 * post is on the page, and end once it is not. While the ledger is frozen the jobs do it after the thaw.
 */
export async function openOrEnd(tx: Db, posts: readonly PostRef[]): Promise<void> {
  const [topicIds, commentIds] = [idsOf(posts, 'topic'), idsOf(posts, 'comment')]
  if (topicIds.length + commentIds.length === 0) return
  const envelopes = await lockWhere(tx, sql`(topic_id = any(${topicIds}::bigint[]) or comment_id = any(${commentIds}::bigint[]))`)
  if (envelopes.length === 0 || (await wallet.isFrozen(tx))) return
  const { rows } = await sql<{ id: string }>`
    select given.id::text from red_envelope as given join topic on topic.id = topic_id
    where given.id = any(${envelopes.map(({ id }) => id)}::bigint[]) and ${isPostVisible}`.execute(tx)
  const visibleIds = new Set(rows.map(({ id }) => id))
  for (const envelope of envelopes) {
    if (envelope.state === 'waiting' && visibleIds.has(envelope.id)) await openWithPost(tx, envelope)
    if (envelope.state === 'open' && !visibleIds.has(envelope.id)) await endLocked(tx, envelope, 'postGone')
  }
}

/** Whether an envelope of a post, or of a comment in its thread, returned to its giver since then because the post was gone. */
export async function refundedSince(db: Db, { kind, id }: PostRef, since: Date): Promise<boolean> {
  if (kind === 'reply') return false
  const { rows } = await sql`
    select from red_envelope where ${sql.ref(`${kind}_id`)} = ${id} and end_reason = 'postGone' and state = 'returned' and ended_at >= ${since}
    limit 1`.execute(db)
  return rows.length > 0
}

/** Opens the envelopes whose post was published while the ledger was frozen. */
export async function openWaiting(database: Database): Promise<void> {
  if (await wallet.isFrozen(database.app)) return
  const { rows } = await sql<{ topicId: string }>`
    select distinct topic.id as "topicId" from red_envelope as given join topic on topic.id = topic_id
    where given.state = 'waiting' and ${isPostVisible} limit 500`.execute(database.app)
  const topicIds = rows.map(({ topicId }) => topicId)
  await forEachIsolated(topicIds, (topicId) =>
    transact(database, async (tx) => {
      // The thread is locked first, in the order in which removals lock.
      const thread = tx.selectFrom('topic').select('id').where('id', '=', topicId).where('status', '=', 'published')
      if (!(await thread.forNoKeyUpdate().skipLocked().executeTakeFirst())) return
      await openOrEnd(tx, [{ kind: 'topic', id: topicId }])
      for (const envelope of await lockWhere(tx, sql`topic_id = ${topicId}`)) await invalidateEnvelope(tx, envelope)
    }),
  )
}

/** Messages are removed for a member: the envelopes that others sent them return to the givers. */
export async function endWithMessages(tx: Db, memberId: string, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return
  await endAll(tx, await lockWhere(tx, sql`message_id = any(${messageIds}::bigint[]) and not ledger.is_same_member(giver_id, ${memberId})`))
}

/** All messages of a member are removed for their receivers. */
export async function endWithMessagesBy(tx: Db, memberId: string): Promise<void> {
  await endAll(tx, await lockWhere(tx, sql`message_id is not null and giver_id = ${memberId}`))
}

/** While the ledger is frozen they are marked expired, and the job ends them after the thaw. */
async function endAll(tx: Db, open: readonly Envelope[]): Promise<void> {
  const isFrozen = open.length > 0 && (await wallet.isFrozen(tx))
  for (const envelope of open) {
    if (isFrozen) await sql`update red_envelope set ends_at = clock_timestamp() where id = ${envelope.id}`.execute(tx)
    else await endLocked(tx, envelope, 'postGone')
  }
}

/** If the envelope cannot be funded any more, the post stays without it and the giver is notified. */
async function openWithPost(tx: Db, envelope: Envelope): Promise<void> {
  const { id, giverId, currency } = envelope
  const amount = toMinor(envelope.amount)
  const { allowCash, allowRedEnvelopes } = await setting.all(tx)
  await wallet.lockAccounts(tx, giverId)
  const { balance } = (await wallet.accountsOf(tx, giverId))[currency]
  const isAboveCap = currency === 'cny' && (await wallet.exceededCap(tx, giverId, { once: amount })) !== null
  if (balance >= amount && !isAboveCap && allowRedEnvelopes && (currency !== 'cny' || allowCash)) return open(tx, { ...envelope, amount })
  await drop(tx, id, 'tooLittle')
  await notification.notify(tx, giverId, { kind: 'envelopeNotTaken', post: await postView(tx, id) })
}

async function postView(db: Db, envelopeId: string): Promise<notification.PostView> {
  const { rows } = await sql<{ title: string; thread: ThreadKind; topicId: string; commentId: string | null }>`
    select title, topic.kind as thread, topic.id::text as "topicId", comment_id::text as "commentId"
    from red_envelope as given join topic on topic.id = topic_id where given.id = ${envelopeId}`.execute(db)
  const [post] = rows
  if (!post) throw new Error(`Red envelope ${envelopeId} came with no post`)
  return { ...post, kind: post.commentId ? 'comment' : 'topic', id: post.commentId ?? post.topicId, excerpt: '' }
}

function idsOf(posts: readonly PostRef[], which: Kind): string[] {
  return posts.flatMap(({ kind, id }) => (kind === which ? id : []))
}
