import { sql } from 'kysely'
import { primary, type Db } from '#base/server/database/database.ts'
import type { MergedMembers } from '#base/server/moments.ts'
import { hashOf } from '#base/server/security/secret.ts'
import { InvitationNeeded, InvitationWrong } from '#invitation/contract.ts'
import * as setting from '#setting/server/setting.ts'

/** Refuses a registration without a valid invitation where staff require one. The use is counted when the account is made. */
export async function assertValid(db: Db, code: string | undefined): Promise<void> {
  if (!(await isRequired(db))) return
  if (!code) throw InvitationNeeded()
  // The invitation may be a moment old, so it is read from the primary.
  const row = await primary(db).selectFrom('invitation').select('id').where(isValid(code)).executeTakeFirst()
  if (!row) throw InvitationWrong()
}

/** Counts the use of an invitation. Concurrent registrations cannot exceed its limit. */
export async function consume(tx: Db, code: string | undefined, memberId: string): Promise<void> {
  const isNeeded = await isRequired(tx)
  const row = code
    ? await tx
        .updateTable('invitation')
        .set({ used: sql`used + 1` })
        .where(isValid(code))
        .returning('id')
        .executeTakeFirst()
    : undefined
  if (row) await tx.insertInto('invitation_use').values({ member_id: memberId, invitation_id: row.id }).execute()
  else if (isNeeded) throw code ? InvitationWrong() : InvitationNeeded()
}

/** Of two accounts that become one, what the other made is the one's. */
export async function membersMerging(tx: Db, { from, into }: MergedMembers): Promise<void> {
  await tx.updateTable('invitation').set({ member_id: into }).where('member_id', '=', from).execute()
}

/** Revokes the invitations of a closed account. */
export async function end(tx: Db, memberId: string): Promise<void> {
  await tx
    .updateTable('invitation')
    .set({ revoked_at: sql`now()`, note: '' })
    .where('member_id', '=', memberId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** With a lost key the codes are still valid, but can no longer be shown. */
export async function purgeUndecryptable(tx: Db): Promise<void> {
  await tx.updateTable('invitation').set({ code: null }).execute()
}

async function isRequired(db: Db): Promise<boolean> {
  return (await setting.all(db)).registrationMode === 'invitation'
}

// Excludes the codes of members who are disabled.
function isValid(code: string) {
  return sql<boolean>`hash = ${hashOf(code)} and used < uses and revoked_at is null and (until is null or until > now())
    and not exists (select from member where member.id = invitation.member_id and deactivated_at is not null)`
}
