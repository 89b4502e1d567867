import { createECDH, ECDH } from 'node:crypto'
import { sql } from 'kysely'
import { Missing, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import { isPublicName, registrableName } from '#base/server/outbound/public-address.ts'
import type { Member } from '#base/server/http/route.ts'
import { keyedHash, seal, unseal, type SealContext } from '#base/server/security/sealing.ts'
import { secretOf } from '#base/server/security/secret.ts'
import { deviceName } from '#base/device-name.ts'
import { NoPushAddress, TooManyBrowsers } from '#notification/contract.ts'
import { maxBrowsers, type PushView, type subscribePush } from '#notification/push-contract.ts'
import type { QuietHours } from '#notification/server/schedule.ts'

const secretName = 'push'
export const secrets = [secretName] as const

type Address = ParsedInput<typeof subscribePush>
export type Subscription = { id: string; address: Address }

/** The VAPID keys of this forum, a P-256 pair. Any secret is a valid key but for one in four billion, with which no page would load. */
export async function keysOf(db: Db): Promise<{ publicKey: string; privateKey: string }> {
  const secret = await secretOf(db, secretName)
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(secret)
  return { publicKey: pair.getPublicKey('base64url'), privateKey: secret.toString('base64url') }
}

/** Subscribes the browser of this session to push notifications. */
export async function subscribe(tx: Db, member: Member, address: Address, userAgent: string): Promise<void> {
  const host = pushHostOf(address)
  if (!host) throw NoPushAddress()
  await sql`select from member where id = ${member.id} for no key update`.execute(tx)
  const endpoint_hash = keyedHash('push subscription', address.endpoint)
  await tx
    .deleteFrom('push_subscription')
    .where((row) => row.or([row('endpoint_hash', '=', endpoint_hash), row('session_id', '=', member.sessionId)]))
    .execute()
  const { rows } = await sql`select from push_subscription where member_id = ${member.id} limit ${maxBrowsers}`.execute(tx)
  if (rows.length === maxBrowsers) throw TooManyBrowsers({ most: maxBrowsers })
  const its = { member_id: member.id, session_id: member.sessionId, user_agent: userAgent.slice(0, 500) }
  const sealed = seal(sealContext(endpoint_hash), JSON.stringify(address))
  await tx
    .insertInto('push_subscription')
    .values({ ...its, endpoint_hash, sealed, host })
    .execute()
}

/** Ends one of the member's own subscriptions; another member's is missing. */
export async function end(tx: Db, member: Member, id: string): Promise<void> {
  const deleted = await tx.deleteFrom('push_subscription').where('id', '=', id).where('member_id', '=', member.id).returning('id').execute()
  if (deleted.length === 0) throw Missing()
}

export async function show(db: Db, member: Member): Promise<PushView> {
  const [{ publicKey }, way, rows] = await Promise.all([
    keysOf(db),
    db
      .selectFrom('notification_channel')
      .select(['quiet_from', 'quiet_to'])
      .where('member_id', '=', member.id)
      .where('channel', '=', 'push')
      .executeTakeFirst(),
    db
      .selectFrom('push_subscription')
      .select(['id', 'session_id', 'user_agent', 'made_at', 'used_at'])
      .where('member_id', '=', member.id)
      .orderBy('id', 'desc')
      .execute(),
  ])
  return {
    publicKey,
    quiet: quietIn(way),
    browsers: rows.map((row) => ({
      id: row.id,
      device: deviceName(row.user_agent),
      isThis: row.session_id === member.sessionId,
      madeAt: row.made_at.toISOString(),
      usedAt: row.used_at?.toISOString() ?? null,
    })),
  }
}

/** Reschedules waiting notifications. */
export async function change(tx: Db, member: Member, quiet?: QuietHours): Promise<void> {
  const its = { quiet_from: quiet?.from ?? null, quiet_to: quiet?.to ?? null }
  await tx
    .insertInto('notification_channel')
    .values({ member_id: member.id, channel: 'push', ...its })
    .onConflict((there) =>
      there.columns(['member_id', 'channel']).doUpdateSet({
        ...its,
        next_at: sql`case when notification_channel.next_at is not null then greatest(notification_channel.rests_until, now()) end`,
      }),
    )
    .execute()
}

export function quietIn(way: { quiet_from: number | null; quiet_to: number | null } | undefined): QuietHours | null {
  return way && way.quiet_from !== null && way.quiet_to !== null ? { from: way.quiet_from, to: way.quiet_to } : null
}

/** A member's subscriptions, or that of one session only. An ended session has none. */
export async function subscriptionsOf(db: Db, memberId: string, sessionId?: string): Promise<Subscription[]> {
  const rows = await db
    .selectFrom('push_subscription')
    .innerJoin('session', 'session.id', 'session_id')
    .select(['push_subscription.id', 'endpoint_hash', 'sealed'])
    .where('push_subscription.member_id', '=', memberId)
    .where('session.member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .where(sql<boolean>`exists (select from refresh_token where refresh_token.session_id = session.id and expires_at > now())`)
    .$if(sessionId !== undefined, (query) => query.where('session_id', '=', sessionId ?? ''))
    .execute()
  return rows.map(({ id, endpoint_hash, sealed }) => ({ id, address: JSON.parse(unseal(sealContext(endpoint_hash), sealed).toString()) }))
}

function sealContext(hash: Buffer): SealContext {
  return { purpose: 'push subscription', row: hash.toString('hex') }
}

/**
 * The site of a push service, which always has a domain name; null where the URL is none. The resolved addresses are checked at each
 * request.
 */
function pushHostOf({ endpoint, p256dh, auth }: Address): string | null {
  const url = URL.parse(endpoint)
  if (!url || url.protocol !== 'https:' || url.port || url.username || url.password || !isPublicName(url.hostname)) return null
  const hasKeys = /^[\w-]{22}$/.test(auth) && /^[\w-]{87}$/.test(p256dh) && isPoint(p256dh)
  return hasKeys ? registrableName(url.hostname) : null
}

function isPoint(key: string): boolean {
  try {
    return ECDH.convertKey(key, 'prime256v1', 'base64url') !== ''
  } catch {
    return false
  }
}
