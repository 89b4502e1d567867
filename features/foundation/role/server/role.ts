import { rightAbove, visibilityRights, type Right } from '#role/all-rights.ts'
import { cachedValue } from '#base/server/cache/cached-value.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Scope } from '#base/server/http/route.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { sql, type RawBuilder } from 'kysely'

type Reach = { everywhere: boolean; tags: Set<string> }
type Tag = { id: string; isRestricted: boolean; above: { id: string; isRestricted: boolean } | null }
type RoleData = {
  rights: Map<string, Map<string, Reach>>
  defaultRole: string | null
  tags: readonly Tag[]
  visitor: Rights
  /** The rights of members with these roles, computed once for all of them. */
  members: Map<string, Rights>
}

declare module '#base/server/http/route.ts' {
  interface RightNames extends Record<Right, true> {}
}

export { anyoneUnlessBanned, bansOn, unlessBanned, refuseBanned } from '#role/server/ban.ts'
export { backdate, extend, heldBy, setRoles, setModerator, prolong, shorten, heldVersion, type Holding } from '#role/server/hold.ts'
export { changeInTag } from '#role/server/in-tag.ts'
export { givable, assertRolesGivable } from '#role/server/privilege-escalation.ts'

const roleCache = cachedValue('role', load)
const seeing: ReadonlySet<string> = new Set(visibilityRights)

export type Rights = {
  may(right: Right, tagId?: string): boolean
  where(right: Right): Scope
  audience: string
}

/**
 * The rights of a member with these roles. Everybody also has the default role; without one there are no rights. A member of a staff
 * account only changes their own posts in the forum: staff moderate in the administration, where it is logged.
 */
export async function rightsOfMember(db: Db, roleIds: readonly string[], isOfficial: boolean): Promise<Rights> {
  return rightsOf(await roleCache.of(db), roleIds, isOfficial)
}

function rightsOf({ rights, defaultRole, tags, members }: RoleData, roleIds: readonly string[], isOfficial: boolean): Rights {
  const allIds = [...new Set([...roleIds, ...(defaultRole ? [defaultRole] : [])])].sort()
  const key = `${isOfficial ? 'official ' : ''}${allIds.join()}`
  const result =
    members.get(key) ??
    rightsFrom(
      allIds.flatMap((id) => rights.get(id) ?? []).map((its) => (isOfficial ? withoutAny(its) : its)),
      tags,
    )
  members.set(key, result)
  return result
}

/** A visitor may only view, as far as the default role may. */
export async function rightsOfVisitor(db: Db): Promise<Rights> {
  return (await roleCache.of(db)).visitor
}

/** The class of what every visitor may see; null while nobody has asked for it yet. */
export function visitorAudience(db: Db): string | null {
  return roleCache.peek(db)?.visitor.audience ?? null
}

/** The class of what a member with these roles may see; null likewise. */
export function memberAudience(db: Db, roleIds: readonly string[], isOfficial: boolean): string | null {
  const roles = roleCache.peek(db)
  return roles && rightsOf(roles, roleIds, isOfficial).audience
}

/** The names of the roles that this column's member holds now, without the default one. */
export function namesHeldBy(memberId: string): RawBuilder<{ zh: string; en: string }[]> {
  return sql`coalesce((
    select jsonb_agg(jsonb_build_object('zh', name_zh, 'en', name_en) order by role.sort, role.id)
    from role_holding join role on role.id = role_holding.role_id
    where role_holding.member_id = ${sql.ref(memberId)} and not is_default and during @> now()
  ), '[]')`
}

/** The roles that a member holds now, without the default one. */
export function heldNow(db: Db, memberId: string) {
  return db
    .selectFrom('role_holding')
    .innerJoin('role', 'role.id', 'role_holding.role_id')
    .where('member_id', '=', memberId)
    .where('is_default', '=', false)
    .where(sql<boolean>`during @> now()`)
    .select(['role.id', 'name_zh', 'name_en', sql<Date | null>`nullif(upper(during), 'infinity')`.as('ends_at')])
    .orderBy('role.sort')
    .orderBy('role.id')
    .execute()
}

/** The public roles, shown beside names: those that somebody holds now, without the default one. */
export async function publicRoles(db: Db): Promise<{ id: string; name: { zh: string; en: string } }[]> {
  const rows = await db
    .selectFrom('role')
    .select(['id', 'name_zh', 'name_en'])
    .where('is_default', '=', false)
    .where(sql<boolean>`exists (select from role_holding where role_id = role.id and during @> now())`)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return rows.map(({ id, name_zh: zh, name_en: en }) => ({ id, name: { zh, en } }))
}

/** The role that every member holds, and by which visitors see; null where there is none. */
export async function defaultRoleId(db: Db): Promise<string | null> {
  const row = await db.selectFrom('role').select('id').where('is_default', '=', true).executeTakeFirst()
  return row?.id ?? null
}

/** Gives a role from now until `endsAt`, or permanently. */
export async function give(tx: Db, memberId: string, roleId: string, endsAt: Date | null): Promise<void> {
  const during = sql<string>`tstzrange(now(), ${endsAt}, '[)')`
  await tx.insertInto('role_holding').values({ member_id: memberId, role_id: roleId, during }).execute()
  invalidate(tx, `member:${memberId}`)
}

async function load(db: Db): Promise<RoleData> {
  const [roles, rows, tagRows] = await Promise.all([
    db.selectFrom('role').select('id').where('is_default', '=', true).execute(),
    db.selectFrom('role_right').select(['role_id', 'right_name', 'tag_id']).execute(),
    db.selectFrom('tag').select(['id', 'parent_id', 'is_restricted']).orderBy('id').execute(),
  ])
  const rights = new Map<string, Map<string, Reach>>()
  for (const row of rows) {
    const its = rights.get(row.role_id) ?? new Map<string, Reach>()
    const reach = its.get(row.right_name) ?? { everywhere: false, tags: new Set() }
    if (row.tag_id === null) reach.everywhere = true
    else reach.tags.add(row.tag_id)
    rights.set(row.role_id, its.set(row.right_name, reach))
  }
  const defaultRole = roles[0]?.id ?? null
  const byId = new Map(tagRows.map((row) => [row.id, { id: row.id, isRestricted: row.is_restricted }]))
  const tags = tagRows.map((row) => ({ id: row.id, isRestricted: row.is_restricted, above: byId.get(row.parent_id ?? '') ?? null }))
  const everybodys = rights.get(defaultRole ?? '') ?? []
  const visitor = rightsFrom([new Map([...everybodys].filter(([right]) => seeing.has(right)))], tags)
  return { rights, defaultRole, tags, visitor, members: new Map() }
}

function withoutAny(rights: Map<string, Reach>): Map<string, Reach> {
  return new Map([...rights].filter(([right]) => !right.endsWith('.any')))
}

function rightsFrom(roles: readonly Map<string, Reach>[], tags: readonly Tag[]): Rights {
  function held(right: Right): Reach {
    const reaches = roles.flatMap((role) => role.get(right) ?? [])
    return { everywhere: reaches.some((reach) => reach.everywhere), tags: new Set(reaches.flatMap((reach) => [...reach.tags])) }
  }
  function where(right: Right): Scope {
    const [own, above] = [held(right), held(rightAbove(right))]
    const reached = new Set(tags.filter((tag) => reaches(tag, own, above)).map(({ id }) => id))
    if (!own.everywhere) return { only: [...reached] }
    return { except: tags.flatMap(({ id }) => (reached.has(id) ? [] : [id])) }
  }
  const scopes = new Map<Right, Scope>()
  function scopeOf(right: Right): Scope {
    const scope = scopes.get(right) ?? where(right)
    scopes.set(right, scope)
    return scope
  }
  return {
    where: scopeOf,
    may(right, tagId) {
      const scope = scopeOf(right)
      if ('except' in scope) return tagId === undefined || !scope.except.includes(tagId)
      return tagId !== undefined && scope.only.includes(tagId)
    },
    audience: JSON.stringify(visibilityRights.map(scopeOf)),
  }
}

// A restriction of an upper tag applies below, where a tag may restrict itself further.
function reaches(tag: Tag, own: Reach, above: Reach): boolean {
  if (tag.above?.isRestricted && !above.tags.has(tag.above.id)) return false
  if (own.tags.has(tag.id)) return true
  if (tag.isRestricted) return false
  if (tag.above && own.tags.has(tag.above.id)) return true
  return own.everywhere && !tag.above?.isRestricted
}
