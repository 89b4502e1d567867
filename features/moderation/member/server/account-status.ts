import { sql } from 'kysely'
import { canLogIn } from '#account/server/account.ts'
import * as audit from '#audit/server/audit.ts'
import { UndoneAlready } from '#batch/contract.ts'
import type { Change } from '#batch/server/batch.ts'
import { isDuplicate, type Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import { NameTaken, NotInThatState, WasMerged } from '#member/contract.ts'
import { lock, lockUnlessStaff } from '#member/server/lock.ts'
import { closeAccount, disableAccount, enableAccount } from '#member/server/member.ts'
import * as user from '#user/server/user.ts'
import * as wallet from '#wallet/server/wallet.ts'

type MemberAndReason = { memberId: string; reason: string }

export async function disable(tx: Db, by: StaffActor, client: ClientInfo, { memberId, reason }: MemberAndReason): Promise<void> {
  await disableMember(tx, memberId, reason)
  await audit.note(tx, by, client, { action: 'member.disable', about: `member ${memberId}`, reason })
}

export async function enable(tx: Db, by: StaffActor, client: ClientInfo, memberId: string): Promise<void> {
  await enableMember(tx, memberId)
  await audit.note(tx, by, client, { action: 'member.enable', about: `member ${memberId}` })
}

type DisabledState = { state: 'disabled'; since: string; because: string | null }
const activeState = { state: 'active' } as const

/** Disables an active member. Writes no audit entry. */
export async function disableMember(tx: Db, memberId: string, reason: string): Promise<Change> {
  const member = await lockUnlessStaff(tx, memberId)
  if (!canLogIn(member)) throw NotInThatState()
  await disableAccount(tx, memberId, reason)
  return { before: activeState, after: disabledStateOf(await lock(tx, memberId)) }
}

/** Enables a disabled member. Writes no audit entry. */
export async function enableMember(tx: Db, memberId: string): Promise<Change> {
  const member = await lockUnlessStaff(tx, memberId)
  if (member.deactivated_as !== 'disabled') throw NotInThatState()
  await enableAccount(tx, memberId)
  return { before: disabledStateOf(member), after: activeState }
}

/** Undoes either, where the state is unchanged. */
export async function undoStatusChange(tx: Db, memberId: string, { before, after }: Change): Promise<void> {
  const now = await lockUnlessStaff(tx, memberId)
  const wasOut = after as Partial<DisabledState>
  const isAsLeft = wasOut.since === undefined ? now.deactivated_at === null : disabledStateOf(now).since === wasOut.since && !isGone(now)
  if (!isAsLeft) throw UndoneAlready()
  if (wasOut.since === undefined) await disableAccount(tx, memberId, (before as DisabledState).because ?? '')
  else await enableAccount(tx, memberId)
}

function disabledStateOf({ deactivated_at, deactivated_because }: Awaited<ReturnType<typeof lock>>): DisabledState {
  return { state: 'disabled', since: deactivated_at?.toISOString() ?? '', because: deactivated_because }
}

export async function cancel(tx: Db, by: StaffActor, client: ClientInfo, { memberId, reason }: MemberAndReason): Promise<void> {
  const member = await lockUnlessStaff(tx, memberId)
  if (isGone(member)) throw NotInThatState()
  const freed = await closeAccount(tx, member, reason)
  await audit.note(tx, by, client, { action: 'member.cancel', about: `member ${memberId}`, reason, after: { namesFreed: freed } })
}

export async function restore(tx: Db, by: StaffActor, client: ClientInfo, memberId: string): Promise<void> {
  const member = await lockUnlessStaff(tx, memberId)
  if (!isGone(member)) throw NotInThatState()
  // The posts belong to another member by now.
  if (member.merged_into !== null) throw WasMerged()
  // An erased account cannot be restored.
  if (member.deactivated_as === 'erased') throw NotInThatState()
  await enableAccount(tx, memberId)
  await wallet.reopenAccount(tx, memberId)
  const { freed_account: account, freed_nickname: nickname } = member
  if (account !== null) await reclaimNames(tx, memberId, account, nickname)
  await tx
    .updateTable('member')
    .set({ version: sql`version + 1` })
    .where('id', '=', memberId)
    .execute()
  await audit.note(tx, by, client, { action: 'member.restore', about: `member ${memberId}` })
}

async function reclaimNames(tx: Db, memberId: string, account: string, nickname: string | null): Promise<void> {
  for (const name of [account, nickname ?? account]) if (await user.isTaken(tx, name, memberId)) throw NameTaken()
  const keys = { account_key: user.nameKey(account), nickname_key: nickname === null ? null : user.nameKey(nickname) }
  await tx
    .updateTable('member')
    .set({ account, nickname, ...keys, freed_account: null, freed_nickname: null })
    .where('id', '=', memberId)
    .execute()
    .catch((error: unknown) => {
      throw isDuplicate(error) ? NameTaken() : error
    })
}

function isGone({ deactivated_as }: { deactivated_as: string | null }): boolean {
  return deactivated_as === 'cancelled' || deactivated_as === 'erased'
}
