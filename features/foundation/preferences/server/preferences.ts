import type { Output, ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import type { changePreferences, preferences } from '#preferences/contract.ts'
import * as setting from '#setting/server/setting.ts'

type StoredPreferences = Omit<Output<typeof preferences>, 'siteTimeZone'>

export async function of(db: Db, memberId: string): Promise<StoredPreferences> {
  const row = await db
    .selectFrom('preference')
    .select(['language', 'theme', 'text_size as textSize', 'time_zone as timeZone'])
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return row ?? { language: null, theme: null, textSize: null, timeZone: null }
}

/** A member's time zone: the one they chose, or the site's. */
export async function timeZoneOf(db: Db, memberId: string): Promise<string> {
  const { timeZone } = await of(db, memberId)
  return timeZone ?? (await setting.all(db)).timeZone
}

export async function show(db: Db, member: Member): Promise<Output<typeof preferences>> {
  const [its, { timeZone: siteTimeZone }] = await Promise.all([of(db, member.id), setting.all(db)])
  return { ...its, siteTimeZone }
}

/** Saves the given fields; absent ones stay. The language is also that of messages to the member. */
export async function change(
  tx: Db,
  member: Member,
  { language, theme, textSize, timeZone }: ParsedInput<typeof changePreferences>,
): Promise<void> {
  const row = {
    ...(language && { language }),
    ...(theme && { theme }),
    ...(textSize && { text_size: textSize }),
    ...(timeZone !== undefined && { time_zone: timeZone || null }),
  }
  if (Object.keys(row).length === 0) return
  await tx
    .insertInto('preference')
    .values({ member_id: member.id, ...row })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet(row))
    .execute()
  if (language) await tx.updateTable('member').set({ language }).where('id', '=', member.id).execute()
}

/** Deletes the preferences of a member whose account ends. */
export async function remove(tx: Db, memberId: string): Promise<void> {
  await tx.deleteFrom('preference').where('member_id', '=', memberId).execute()
}
