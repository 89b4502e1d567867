import { sql, type RawBuilder } from 'kysely'
import { Missing } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import { versionOf } from '#base/server/security/secret.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'

export type Holding = { roleId: string; endsAt: Date | null }

const now = sql<Date>`clock_timestamp()`
const runs = sql<boolean>`during @> clock_timestamp()`

/** Gives the roles that may change any post, everywhere, or takes them; all others stay. */
export async function setModerator(tx: Db, memberId: string, may: boolean): Promise<void> {
  await tx.selectFrom('member').select('id').where('id', '=', memberId).forUpdate().execute()
  const rows = await tx
    .selectFrom('role_right')
    .select('role_id as roleId')
    .distinct()
    .where('right_name', '=', 'content.edit.any')
    .where('tag_id', 'is', null)
    .execute()
  const others = (await heldBy(tx, memberId)).filter(({ roleId }) => !rows.some((row) => row.roleId === roleId))
  await setRoles(tx, memberId, may ? [...others, ...rows.map((row) => ({ ...row, endsAt: null }))] : others)
}

/** Gives a member a role for a time from now, or from the end of their present holding, with the commit. The member must be locked. */
export async function extend(tx: Db, memberId: string, roleId: string, during: string): Promise<void> {
  await sql`/* with the commit */
    with extended as (
      update role_holding set during = tstzrange(lower(during), upper(${during}::tstzrange), '[)'), is_taken = false
      where member_id = ${memberId} and role_id = ${roleId} and upper(during) = lower(${during}::tstzrange) returning 1)
    insert into role_holding (member_id, role_id, during)
      select ${memberId}, ${roleId}, ${during}::tstzrange where not exists (select from extended)`.execute(tx)
  invalidate(tx, `member:${memberId}`)
}

/** Adds so many seconds to a role that a member holds for a time. The member must be locked. */
export function prolong(tx: Db, memberId: string, roleId: string, seconds: number): Promise<void> {
  return shorten(tx, memberId, roleId, -seconds)
}

/** Moves the start of a member's role back to that of another holding of it, or of their last one. The member must be locked. */
export async function backdate(tx: Db, memberId: string, roleId: string, holdingId: string): Promise<void> {
  await sql`
    update role_holding as its set during = tstzrange(greatest(lower(other.during), (
        select max(upper(before.during)) from role_holding as before
        where before.member_id = its.member_id and before.role_id = its.role_id and before.during << its.during)), upper(its.during), '[)')
    from role_holding as other
    where its.member_id = ${memberId} and its.role_id = ${roleId} and its.during @> clock_timestamp() and other.id = ${holdingId}
      and lower(other.during) < lower(its.during)`.execute(tx)
}

/** Takes so many seconds off the end of a role that a member holds; one without an end stays. The member must be locked. */
export async function shorten(tx: Db, memberId: string, roleId: string, seconds: number): Promise<void> {
  await sql`
    update role_holding set during = tstzrange(lower(during), greatest(${now}, upper(during) - make_interval(secs => ${seconds})), '[)'),
      is_taken = upper(during) - make_interval(secs => ${seconds}) <= ${now}
    where member_id = ${memberId} and role_id = ${roleId} and ${runs} and upper(during) < 'infinity'`.execute(tx)
  invalidate(tx, `member:${memberId}`)
}

/** Sets a member's roles from now on; one whose end alone changes continues. Returns the former holdings. The member must be locked. */
export async function setRoles(tx: Db, memberId: string, newHoldings: readonly Holding[]): Promise<Holding[]> {
  await assertHoldable(
    tx,
    newHoldings.map(({ roleId }) => roleId),
  )
  const current = await heldBy(tx, memberId)
  const isSame = (one: Holding, other: Holding) => one.roleId === other.roleId && one.endsAt?.getTime() === other.endsAt?.getTime()
  const over = current.filter(({ roleId }) => !newHoldings.some((other) => other.roleId === roleId))
  const changed = newHoldings.filter((one) => !current.some((other) => isSame(one, other)))
  await tx
    .updateTable('role_holding')
    .set({ during: sql`tstzrange(lower(during), ${now}, '[)')`, is_taken: true })
    .where('id', '=', anyOf(over.map(({ id }) => id)))
    .execute()
  for (const { roleId, endsAt } of changed) {
    const before = current.find((one) => one.roleId === roleId)
    const from = (moment: RawBuilder<Date>) => sql<string>`tstzrange(${moment}, ${endsAt}::timestamptz, '[)')`
    if (before)
      await tx
        .updateTable('role_holding')
        .set({ during: from(sql`lower(during)`), is_taken: false })
        .where('id', '=', before.id)
        .execute()
    else
      await tx
        .insertInto('role_holding')
        .values({ member_id: memberId, role_id: roleId, during: from(now) })
        .execute()
  }
  invalidate(tx, `member:${memberId}`)
  return current.map(({ roleId, endsAt }) => ({ roleId, endsAt }))
}

/** A short version of the roles held and their ends: equal for equal holdings. */
export async function heldVersion(db: Db, memberId: string): Promise<string> {
  return versionOf(await heldBy(db, memberId))
}

/** The roles held now, and their ends. */
export function heldBy(tx: Db, memberId: string) {
  return tx
    .selectFrom('role_holding')
    .select(['id', 'role_id as roleId', sql<Date | null>`nullif(upper(during), 'infinity')`.as('endsAt')])
    .where('member_id', '=', memberId)
    .where(runs)
    .orderBy('role_id')
    .execute()
}

// The default role belongs to everybody, so it cannot be held.
async function assertHoldable(tx: Db, roleIds: readonly string[]): Promise<void> {
  const found = await tx
    .selectFrom('role')
    .select('id')
    .where('id', '=', anyOf(roleIds))
    .where('is_default', '=', false)
    .forShare()
    .execute()
  if (found.length < new Set(roleIds).size || new Set(roleIds).size < roleIds.length) throw Missing()
}
