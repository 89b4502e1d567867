import { sql } from 'kysely'
import { transact, type Database } from '#base/server/database/database.ts'
import * as contact from '#contact/server/contact.ts'

/** Sends an e-mail, once, to the owners of accounts that are erased within a day. */
export async function sendReminders(database: Database): Promise<void> {
  const rows = await database.app
    .selectFrom('account_deletion')
    .select(['member_id', 'erase_at'])
    .where(sql<boolean>`erase_at between now() and now() + interval '1 day'`)
    .where('begun_at', 'is', null)
    .execute()
  for (const { member_id: id, erase_at: at } of rows)
    await transact(database, (tx) => contact.emailOwner(tx, id, 'leavingSoon', { effectKey: `leavingSoon ${id} ${at.getTime()}` }))
}
