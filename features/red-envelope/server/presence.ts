import { sql } from 'kysely'
import { transact, type Database, type Db } from '#base/server/database.ts'
import type { Kind } from '#kind/contract.ts'
import * as notice from '#notice/server/notice.ts'
import { changed } from '#red-envelope/server/changed.ts'
import { eachByItself } from '#red-envelope/server/each.ts'
import { drop, endLocked, isShown, lockOf } from '#red-envelope/server/end.ts'
import { open } from '#red-envelope/server/give.ts'
import type { Envelope } from '#red-envelope/server/pay.ts'
import * as setting from '#setting/server/setting.ts'
import { minorOf } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

type Present = { kind: Kind; id: string }

/** Threads are on the page: what was to come with them is taken from the givers now, and can be opened. While the books are frozen the job does it after the thaw. */
export async function appeared(tx: Db, posts: readonly Present[]): Promise<void> {
  const waiting = (await lockOf(tx, openingsIn(posts))).filter(({ state }) => state === 'waiting')
  if (waiting.length === 0 || (await wallet.isFrozen(tx))) return
  for (const envelope of waiting) await takeIfThere(tx, envelope)
}

/** Takes what waited for the books while its thread came onto the page. */
export async function takeWaiting(database: Database): Promise<void> {
  if (await wallet.isFrozen(database.app)) return
  const { rows } = await sql<{ topicId: string }>`
    select topic.id as "topicId" from red_envelope as given join topic on topic.id = topic_id
    where given.state = 'waiting' and ${isShown} limit 500`.execute(database.app)
  const topicIds = rows.map(({ topicId }) => topicId)
  await eachByItself(topicIds, (topicId) =>
    transact(database, async (tx) => {
      // The thread first, as those lock who take it from the page.
      const thread = tx.selectFrom('topic').select('id').where('id', '=', topicId).where(isShown)
      if (!(await thread.forNoKeyUpdate().skipLocked().executeTakeFirst())) return
      await appeared(tx, [{ kind: 'topic', id: topicId }])
      for (const envelope of await lockOf(tx, [topicId])) await changed(tx, envelope)
    }),
  )
}

/** Where the giver has too little, or is too young for so much, the post stands without it, and the giver is told. */
async function takeIfThere(tx: Db, envelope: Envelope): Promise<void> {
  const { id, giverId, currency, topicId } = envelope
  const amount = minorOf(envelope.amount)
  const { allowCash, allowRedEnvelopes } = await setting.all(tx)
  await wallet.lockAccounts(tx, giverId)
  const { balance } = (await wallet.accountsOf(tx, giverId))[currency]
  const isAboveCap = currency === 'cny' && (await wallet.capOn(tx, giverId, { once: amount })) !== null
  if (balance >= amount && !isAboveCap && allowRedEnvelopes && (currency !== 'cny' || allowCash)) return open(tx, { ...envelope, amount })
  await drop(tx, id, 'tooLittle')
  await notice.tell(tx, giverId, { kind: 'envelopeNotTaken', post: await threadView(tx, topicId ?? '') })
}

/** Threads are on the page no more: what nobody opened goes back. While the books are frozen the job does it after the thaw. */
export async function disappeared(tx: Db, posts: readonly Present[]): Promise<void> {
  const open = (await lockOf(tx, openingsIn(posts))).filter(({ state }) => state === 'open')
  if (open.length === 0 || (await wallet.isFrozen(tx))) return
  for (const envelope of open) await endLocked(tx, envelope, 'postGone')
}

async function threadView(db: Db, id: string): Promise<notice.PostView> {
  const { title, kind } = await db.selectFrom('topic').select(['title', 'kind']).where('id', '=', id).executeTakeFirstOrThrow()
  return { kind: 'topic', thread: kind, id, topicId: id, commentId: null, title, excerpt: '' }
}

function openingsIn(posts: readonly Present[]): string[] {
  return posts.flatMap(({ kind, id }) => (kind === 'topic' ? id : []))
}
