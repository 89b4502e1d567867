import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Kind, ThreadKind } from '#kind/contract.ts'
import { giveBack, isNone, lackOf, take } from '#bounty/server/escrow.ts'
import { lockRows, type Bounty } from '#bounty/server/lock.ts'
import * as notice from '#notice/server/notice.ts'
import * as setting from '#setting/server/setting.ts'
import * as wallet from '#wallet/server/wallet.ts'

type Present = { kind: Kind; id: string; authorId: string; thread: { id: string; kind: ThreadKind } }

const byForum = { by: { kind: 'forum' } } as const

/** Questions are on the page: what was offered for them while they waited is taken now. One that was given back before is not. */
export async function appeared(tx: Db, posts: readonly Present[]): Promise<void> {
  const askers = askersIn(posts)
  const waiting = (await lockRows(tx, [...askers.keys()])).filter(({ state }) => state === 'waiting')
  if (waiting.length === 0) return
  if (await wallet.isFrozen(tx)) return putOff(tx, waiting)
  for (const bounty of waiting) await takeIfThere(tx, bounty, askers.get(bounty.topicId) ?? '')
}

/** Questions are on the page no more, or ask no more: what is held for them goes back. */
export async function disappeared(tx: Db, posts: readonly Present[]): Promise<void> {
  await endAll(tx, [...askersIn(posts).keys()])
}

/** Whether what was held for a question went back to its asker since then, or will once the books are no longer frozen. */
export async function wentBackSince(db: Db, questionId: string, since: Date): Promise<boolean> {
  const { rows } = await sql`
    select from bounty where topic_id = ${questionId} and (state = 'open' or state = 'returned' and exists (
      select from ledger.transaction as returned where returned.kind = 'bountyReturned' and returned.at >= ${since}
        and source in ('topic:' || topic_id || ':hold:' || points_hold, 'topic:' || topic_id || ':hold:' || cents_hold)))`.execute(db)
  return rows.length > 0
}

/** Ends the bounty of a question, which is locked: what is held goes back to its asker. */
export async function end(tx: Db, questionId: string): Promise<void> {
  await endAll(tx, [questionId])
}

/** What answers got is another member's now, as the answers are. */
export async function given(tx: Db, posts: readonly Present[], memberId: string): Promise<void> {
  const ids = posts.flatMap(({ kind, id }) => (kind === 'comment' ? id : []))
  if (ids.length > 0) await tx.updateTable('bounty_share').set({ member_id: memberId }).where('comment_id', '=', anyOf(ids)).execute()
}

/** Takes it from the asker, whom it is a promise of; where they have too little, or are too young for so much, the question stands without one, and they are told. */
export async function takeIfThere(tx: Db, bounty: Bounty, asker: string): Promise<void> {
  const { allowCash } = await setting.current(tx, 'allowCash')
  const { topicId, days } = bounty
  const isTooMuch = !isNone(await lackOf(tx, asker, bounty)) || (await wallet.capOn(tx, asker, { once: bounty.cents })) !== null
  if ((bounty.cents > 0n && !allowCash) || isTooMuch) {
    await tx
      .updateTable('bounty')
      .set({ state: 'returned', ends_at: sql<Date>`clock_timestamp()` })
      .where('topic_id', '=', topicId)
      .execute()
    return notice.tell(tx, asker, { kind: 'bountyNotTaken', post: await questionView(tx, topicId) })
  }
  await take(tx, bounty, asker, { ...bounty, endsAt: inDays(days) }, { by: { kind: 'member', id: asker } })
}

export function inDays(days: number, from = new Date()): Date {
  return new Date(from.getTime() + days * 86_400_000)
}

/** A question as those are told of it whom its bounty concerns. */
export async function questionView(db: Db, id: string): Promise<notice.PostView> {
  const { title } = await db.selectFrom('topic').select('title').where('id', '=', id).executeTakeFirstOrThrow()
  return { kind: 'topic', thread: 'question', id, topicId: id, commentId: null, title, excerpt: '' }
}

async function endAll(tx: Db, questionIds: readonly string[]): Promise<void> {
  const open = (await lockRows(tx, questionIds)).filter(({ state }) => state === 'open')
  if (open.length === 0) return
  if (await wallet.isFrozen(tx)) return putOff(tx, open)
  for (const bounty of open) await giveBack(tx, bounty, byForum)
}

/** The job that ends bounties has this to do next. */
async function putOff(tx: Db, bounties: readonly Bounty[]): Promise<void> {
  const ids = bounties.map(({ topicId }) => topicId)
  await tx
    .updateTable('bounty')
    .set({ ends_at: sql<Date>`clock_timestamp()` })
    .where('topic_id', '=', anyOf(ids))
    .execute()
}

/** Who asked, by question. */
function askersIn(posts: readonly Present[]): Map<string, string> {
  const openings = posts.filter(({ kind, thread }) => kind === 'topic' && thread.kind === 'question')
  return new Map(openings.map(({ id, authorId }) => [id, authorId]))
}
