import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import * as setting from '#setting/server/setting.ts'

const maxShown = 20

type FormerName = { name: string; key: string; isShown?: boolean }

/** Records a name that a member gave up. */
export async function recordFormerName(tx: Db, memberId: string, { name, key, isShown = true }: FormerName): Promise<void> {
  await tx.insertInto('former_name').values({ member_id: memberId, name, key, is_shown: isShown }).execute()
}

/** Whether another member gave this name up so lately that it is still reserved. */
export async function isReserved(db: Db, key: string, exceptMemberId?: string): Promise<boolean> {
  const { formerNameHeldDays } = await setting.all(db)
  const row = await db
    .selectFrom('former_name')
    .select('id')
    .where('key', '=', key)
    .where('given_up_at', '>', sql<Date>`now() - make_interval(days => ${formerNameHeldDays}::int)`)
    .where('member_id', 'is distinct from', exceptMemberId ?? null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The last owner of a former name, while their account is open. */
export async function ownerOf(db: Db, key: string): Promise<string | null> {
  const row = await db
    .selectFrom('former_name')
    .innerJoin('member', 'member.id', 'member_id')
    .select('member_id')
    .where('key', '=', key)
    .where('deactivated_as', 'is distinct from', 'erased')
    .orderBy('given_up_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.member_id ?? null
}

/** How long a name stays and is reserved, and when a member may be renamed; null where they may now. */
export async function limitsOf(db: Db, memberId: string): Promise<{ everyDays: number; heldDays: number; keptUntil: string | null }> {
  const { nicknameChangeIntervalDays: everyDays, formerNameHeldDays: heldDays } = await setting.all(db)
  const row = await db
    .selectFrom('former_name')
    .select(sql<Date | null>`max(given_up_at) + make_interval(days => ${everyDays}::int)`.as('until'))
    .where('member_id', '=', memberId)
    .where('is_shown', '=', true)
    .executeTakeFirst()
  const until = row?.until ?? null
  return { everyDays, heldDays, keptUntil: until && until > new Date() ? until.toISOString() : null }
}

/** The days until a member may be renamed again; none where they may now. */
export async function daysToWait(db: Db, memberId: string): Promise<number> {
  const { nicknameChangeIntervalDays } = await setting.all(db)
  const row = await db
    .selectFrom('former_name')
    .select(sql<number>`ceil(${nicknameChangeIntervalDays}::int - extract(epoch from now() - max(given_up_at)) / 86400)::int`.as('days'))
    .where('member_id', '=', memberId)
    .where('is_shown', '=', true)
    .executeTakeFirst()
  return Math.max(0, row?.days ?? 0)
}

/** The recent public former names, newest first. */
export async function publicNamesOf(db: Db, memberId: string): Promise<string[]> {
  const { formerNameShownDays } = await setting.all(db)
  const rows = await db
    .selectFrom('former_name')
    .select('name')
    .where('member_id', '=', memberId)
    .where('is_shown', '=', true)
    .where('given_up_at', '>', sql<Date>`now() - make_interval(days => ${formerNameShownDays}::int)`)
    .orderBy('given_up_at', 'desc')
    .limit(maxShown)
    .execute()
  return [...new Set(rows.map(({ name }) => name))]
}

/** All former names, for staff. */
export async function formerNamesOf(db: Db, memberId: string): Promise<{ name: string; until: string }[]> {
  const rows = await db
    .selectFrom('former_name')
    .select(['name', 'given_up_at'])
    .where('member_id', '=', memberId)
    .orderBy('given_up_at', 'desc')
    .limit(maxShown)
    .execute()
  return rows.map(({ name, given_up_at }) => ({ name, until: given_up_at.toISOString() }))
}
