import { sql } from 'kysely'
import * as account from '#account/server/account.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo, Member } from '#base/server/http/route.ts'
import { hashOf, newToken } from '#base/server/security/secret.ts'
import * as contact from '#contact/server/contact.ts'
import { maxTokens, NoMcp, tokenScopes, TooManyTokens, type addToken, type tokens, type TokenScope, type TokenView } from '#mcp/contract.ts'
import * as notification from '#notification/server/notification.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import * as setting from '#setting/server/setting.ts'

/** The prefix identifies a token to secret scanners. */
const prefix = 'thp_'

type Row = Omit<TokenView, 'createdAt' | 'expiresAt' | 'lastUsedAt'> & { createdAt: Date; expiresAt: Date; lastUsedAt: Date | null }

export async function list(db: Db, member: Member, { origin }: ClientInfo): Promise<Output<typeof tokens>> {
  const [rows, { allowMcp }] = [await rowsOf(db, member.id), await setting.all(db)]
  return { tokens: rows.map(viewOf), address: `${origin}/mcp`, isOpen: allowMcp }
}

async function rowsOf(db: Db, memberId: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id::text, name, scopes, created_at as "createdAt", expires_at as "expiresAt", expires_at <= clock_timestamp() as "isExpired",
      last_used_at as "lastUsedAt"
    from personal_access_token where member_id = ${memberId} order by personal_access_token.id desc`.execute(db)
  return rows
}

function viewOf({ createdAt, expiresAt, lastUsedAt, ...row }: Row): TokenView {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}

/** Creates a token, notifies the owner, and returns it: only its hash is stored. Requires a recent login. Call it last in a transaction. */
export async function add(tx: Db, member: Member, { name, mayDraft, days }: ParsedInput<typeof addToken>): Promise<{ token: string }> {
  const { allowMcp } = await setting.all(tx)
  if (!allowMcp) throw NoMcp()
  await secondFactor.requireRecentProof(tx, member)
  await account.holdSession(tx, member)
  await sql`/* with the commit */ select from member where id = ${member.id} for no key update`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from personal_access_token where member_id = ${member.id}`.execute(tx)
  if ((rows[0]?.count ?? 0) >= maxTokens) throw TooManyTokens({ most: maxTokens })
  const token = prefix + newToken()
  await sql`
    insert into personal_access_token (member_id, name, hash, scopes, expires_at)
    values (${member.id}, ${name}, ${hashOf(token)}, ${mayDraft ? tokenScopes : ['read']}, clock_timestamp() + make_interval(days => ${days}))`.execute(
    tx,
  )
  await notification.notify(tx, member.id, { kind: 'programTokenMade', name })
  await contact.emailOwner(tx, member.id, 'programTokenMade', { values: { name } })
  return { token }
}

export async function revoke(tx: Db, member: Member, tokenId: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('personal_access_token')
    .where('id', '=', tokenId)
    .where('member_id', '=', member.id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw Missing()
}

/** Revokes all tokens of a member: they speak for the member without any session. */
export async function endAll(tx: Db, { memberId }: { memberId: string }): Promise<void> {
  await tx.deleteFrom('personal_access_token').where('member_id', '=', memberId).execute()
}

/** The tokens of a member as staff see them. */
export async function lasting(db: Db, memberId: string): Promise<account.LastingCredential[]> {
  const rows = await rowsOf(db, memberId)
  return rows.map(({ scopes, createdAt, ...row }) => ({
    ...row,
    kind: 'programToken',
    mayWrite: scopes.includes('draft'),
    madeAt: createdAt,
  }))
}

export type Bearer = { tokenId: string; member: Member; scopes: readonly TokenScope[] }

const usedEveryMinutes = 1

/** The member of a token, with current permissions; null for an unknown, expired or revoked token, or a deleted member. */
export async function bearerOf(db: Db, authorization: string | undefined): Promise<Bearer | null> {
  const token = /^Bearer (thp_[\w-]{20,100})$/i.exec(authorization ?? '')?.[1]
  if (!token) return null
  const { rows } = await sql<{ id: string; memberId: string; scopes: TokenScope[] }>`
    select id::text, member_id::text as "memberId", scopes from personal_access_token
    where hash = ${hashOf(token)} and expires_at > clock_timestamp()`.execute(db)
  const [row] = rows
  if (!row) return null
  const member = await account.viewerOf(db, row.memberId)
  if (!member) return null
  await sql`
    update personal_access_token set last_used_at = clock_timestamp()
    where id = ${row.id} and (last_used_at is null or last_used_at < clock_timestamp() - make_interval(mins => ${usedEveryMinutes}))`.execute(
    db,
  )
  return { tokenId: row.id, member, scopes: row.scopes }
}
