import { sql } from 'kysely'
import * as proof from '#account/server/account.ts'
import type { Db } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as contact from '#contact/server/contact.ts'
import * as invitation from '#invitation/server/invitation.ts'
import * as realName from '#real-name/server/real-name.ts'
import * as setting from '#setting/server/setting.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'

export { replaceBans, liftAll, runningBans } from '#member/server/ban.ts'
export { pendingRegistrations } from '#member/server/registration-approval.ts'
export { lockUnlessStaff } from '#member/server/lock.ts'

/** Disables an active member, and ends their sessions. The member must be locked. */
export async function disableAccount(tx: Db, memberId: string, reason: string): Promise<void> {
  await tx
    .updateTable('member')
    .set({ deactivated_at: sql`now()`, deactivated_as: 'disabled', deactivated_because: reason })
    .where('id', '=', memberId)
    .execute()
  await proof.endAllSessions(tx, memberId, 'deactivated')
  invalidate(tx, `member:${memberId}`)
}

export async function enableAccount(tx: Db, memberId: string): Promise<void> {
  await tx
    .updateTable('member')
    .set({ deactivated_at: null, deactivated_as: null, deactivated_because: null })
    .where('id', '=', memberId)
    .execute()
  invalidate(tx, `member:${memberId}`)
}

type ClosedAccount = { id: string; account: string; nickname: string | null }

/** Closes an account permanently. The member must be locked. */
export async function closeAccount(
  tx: Db,
  { id, account, nickname }: ClosedAccount,
  reason: string,
  mergedInto: string | null = null,
): Promise<boolean> {
  const { releaseDeletedNames } = await setting.all(tx)
  // Names with this mark cannot be registered, so it is free.
  const stand = `~${id}`
  const names = { account: stand, account_key: stand, nickname: null, nickname_key: null, freed_account: account, freed_nickname: nickname }
  await tx
    .updateTable('member')
    .set({ deactivated_at: sql`coalesce(deactivated_at, now())`, deactivated_as: 'cancelled', deactivated_because: reason })
    .set({ merged_into: mergedInto, version: sql`version + 1`, ...(releaseDeletedNames && names) })
    .where('id', '=', id)
    .execute()
  await proof.endAllSessions(tx, id, 'deactivated')
  await contact.remove(tx, id)
  await invitation.end(tx, id)
  await secondFactor.remove(tx, id)
  await realName.remove(tx, id)
  invalidate(tx, `member:${id}`)
  return releaseDeletedNames
}
