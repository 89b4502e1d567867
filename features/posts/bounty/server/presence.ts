import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Kind, ThreadKind } from '#kind/contract.ts'
import { refund, isZero, shortfallOf, fund } from '#bounty/server/escrow.ts'
import { lockBounties, type Bounty } from '#bounty/server/lock.ts'
import * as notification from '#notification/server/notification.ts'
import * as setting from '#setting/server/setting.ts'
import * as wallet from '#wallet/server/wallet.ts'

type PostRef = { kind: Kind; id: string; authorId: string; thread: { id: string; kind: ThreadKind } }

const byForum = { by: { kind: 'forum' } } as const

/** Questions were published: offers made before their approval are held now. A returned bounty stays returned. */
export async function onPublished(tx: Db, posts: readonly PostRef[]): Promise<void> {
  const askers = askersIn(posts)
  const waiting = (await lockBounties(tx, [...askers.keys()])).filter(({ state }) => state === 'waiting')
  if (waiting.length === 0) return
  if (await wallet.isFrozen(tx)) return postpone(tx, waiting)
  for (const bounty of waiting) await fundIfAffordable(tx, bounty, askers.get(bounty.topicId) ?? '')
}

/** Questions were unpublished, or are questions no longer: their holds return to the askers. */
export async function onUnpublished(tx: Db, posts: readonly PostRef[]): Promise<void> {
  await endAll(tx, [...askersIn(posts).keys()])
}

/** Whether the hold of a question returned to its asker since then, or will once the ledger is unfrozen. */
export async function refundedSince(db: Db, questionId: string, since: Date): Promise<boolean> {
  const { rows } = await sql`
    select from bounty where topic_id = ${questionId} and (state = 'open' or state = 'returned' and exists (
      select from ledger.transaction as returned where returned.kind = 'bountyReturned' and returned.at >= ${since}
        and source in ('topic:' || topic_id || ':hold:' || points_hold, 'topic:' || topic_id || ':hold:' || cents_hold)))`.execute(db)
  return rows.length > 0
}

/** Ends the bounty of a locked question: its hold returns to the asker. */
export async function end(tx: Db, questionId: string): Promise<void> {
  await endAll(tx, [questionId])
}

/** The payouts follow their answers to another member. */
export async function onTransferred(tx: Db, posts: readonly PostRef[], memberId: string): Promise<void> {
  const ids = posts.flatMap(({ kind, id }) => (kind === 'comment' ? id : []))
  if (ids.length > 0) await tx.updateTable('bounty_share').set({ member_id: memberId }).where('comment_id', '=', anyOf(ids)).execute()
}

/**
 * Holds the promised amounts of the asker. If the asker has too little, or they exceed a minor's limit, the question stays without a
 * bounty and the asker is notified.
 */
export async function fundIfAffordable(tx: Db, bounty: Bounty, asker: string): Promise<void> {
  const { allowCash } = await setting.current(tx, 'allowCash')
  const { topicId, days } = bounty
  const isTooMuch = !isZero(await shortfallOf(tx, asker, bounty)) || (await wallet.exceededCap(tx, asker, { once: bounty.cents })) !== null
  if ((bounty.cents > 0n && !allowCash) || isTooMuch) {
    await tx
      .updateTable('bounty')
      .set({ state: 'returned', ends_at: sql<Date>`clock_timestamp()` })
      .where('topic_id', '=', topicId)
      .execute()
    return notification.notify(tx, asker, { kind: 'bountyNotTaken', post: await questionView(tx, topicId) })
  }
  await fund(tx, bounty, asker, { ...bounty, endsAt: inDays(days) }, { by: { kind: 'member', id: asker } })
}

export function inDays(days: number, from = new Date()): Date {
  return new Date(from.getTime() + days * 86_400_000)
}

/** The question as shown in notifications about its bounty. */
export async function questionView(db: Db, id: string): Promise<notification.PostView> {
  const { title } = await db.selectFrom('topic').select('title').where('id', '=', id).executeTakeFirstOrThrow()
  return { kind: 'topic', thread: 'question', id, topicId: id, commentId: null, title, excerpt: '' }
}

async function endAll(tx: Db, questionIds: readonly string[]): Promise<void> {
  const open = (await lockBounties(tx, questionIds)).filter(({ state }) => state === 'open')
  if (open.length === 0) return
  if (await wallet.isFrozen(tx)) return postpone(tx, open)
  for (const bounty of open) await refund(tx, bounty, byForum)
}

/** Leaves these to the next run of the job that ends bounties. */
async function postpone(tx: Db, bounties: readonly Bounty[]): Promise<void> {
  const ids = bounties.map(({ topicId }) => topicId)
  await tx
    .updateTable('bounty')
    .set({ ends_at: sql<Date>`clock_timestamp()` })
    .where('topic_id', '=', anyOf(ids))
    .execute()
}

function askersIn(posts: readonly PostRef[]): Map<string, string> {
  const openings = posts.filter(({ kind, thread }) => kind === 'topic' && thread.kind === 'question')
  return new Map(openings.map(({ id, authorId }) => [id, authorId]))
}
