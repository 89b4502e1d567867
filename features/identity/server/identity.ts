import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'

export { linkedOf } from '#identity/server/linked.ts'

/** Whether one comes into this account by its password or by a provider. */
export async function hasWayIn(db: Db, memberId: string): Promise<boolean> {
  const { rows } = await sql`select from member where id = ${memberId} and (has_password or exists (
    select from member_identity join identity_provider on identity_provider.id = provider_id where member_id = member.id and is_enabled))`.execute(
    db,
  )
  return rows.length > 0
}

/** Lets one of these lead into this account no more. False where it does not by now. Whoever calls sees to it that a way in stays. */
export async function unlink(tx: Db, memberId: string, identityId: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('member_identity')
    .where('id', '=', identityId)
    .where('member_id', '=', memberId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whoever logged in to one account by a provider comes into the other from now on. Where that one has somebody of the same provider they are nobody's
 * again: they would come into an account that nobody can open, and could be linked to no other.
 */
export async function membersMerging(tx: Db, { from, into }: { from: string; into: string }): Promise<void> {
  await sql`update member_identity as its set member_id = ${into} where member_id = ${from}
    and not exists (select from member_identity as own where own.member_id = ${into} and own.provider_id = its.provider_id)`.execute(tx)
  await tx.deleteFrom('member_identity').where('member_id', '=', from).execute()
}
