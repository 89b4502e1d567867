import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { defaultSenders, type Senders } from '#message/contract.ts'

export async function show(db: Db, member: Member): Promise<{ from: Senders }> {
  const row = await db.selectFrom('message_setting').select('senders').where('member_id', '=', member.id).executeTakeFirst()
  return { from: row?.senders ?? defaultSenders }
}

export async function change(tx: Db, member: Member, from: Senders): Promise<void> {
  await tx
    .insertInto('message_setting')
    .values({ member_id: member.id, senders: from })
    .onConflict((there) => there.column('member_id').doUpdateSet({ senders: from }))
    .execute()
}
