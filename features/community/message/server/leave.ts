import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import { asMember } from '#message/server/as-member.ts'
import { clearUnowned } from '#message/server/conversation-actions.ts'
import * as redEnvelope from '#red-envelope/server/red-envelope.ts'

/** Deletes a closed account's copies of its messages. The partners keep theirs. */
export function leave(tx: Db, memberId: string): Promise<void> {
  return asMember(tx, memberId, async (as) => {
    const { rows } = await sql<{ id: string }>`
      update message set gone_low = gone_low or low_id = ${memberId}, gone_high = gone_high or high_id = ${memberId}
      where ${memberId} in (low_id, high_id) and not case low_id when ${memberId} then gone_low else gone_high end
      returning id`.execute(as)
    const ids = rows.map(({ id }) => id)
    await clearUnowned(as, ids)
    await redEnvelope.endWithMessages(as, memberId, ids)
    await as.deleteFrom('conversation_participant').where('member_id', '=', memberId).execute()
    await as.deleteFrom('message_setting').where('member_id', '=', memberId).execute()
  })
}
