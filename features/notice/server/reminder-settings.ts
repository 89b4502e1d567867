import type { Output, Taken } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { Member } from '#base/server/route.ts'
import { chosenKinds, type changeReminderSetting, type reminderSettings } from '#notice/reminder-contract.ts'

/** Of which kinds a member is reminded. What they never chose is as it comes. */
export async function list(db: Db, member: Member): Promise<Output<typeof reminderSettings>> {
  const rows = await db.selectFrom('reminder_mute').select('kind').where('member_id', '=', member.id).execute()
  const muted = new Set(rows.map(({ kind }) => kind))
  return { kinds: chosenKinds.map((kind) => ({ kind, forum: !muted.has(kind) })) }
}

/** A kind that is muted writes no rows from now on; what was written stays. */
export async function change(tx: Db, member: Member, { kind, forum }: Taken<typeof changeReminderSetting>): Promise<void> {
  if (forum) await tx.deleteFrom('reminder_mute').where('member_id', '=', member.id).where('kind', '=', kind).execute()
  else
    await tx
      .insertInto('reminder_mute')
      .values({ member_id: member.id, kind })
      .onConflict((row) => row.doNothing())
      .execute()
}
