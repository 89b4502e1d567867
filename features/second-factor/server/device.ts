import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import { hashOf, newToken } from '#base/server/security/secret.ts'

const days = 30
/** Of how many members one browser may be trusted. */
const most = 5

/** Asks this browser for no second factor of this member for a month. Gives what the browser keeps: always something new, so that nobody can have planted it. */
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
  return [token, ...tokensIn(client)].slice(0, most).join('.')
}

/** Whether this browser is trusted; from now on it was used now. */
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

/** The browsers of a member that are trusted now, newest first. */
export async function list(db: Db, memberId: string, client: ClientInfo) {
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

/** How many browsers of a member are trusted now. */
export async function count(db: Db, memberId: string): Promise<number> {
  const row = await db
    .selectFrom('trusted_device')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('member_id', '=', memberId)
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Trusts one no more; null all of them. */
export async function forget(tx: Db, memberId: string, deviceId: string | null): Promise<boolean> {
  const gone = await tx
    .deleteFrom('trusted_device')
    .where('member_id', '=', memberId)
    .$if(deviceId !== null, (query) => query.where('id', '=', deviceId ?? ''))
    .returning('id')
    .execute()
  return gone.length > 0
}

function tokensIn({ devices = '' }: ClientInfo): string[] {
  return devices
    .split('.')
    .filter((token) => /^[\w-]{43}$/.test(token))
    .slice(0, most)
}
