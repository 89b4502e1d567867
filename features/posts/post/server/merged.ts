import type { Db } from '#base/server/database/database.ts'
import type { MergedMembers } from '#base/server/moments.ts'

/** Names the other member as the last to reply in topics where nothing of theirs is left to transfer. */
export async function membersMerged(tx: Db, { from, into }: MergedMembers): Promise<void> {
  await tx.updateTable('topic').set({ last_reply_by: into }).where('last_reply_by', '=', from).execute()
}
