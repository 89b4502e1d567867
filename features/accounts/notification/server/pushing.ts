import { sql } from 'kysely'
import { lazyPackage } from '#base/server/lazy-package.ts'
import { take } from '#base/server/security/attempts.ts'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import { processQueue } from '#base/server/outbound/fair-queue.ts'
import type { RunInSeparateTransaction, Member } from '#base/server/http/route.ts'
import { RequestFailed, postUntrusted } from '#base/server/outbound/safe-fetch.ts'
import { absoluteUrl } from '#base/server/http/site-address.ts'
import { say, type Language } from '#base/server/words.ts'
import * as account from '#account/server/account.ts'
import type { Piece } from '#delivery/server/delivery.ts'
import { PushFailed, PushOff } from '#notification/contract.ts'
import { piecesFor } from '#notification/server/compose.ts'
import { keysOf, quietIn, subscriptionsOf, type Subscription } from '#notification/server/push.ts'
import { quietHoursEnd } from '#notification/server/schedule.ts'
import { setNextTime, takeQueue, type QueuedItems, type QueueKey } from '#notification/server/delivery-queue.ts'
import * as preferences from '#preferences/server/preferences.ts'

const webPush = lazyPackage((load) => load('web-push') as typeof import('web-push'))

const maxPerDay = 100
const minSecondsBetween = 60
const limits = { atOnce: 12, perHost: 4 }
const maxListed = 500
const secondsToLive = 4 * 3_600
/** A subscription that fails for so long is deleted. */
const failingDays = 7

type Post = typeof postUntrusted
/** The text, and the path that it opens. */
type PushMessage = { title: string; link: string; language: Language }

type Due = { memberId: string; hosts: string[] }

/** Pushes to all members whose turn it is, several at a time. A slow push service only delays its own messages. */
export async function pushAll(database: Database, post: Post = postUntrusted): Promise<void> {
  await processQueue<Due>(
    {
      list: () => dueOf(database),
      hostsOf: ({ hosts }) => hosts,
      async work({ memberId }) {
        const waiting = await transact(database, (tx) => takeDue(tx, memberId))
        if (waiting && waiting.kinds.length > 0) await push(database, { memberId, queued: waiting }, post)
      },
    },
    limits,
  )
}

async function dueOf({ app }: Database): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select member_id as "memberId", array(select distinct host from push_subscription as its where its.member_id = way.member_id) as hosts
    from notification_channel as way where channel = 'push' and next_at <= now() order by next_at limit ${maxListed}`.execute(app)
  return rows
}

type Turn = { memberId: string; queued: QueuedItems }
type Next = { member_id: string; quiet_from: number | null; quiet_to: number | null }

/** Takes a member's waiting notifications; null where another process does, or it is no longer their turn. */
async function takeDue(tx: Db, memberId: string): Promise<QueuedItems | null> {
  const { rows } = await sql<Next>`select member_id, quiet_from, quiet_to from notification_channel
    where channel = 'push' and member_id = ${memberId} and next_at <= now() for update skip locked`.execute(tx)
  const [next] = rows
  if (!next) return null
  const way: QueueKey = { memberId, channel: 'push' }
  const later = await notBefore(tx, next)
  if (later) await setNextTime(tx, way, { next_at: later })
  if (later) return null
  const waiting = await takeQueue(tx, way)
  await setNextTime(tx, way, { next_at: null, rests_until: new Date(Date.now() + minSecondsBetween * 1_000) })
  return waiting
}

async function notBefore(tx: Db, next: Next): Promise<Date | null> {
  const quiet = quietIn(next)
  const end = quiet && quietHoursEnd(quiet, await preferences.timeZoneOf(tx, next.member_id))
  if (end) return end
  const wait = await take(tx, [{ key: `pushes ${next.member_id}`, most: maxPerDay, seconds: 86_400 }])
  return wait > 0 ? new Date(Date.now() + wait * 1_000) : null
}

/** Pushes what is unread and visible at this moment. */
async function push(database: Database, { memberId, queued }: Turn, post: Post): Promise<void> {
  const db = database.app
  const reader = await account.viewerOf(db, memberId)
  const to = reader ? await subscriptionsOf(db, memberId) : []
  if (!reader || to.length === 0) return
  const { language: chosen } = await db.selectFrom('member').select('language').where('id', '=', memberId).executeTakeFirstOrThrow()
  const language = chosen === 'en' ? 'en' : 'zh'
  const pieces = await piecesFor(db, reader, { channel: 'push', ids: queued.notifications, senders: queued.senders, language })
  const says = messageOf(pieces, language)
  if (says) await Promise.all(to.map(async (one) => recordStatus(db, one, await deliver(db, one, says, post))))
}

// The sentence only: members' text must not show on a locked screen.
function messageOf([first, ...others]: readonly Piece[], language: Language): PushMessage | null {
  if (!first) return null
  const list = '/user/control/remindList'
  if (others.length > 0) return { title: say(language, 'notification.manyNew', { count: others.length + 1 }), link: list, language }
  // The site may be open under another address than the configured one.
  const { pathname, search } = new URL(first.to ?? list, absoluteUrl('/'))
  return { title: first.text, link: pathname + search, language }
}

/** Returns the status of the response; 0 where there is none. */
async function deliver(db: Db, { address: { endpoint, p256dh, auth } }: Subscription, says: PushMessage, post: Post): Promise<number> {
  const site = new URL(absoluteUrl('/'))
  const subject = site.protocol === 'https:' ? site.href : `mailto:postmaster@${site.hostname}`
  const { headers, body } = webPush().generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(says), {
    vapidDetails: { subject, ...(await keysOf(db)) },
    TTL: secondsToLive,
  })
  try {
    return await post(new URL(endpoint), { headers: { ...headers }, body })
  } catch (error) {
    if (error instanceof RequestFailed) return 0
    throw error
  }
}

/** Records the result: 404 or 410 from the push service means that the browser has unsubscribed. */
async function recordStatus(db: Db, { id }: Subscription, status: number): Promise<void> {
  if (isDelivered(status)) await sql`update push_subscription set used_at = now(), failed_since = null where id = ${id}`.execute(db)
  else if (status === 404 || status === 410) await db.deleteFrom('push_subscription').where('id', '=', id).execute()
  else {
    await sql`delete from push_subscription where id = ${id} and failed_since < now() - ${failingDays} * interval '1 day'`.execute(db)
    await sql`update push_subscription set failed_since = coalesce(failed_since, now()) where id = ${id}`.execute(db)
  }
}

function isDelivered(status: number): boolean {
  return status >= 200 && status < 300
}

type TestOptions = { inSeparateTransaction: RunInSeparateTransaction; language: Language; post?: Post }

/** Shows a test notification in the requesting browser. */
export async function sendTest(
  db: Db,
  member: Member,
  { inSeparateTransaction, language, post = postUntrusted }: TestOptions,
): Promise<void> {
  const [here] = await inSeparateTransaction((tx) => subscriptionsOf(tx, member.id, member.sessionId))
  if (!here) throw PushOff()
  const says = { title: say(language, 'notification.pushWorks'), link: '/user/control/remindSettings', language }
  const status = await deliver(db, here, says, post)
  await inSeparateTransaction((tx) => recordStatus(tx, here, status))
  if (!isDelivered(status)) throw PushFailed()
}
