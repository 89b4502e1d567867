import { sql } from 'kysely'
import type { Db } from '#base/server/database.ts'
import type { Kind } from '#kind/contract.ts'
import * as notice from '#notice/server/notice.ts'
import { drop, endLocked, lockOf } from '#red-envelope/server/end.ts'
import { open } from '#red-envelope/server/give.ts'
import * as setting from '#setting/server/setting.ts'
import { minorOf } from '#wallet/contract.ts'
import * as wallet from '#wallet/server/wallet.ts'

type Present = { kind: Kind; id: string }

/** Threads are on the page: what was to come with them is taken from the givers now, and can be opened. */
export async function appeared(tx: Db, posts: readonly Present[]): Promise<void> {
  const waiting = (await lockOf(tx, openingsIn(posts))).filter(({ state }) => state === 'waiting')
  for (const envelope of waiting) {
    const { id, giverId, currency, topicId } = envelope
    const amount = minorOf(envelope.amount)
    const { allowCash, allowRedEnvelopes } = await setting.all(tx)
    await wallet.lockAccounts(tx, giverId)
    const { balance } = (await wallet.accountsOf(tx, giverId))[currency]
    // The post stands without it, and the giver is told.
    if (balance < amount || !allowRedEnvelopes || (currency === 'cny' && !allowCash) || (await wallet.isFrozen(tx))) {
      await drop(tx, id, 'tooLittle')
      await notice.tell(tx, giverId, { kind: 'envelopeNotTaken', post: await threadView(tx, topicId ?? '') })
    } else await open(tx, { ...envelope, amount })
  }
}

/** Threads are on the page no more: what nobody opened goes back. While the books are frozen the job does it after the thaw. */
export async function disappeared(tx: Db, posts: readonly Present[]): Promise<void> {
  const open = (await lockOf(tx, openingsIn(posts))).filter(({ state }) => state === 'open')
  const isFrozen = open.length > 0 && (await wallet.isFrozen(tx))
  for (const envelope of open) {
    if (isFrozen) await sql`update red_envelope set ends_at = clock_timestamp() where id = ${envelope.id}`.execute(tx)
    else await endLocked(tx, envelope, 'postGone')
  }
}

async function threadView(db: Db, id: string): Promise<notice.PostView> {
  const { title, kind } = await db.selectFrom('topic').select(['title', 'kind']).where('id', '=', id).executeTakeFirstOrThrow()
  return { kind: 'topic', thread: kind, id, topicId: id, commentId: null, title, excerpt: '' }
}

function openingsIn(posts: readonly Present[]): string[] {
  return posts.flatMap(({ kind, id }) => (kind === 'topic' ? id : []))
}
