import type { Db } from '#base/server/database/database.ts'
import type { ErasedMember } from '#base/server/moments.ts'

/** Takes the name and the contact of an erased member off their feedback. */
export async function memberErased(tx: Db, { memberId }: ErasedMember): Promise<void> {
  await tx.updateTable('feedback').set({ member_id: null, name: '~', contact: '~' }).where('member_id', '=', memberId).execute()
}
