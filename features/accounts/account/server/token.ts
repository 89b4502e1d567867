import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { forumLoginPath } from '#account/server/staff-login.ts'
import { endSessions } from '#account/server/end-sessions.ts'
import { memberOf } from '#account/server/member-rights.ts'
import { cachedOwner, loadOwner, loadOwnerUntil, peekOwner, tokensIn } from '#account/server/token-owner.ts'
import * as knownBrowser from '#account/server/known-browser.ts'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { normalizeIp } from '#base/server/http/network.ts'
import { networkOf } from '#base/server/http/rate-limit.ts'
import { SignedOut, type PrepareContext, type ClientInfo, type Viewer } from '#base/server/http/route.ts'
import { hashOf, newToken, secretOf } from '#base/server/security/secret.ts'
import * as role from '#role/server/role.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'

export type Pair = { accessToken: string; refreshToken: string }

const accessMinutes = 15
const refreshDays = 30
const graceSeconds = 10

/**
 * The identity behind a request: the owner of a live access token, or a visitor where no token is sent. Refuses an unknown, ended or
 * expired token, unless the endpoint treats it as none.
 */
export async function authenticate(db: Db, authorization: string | undefined, allowsExpiredToken: boolean): Promise<Viewer> {
  return viewerOf(db, authorization, allowsExpiredToken, loadOwner)
}

/** The same for reads: cached for some seconds, until invalidated. */
export async function authenticateForRead(db: Db, authorization: string | undefined, allowsExpiredToken: boolean): Promise<Viewer> {
  return viewerOf(db, authorization, allowsExpiredToken, cachedOwner)
}

/** The same for a stream, which lasts: with the time after which roles or the token may have ended by the clock; null for a visitor. */
export async function authenticateForStream(
  db: Db,
  authorization: string | undefined,
): Promise<{ viewer: Viewer; sureForMs: number | null }> {
  let sureForMs: number | null = null
  const viewer = await viewerOf(db, authorization, false, async (its, accessToken) => {
    const owner = await loadOwnerUntil(its, accessToken)
    sureForMs = owner?.sureFor ?? null
    return owner
  })
  return { viewer, sureForMs }
}

async function viewerOf(
  db: Db,
  authorization: string | undefined,
  allowsExpiredToken: boolean,
  ownerOf: typeof loadOwner,
): Promise<Viewer> {
  if (authorization === undefined) return visitor(db)
  const { access } = tokensIn(authorization)
  const owner = access && (await ownerOf(db, access))
  if (owner) return memberOf(db, owner.session_id, owner)
  if (!allowsExpiredToken) throw SignedOut()
  return visitor(db)
}

/** The audience of the viewer whom `authenticateForRead` would return, as far as it is cached in this process; else null. */
export function cachedAudience(db: Db, authorization: string | undefined): string | null {
  if (authorization === undefined) return role.visitorAudience(db)
  const { access } = tokensIn(authorization)
  const owner = access && peekOwner(db, access)
  if (!owner) return null
  return owner.isWaiting ? role.visitorAudience(db) : role.memberAudience(db, owner.roles, owner.is_official)
}

export async function visitor(db: Db): Promise<Viewer> {
  const rights = await role.rightsOfVisitor(db)
  return { id: null, ...rights }
}

/** Begins a session on this device and returns its first pair. With `hasShownMore` it counts as re-authenticated for a while. */
export async function createSession(tx: Db, memberId: string, client: ClientInfo, { hasShownMore = false } = {}): Promise<Pair> {
  const { id } = await tx
    .insertInto('session')
    .values({ member_id: memberId, ip: client.ip, user_agent: client.userAgent, browser_hash: client.csrf ? hashOf(client.csrf) : null })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (hasShownMore) await secondFactor.recordProof(tx, { sessionId: id })
  await reactivate(tx, memberId)
  await knownBrowser.recordBrowser(tx, memberId, client)
  await log(tx, memberId, 'login', client)
  const pair = { accessToken: newToken(), refreshToken: newToken() }
  await store(tx, id, pair)
  return pair
}

// Logging in reactivates a member who left by themselves.
async function reactivate(tx: Db, memberId: string): Promise<void> {
  const back = await tx
    .updateTable('member')
    .set({ deactivated_at: null, deactivated_as: null })
    .where('id', '=', memberId)
    .where('deactivated_as', '=', 'left')
    .returning('id')
    .executeTakeFirst()
  if (back) invalidate(tx, `member:${memberId}`)
}

type DeviceInfo = Pick<ClientInfo, 'ip' | 'userAgent'>
type RefreshedSession = { pair: Pair; memberId: string }

/**
 * Exchanges a refresh token for a new pair. The same token again within ten seconds, from the same device and before the new pair was used,
 * returns the same new pair, since the response may have been lost. Later reuse ends the whole session, because two parties hold the token.
 * Null where none is sent.
 */
async function refresh(tx: Db, { authorization = '', ...from }: ClientInfo): Promise<RefreshedSession | 'wrong' | null> {
  const token = tokensIn(authorization).refresh
  if (!token) return /^Bearer [^,]*,./.test(authorization) ? 'wrong' : null
  const current = await tx
    .selectFrom('refresh_token')
    .innerJoin('session', 'session.id', 'session_id')
    .innerJoin('member', 'member.id', 'member_id')
    .select(['session_id', 'member_id', 'ip', 'user_agent', 'used_at', 'ended_at', 'deactivated_at', 'is_official'])
    .select(sql<boolean>`refresh_token.expires_at > now()`.as('is_alive'))
    .select(sql<boolean>`used_at > now() - ${graceSeconds} * interval '1 second'`.as('is_in_grace'))
    .where('hash', '=', hashOf(token))
    .forUpdate(['refresh_token', 'session'])
    .executeTakeFirst()
  if (!current || current.ended_at || current.deactivated_at || !current.is_alive) return 'wrong'
  if (current.is_official && (await forumLoginPath(tx, current.member_id)) === 'shut') return 'wrong'
  const pair = await successorOf(tx, token)
  if (!current.used_at) {
    await replacePair(tx, token, pair, current, from)
    return { memberId: current.member_id, pair }
  }

  const isSameDevice = current.user_agent === from.userAgent && networkOf(current.ip) === networkOf(from.ip)
  if (current.is_in_grace && isSameDevice && !(await isUsed(tx, pair.refreshToken))) return { memberId: current.member_id, pair }
  await endReusedSession(tx, current, from)
  return 'wrong'
}

/** The same in a transaction of its own: the consequences of a refused token must be committed. */
export function prepareRefresh({
  client,
  inSeparateTransaction,
}: PrepareContext<unknown, Viewer>): Promise<RefreshedSession | 'wrong' | null> {
  return inSeparateTransaction((tx) => refresh(tx, client))
}

type TokenOwner = { session_id: string; member_id: string }

// The server cannot tell owner from thief. The job that announces logins notifies the owner, once, as the tokens end with the session.
async function endReusedSession(tx: Db, { session_id, member_id }: TokenOwner, from: DeviceInfo): Promise<void> {
  await endSessions(tx, [session_id], 'token reused')
  await tx.updateTable('session').set({ is_looked_at: false }).where('id', '=', session_id).execute()
  await tx
    .insertInto('login_log')
    .values(entryOf(member_id, 'reused', from))
    .execute()
}

/** Ends the session of a refresh token, given by the token or its hash, which is good for nothing else. */
export async function revoke(tx: Db, tokenOrHash: string): Promise<void> {
  const rows = await tx
    .selectFrom('refresh_token')
    .select('session_id')
    .where('hash', 'in', [hashOf(tokenOrHash), Buffer.from(tokenOrHash, 'base64url')])
    .execute()
  await endSessions(
    tx,
    rows.map(({ session_id }) => session_id),
    'logged out',
  )
}

// Derived from the token it replaces, so that the same pair can be given again without being stored.
async function successorOf(tx: Db, token: string): Promise<Pair> {
  const key = await secretOf(tx, 'successor')
  const next = (name: string) => createHmac('sha256', key).update(`${name} ${token}`).digest('base64url')
  return { accessToken: next('access'), refreshToken: next('refresh') }
}

async function replacePair(tx: Db, token: string, pair: Pair, current: TokenOwner, from: DeviceInfo): Promise<void> {
  await tx.deleteFrom('access_token').where('session_id', '=', current.session_id).execute()
  invalidate(tx, `token:${current.member_id}`)
  await tx
    .updateTable('refresh_token')
    .set({ used_at: sql`now()` })
    .where('hash', '=', hashOf(token))
    .execute()
  await store(tx, current.session_id, pair)
  await tx
    .updateTable('session')
    .set({ ip: from.ip, user_agent: from.userAgent, last_used_at: sql`now()` })
    .where('id', '=', current.session_id)
    .execute()
  await log(tx, current.member_id, 'renewal', from)
}

async function store(tx: Db, sessionId: string, pair: Pair): Promise<void> {
  await tx
    .insertInto('access_token')
    .values({
      hash: hashOf(pair.accessToken),
      session_id: sessionId,
      expires_at: sql<Date>`now() + ${accessMinutes} * interval '1 minute'`,
    })
    .execute()
  await tx
    .insertInto('refresh_token')
    .values({ hash: hashOf(pair.refreshToken), session_id: sessionId, expires_at: sql<Date>`now() + ${refreshDays} * interval '1 day'` })
    .execute()
}

async function isUsed(tx: Db, refreshToken: string): Promise<boolean> {
  const row = await tx.selectFrom('refresh_token').select('used_at').where('hash', '=', hashOf(refreshToken)).executeTakeFirst()
  return row?.used_at !== null
}

async function log(tx: Db, memberId: string, kind: 'login' | 'renewal', from: DeviceInfo): Promise<void> {
  await tx
    .with('logged', (part) => part.insertInto('login_log').values(entryOf(memberId, kind, from)))
    .updateTable('member')
    .set({ last_seen_at: sql`now()` })
    .where('id', '=', memberId)
    .execute()
}

function entryOf(member_id: string, kind: 'login' | 'renewal' | 'reused', { ip, userAgent }: DeviceInfo) {
  return { member_id, kind, ip: normalizeIp(ip), user_agent: userAgent }
}
