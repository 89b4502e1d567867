import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { MergedMembers } from '#base/server/moments.ts'

export { linkedIdentitiesOf } from '#identity/server/linked.ts'

/** Whether this account can be logged in to, by its password or by a provider. */
export async function hasLoginMethod(db: Db, memberId: string): Promise<boolean> {
  const { rows } = await sql`select from member where id = ${memberId} and (has_password or exists (
    select from member_identity join identity_provider on identity_provider.id = provider_id where member_id = member.id and is_enabled))`.execute(
    db,
  )
  return rows.length > 0
}

/** Unlinks one of an account's identities. False where it is linked no more. The caller sees to it that a login method stays. */
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
 * When two accounts merge, the other's identities lead into the remaining one. Where that one has an identity at the same provider, the
 * other's is deleted: it would open a closed account, and could not be linked elsewhere.
 */
export async function membersMerging(tx: Db, { from, into }: MergedMembers): Promise<void> {
  await sql`update member_identity as its set member_id = ${into} where member_id = ${from}
    and not exists (select from member_identity as own where own.member_id = ${into} and own.provider_id = its.provider_id)`.execute(tx)
  await tx.deleteFrom('member_identity').where('member_id', '=', from).execute()
}
