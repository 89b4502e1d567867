import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import { hashOf, newToken } from '#base/server/security/secret.ts'

const days = 30
/** How many members can trust one browser. */
const maxMembersPerBrowser = 5

/**
 * Skips the second factor of this member in this browser for a month. Returns the cookie's value, always a new one, so that it cannot have
 * been planted.
 */
export async function trust(tx: Db, memberId: string, client: ClientInfo): Promise<string> {
  const token = newToken()
  await tx
    .insertInto('trusted_device')
    .values({
      member_id: memberId,
      hash: hashOf(token),
      ip: client.ip,
      user_agent: client.userAgent,
      expires_at: sql<Date>`now() + ${days} * interval '1 day'`,
    })
    .execute()
  return [token, ...tokensIn(client)].slice(0, maxMembersPerBrowser).join('.')
}

/** Whether this browser is trusted. Updates its last use. */
export async function isTrusted(tx: Db, memberId: string, client: ClientInfo): Promise<boolean> {
  const hashes = tokensIn(client).map(hashOf)
  if (hashes.length === 0) return false
  const used = await tx
    .updateTable('trusted_device')
    .set({ used_at: sql`now()`, ip: client.ip, user_agent: client.userAgent })
    .where('member_id', '=', memberId)
    .where('hash', '=', anyOf(hashes))
    .where(sql<boolean>`expires_at > now()`)
    .returning('id')
    .executeTakeFirst()
  return used !== undefined
}

/** The trusted browsers of a member, newest first. */
export async function devices(db: Db, memberId: string, client: ClientInfo) {
  const here = tokensIn(client).map(hashOf)
  const rows = await db
    .selectFrom('trusted_device')
    .select(['id', 'hash', 'ip', 'user_agent', 'trusted_at', 'used_at'])
    .where('member_id', '=', memberId)
    .where(sql<boolean>`expires_at > now()`)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  return rows.map(({ hash, ...row }) => ({ ...row, isThis: here.some((one) => one.equals(hash)) }))
}

export async function countDevices(db: Db, memberId: string): Promise<number> {
  const row = await db
    .selectFrom('trusted_device')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('member_id', '=', memberId)
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Removes one trusted browser, or all of them for null. */
export async function forgetDevice(tx: Db, memberId: string, deviceId: string | null): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('trusted_device')
    .where('member_id', '=', memberId)
    .$if(deviceId !== null, (query) => query.where('id', '=', deviceId ?? ''))
    .returning('id')
    .execute()
  return deleted.length > 0
}

function tokensIn({ devices = '' }: ClientInfo): string[] {
  return devices
    .split('.')
    .filter((token) => /^[\w-]{43}$/.test(token))
    .slice(0, maxMembersPerBrowser)
}
