import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import type { RunInSeparateTransaction } from '#base/server/http/route.ts'
import { refund, isZero, owedIn, pay } from '#bounty/server/escrow.ts'
import { invalidateQuestion, findBounty, lockQuestion, lockBounty, type LockedQuestion, type Bounty } from '#bounty/server/lock.ts'
import { questionView, fundIfAffordable } from '#bounty/server/presence.ts'
import * as notification from '#notification/server/notification.ts'
import * as setting from '#setting/server/setting.ts'
import { toMinor } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

const batchSize = 500
const minLikes = 2
const byForum = { by: { kind: 'forum' } } as const

/** Ends the due bounties, each in its own transaction; locked ones wait for the next minute. */
export async function endDue(database: Database): Promise<void> {
  if (await wallet.isFrozen(database.app)) return
  for (const id of await dueQuestionIds(database.app)) await transact(database, (tx) => endIfDue(tx, id))
  await transact(database, notifyEnding)
}

/** Reminds askers one day before the deadline, once per question. */
async function notifyEnding(tx: Db): Promise<void> {
  const { rows } = await sql<{ id: string; memberId: string }>`
    select topic_id as id, author_id as "memberId" from bounty join topic on topic.id = topic_id
    where state = 'open' and ends_at between clock_timestamp() and clock_timestamp() + interval '1 day' and days > 1
      and not exists (select from notification_event where cause = 'bountyEnding' and post_kind = 'topic' and post_id = topic_id)
    order by ends_at limit ${batchSize}`.execute(tx)
  for (const { id, memberId } of rows)
    await notification.notifyOfEvent(tx, { memberId, kind: 'bountyEnding', actorId: null, post: { kind: 'topic', id, topicId: id } })
}

/** Bounties past their deadline or postponed while the ledger was frozen, and those whose asker's account is closed. */
async function dueQuestionIds(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    (select topic_id as id from bounty where state in ('waiting', 'open') and ends_at <= clock_timestamp() order by ends_at limit ${batchSize})
    union
    (select topic_id from bounty join topic on topic.id = topic_id join member on member.id = author_id where state = 'open' and ${isAccountClosed}
      limit ${batchSize})`.execute(db)
  return rows.map(({ id }) => id)
}

// A merged account lives on in the account it was merged into.
const isAccountClosed = sql<boolean>`deactivated_as not in ('disabled', 'left') and merged_into is null`

type AcceptContext = {
  db: Db
  inSeparateTransaction: RunInSeparateTransaction
  input: { questionId: string; commentId?: string | undefined }
}

/**
 * Ends an overdue bounty before an answer is accepted, so that the asker need not wait for the job. Returns false if the bounty is still
 * open.
 */
export async function endIfOver({ db, inSeparateTransaction, input: { questionId, commentId } }: AcceptContext): Promise<boolean> {
  if (commentId === undefined) return false
  const bounty = await findBounty(db, questionId)
  if (bounty?.state !== 'open' || !bounty.isOver || (await wallet.isFrozen(db))) return false
  await inSeparateTransaction((tx) => endIfDue(tx, questionId))
  return true
}

/** Does nothing if the bounty was paid, prolonged or returned meanwhile. */
export async function endIfDue(tx: Db, questionId: string): Promise<void> {
  const question = await lockQuestion(tx, questionId, 'skips')
  const bounty = question && (await lockBounty(tx, questionId))
  if (!bounty || !(await isDue(tx, bounty, question.authorId))) return
  if (bounty.state === 'waiting') {
    if (question.status === 'published') await fundIfAffordable(tx, bounty, question.authorId)
    else await tx.updateTable('bounty').set({ ends_at: null }).where('topic_id', '=', questionId).execute()
  } else if (bounty.state === 'open') {
    if (!bounty.isOver || !(await payHalf(tx, bounty, question))) await refund(tx, bounty, byForum)
    await notification.notify(tx, question.authorId, { kind: 'bountyReturned', post: await questionView(tx, questionId) })
  }
  invalidateQuestion(tx, question)
}

/**
 * If the setting allows it, pays half to the most liked answer with at least two likes. Returns false without such an answer, with
 * nothing to halve, or if the asker owes.
 */
async function payHalf(tx: Db, bounty: Bounty, { id, authorId }: LockedQuestion): Promise<boolean> {
  const [points, cents] = [toMinor(bounty.points / 2n), toMinor(bounty.cents / 2n)]
  const { bountyHalfToBestLiked } = await setting.current(tx, 'bountyHalfToBestLiked')
  if (!bountyHalfToBestLiked || points + cents === 0n || !isZero(await owedIn(tx, authorId, bounty))) return false
  const best = await tx
    .selectFrom('comment')
    .select(['id', 'author_id'])
    .where('topic_id', '=', id)
    .where('status', '=', 'published')
    .where('author_id', '<>', authorId)
    .where('like_count', '>=', minLikes)
    .orderBy('like_count', 'desc')
    .orderBy('floor')
    .executeTakeFirst()
  if (!best) return false
  await pay(tx, bounty, [{ points, cents, commentId: best.id, memberId: best.author_id }], byForum, 'bountyHalved')
  await notification.notify(tx, best.author_id, { kind: 'bountyPaid', post: await questionView(tx, id) })
  return true
}

async function isDue(tx: Db, { isOver }: Bounty, askerId: string): Promise<boolean> {
  if (isOver) return true
  return (await tx.selectFrom('member').select('id').where('id', '=', askerId).where(isAccountClosed).executeTakeFirst()) !== undefined
}
