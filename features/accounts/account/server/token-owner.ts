import { sql } from 'kysely'
import { memberRightsColumns, type MemberRightsRow } from '#account/server/member-rights.ts'
import type { Db } from '#base/server/database/database.ts'
import { statement, type Parameters } from '#base/server/database/statement.ts'
import { rowCache } from '#base/server/cache/row-cache.ts'
import { hashOf } from '#base/server/security/secret.ts'

/** The owner of a live access token, with the columns that decide their rights. */
type Owner = MemberRightsRow & { session_id: string }

/** A cached owner, and the end of its validity by this process's monotonic clock, because the clocks of servers may differ. */
type CachedOwner = Owner & { until: number }

const cacheOf = rowCache<CachedOwner>({ most: 20_000, freshMs: 10_000 })

export async function loadOwner(db: Db, accessToken: string): Promise<Owner | null> {
  const [owner] = await owners(db, { hash: hashOf(accessToken) })
  return owner ?? null
}

/** The owner from the database, and for how many milliseconds no role, ban or token ends by the clock. */
export async function loadOwnerUntil(db: Db, accessToken: string): Promise<(Owner & { sureFor: number }) | null> {
  const [owner] = await ownersUntil(db, { hash: hashOf(accessToken) })
  return owner ?? null
}

/** The owner as far as this process has them cached, while the entry is valid. */
export function peekOwner(db: Db, accessToken: string): Owner | null {
  const owner = cacheOf(db).get(accessToken)
  return owner && owner.until > performance.now() ? owner : null
}

/** The owner from this process's cache, while the entry is valid, or from the database. */
export async function cachedOwner(db: Db, accessToken: string): Promise<Owner | null> {
  const now = performance.now()
  const loaded =
    peekOwner(db, accessToken) ??
    (await cacheOf(db).load(
      async () => {
        const [its] = await ownersUntil(db, { hash: hashOf(accessToken) })
        return its && { ...its, until: now + its.sureFor }
      },
      (its) => (its ? [[accessToken, its, [`member:${its.id}`, `sessions:${its.id}`, `token:${its.id}`]]] : []),
    ))
  return loaded ?? null
}

type Hash = Parameters<{ hash: Buffer }>

function ownerOf(db: Db, { hash }: Hash) {
  return db
    .selectFrom('access_token')
    .innerJoin('session', 'session.id', 'session_id')
    .innerJoin('member', 'member.id', 'member_id')
    .select(['member.id', 'session_id', ...memberRightsColumns])
    .where('hash', '=', hash)
    .where(sql<boolean>`access_token.expires_at > now()`)
    .where('ended_at', 'is', null)
    .where('deactivated_at', 'is', null)
}

const validForMs = sql<number>`(1000 * extract(epoch from least(access_token.expires_at,
  (select min(upper(during)) from role_holding where member_id = member.id and during @> now()),
  (select min(ends_at) from member_ban where member_ban.member_id = member.id and lifted_at is null and ends_at > now())) - clock_timestamp()))::float`.as(
  'sureFor',
)

const owners = statement(ownerOf)
const ownersUntil = statement((db, hash: Hash) => ownerOf(db, hash).select(validForMs))

/** The tokens of "Bearer access,refresh"; any other header holds none. */
export function tokensIn(authorization: string): { access: string | null; refresh: string | null } {
  const [, access = null, refreshToken = null] = /^Bearer +([\w-]{43})(?:,([\w-]{43}))?$/i.exec(authorization) ?? []
  return { access, refresh: refreshToken }
}
