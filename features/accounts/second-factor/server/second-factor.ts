import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { primary, type Db } from '#base/server/database/database.ts'
import type { MergedMembers } from '#base/server/moments.ts'
import type { RunInSeparateTransaction, ClientInfo, Member } from '#base/server/http/route.ts'
import { ProveAgain, type SecondStep } from '#second-factor/contract.ts'
import * as app from '#second-factor/server/app.ts'
import * as device from '#second-factor/server/device.ts'
import type { PasskeyAnswer } from '#second-factor/passkey-contract.ts'
import * as passkey from '#second-factor/server/passkey.ts'
import * as ticket from '#second-factor/server/ticket.ts'

export { beginSetup, codesLeft, confirmSetup, isSetupPending, verifyCode, enabledSince, renewCodes } from '#second-factor/server/app.ts'
export * as appCodes from '#second-factor/server/app-codes.ts'
export { countDevices, forgetDevice, devices, trust } from '#second-factor/server/device.ts'
export {
  addPasskey,
  requestPasskeySignature,
  passkeys,
  verifyPasskeyRegistration,
  removePasskey,
  renamePasskey,
  verifyPasskey,
  requestPasskeyRegistration,
  type NewPasskey,
} from '#second-factor/server/passkey.ts'
export { recordProof, verifyPassword } from '#second-factor/server/proof.ts'
export { ownerOfTicket, consumeTicket } from '#second-factor/server/ticket.ts'

const minutes = 10

/**
 * Refuses unless this member logged in or re-authenticated within the last ten minutes in this session: an unlocked device does not give
 * away the account, or its money. For a member with a second factor, a login by password alone in a trusted browser is no proof, nor is one
 * from before it was turned on.
 */
export async function requireRecentProof(db: Db, member: Member): Promise<void> {
  // The proof may be a moment old, so it is read from the primary.
  const { rows } = await sql<{ isFresh: boolean }>`select ${hasProved(member)} as "isFresh"`.execute(primary(db))
  if (!rows[0]?.isFresh) throw ProveAgain()
}

/** The same as an expression of a larger statement. Staff in the administration have no session here, and re-authenticate there. */
export function hasProved({ sessionId }: Member): RawBuilder<boolean> {
  return sql`exists (
    select from session left join session_proof on session_id = session.id left join second_factor on second_factor.member_id = session.member_id
    where session.id = ${sessionId || null}
      and case when confirmed_at is null then greatest(started_at, proved_at) when proved_at >= confirmed_at then proved_at end
        > now() - ${minutes} * interval '1 minute')`
}

/** The second step after the password, in this browser. Null where none is due. */
export async function loginStep(tx: Db, memberId: string, client: ClientInfo): Promise<z.infer<typeof SecondStep> | null> {
  if (!(await app.enabledSince(tx, memberId))) return null
  if (await device.isTrusted(tx, memberId, client)) return null
  return { ticket: await ticket.issue(tx, memberId, client), ways: (await hasPasskey(tx, memberId)) ? ['code', 'passkey'] : ['code'] }
}

type SecondFactorAnswer = { ticket: string; code?: string | undefined; passkey?: PasskeyAnswer | undefined }

/** Verifies the second factor. The login itself consumes the ticket. */
export async function verifyLoginStep(
  inSeparateTransaction: RunInSeparateTransaction,
  { ticket: loginTicket, code, passkey: its }: SecondFactorAnswer,
  client: ClientInfo,
): Promise<void> {
  const memberId = await ticket.countAttempt(inSeparateTransaction, loginTicket, client)
  if (its) await passkey.verifyPasskey(inSeparateTransaction, its, { purpose: 'step2', memberId }, client)
  else await app.verifyCode(inSeparateTransaction, memberId, code ?? '')
}

export async function endTickets(tx: Db, memberId: string): Promise<void> {
  await tx.deleteFrom('login_ticket').where('member_id', '=', memberId).execute()
}

/** Ends pending logins and trusted devices: after a change of password everything is asked for again. */
export async function revokeTrust(tx: Db, memberId: string): Promise<void> {
  await endTickets(tx, memberId)
  await device.forgetDevice(tx, memberId, null)
}

/** Turns the second factor off. False where it was off. */
export async function turnOff(tx: Db, memberId: string): Promise<boolean> {
  const deleted = await tx.deleteFrom('second_factor').where('member_id', '=', memberId).returning('confirmed_at').executeTakeFirst()
  await tx.deleteFrom('recovery_code').where('member_id', '=', memberId).execute()
  await revokeTrust(tx, memberId)
  return Boolean(deleted?.confirmed_at)
}

type SinceDates = { codes: Date; passkeys: Date }
type RemovedMethod = { what: 'passkey' | 'secondFactor' | 'recoveryCodes'; name: string }

/**
 * Removes the passkeys, app and devices set up since then, and returns what they were: an account that was taken back keeps nothing of the
 * thief's.
 */
export async function removeSince(tx: Db, memberId: string, since: SinceDates): Promise<RemovedMethod[]> {
  const row = await tx.selectFrom('second_factor').select('confirmed_at').where('member_id', '=', memberId).forUpdate().executeTakeFirst()
  const isSince = row !== undefined && (row.confirmed_at === null || row.confirmed_at >= since.codes)
  const wasOn = isSince && (await turnOff(tx, memberId))
  await revokeTrust(tx, memberId)
  const codes = await tx
    .deleteFrom('recovery_code')
    .where('member_id', '=', memberId)
    .where('made_at', '>=', since.codes)
    .returning('hash')
    .execute()
  const passkeys = await tx
    .deleteFrom('passkey')
    .where('member_id', '=', memberId)
    .where('made_at', '>=', since.passkeys)
    .returning('name')
    .execute()
  return [
    ...passkeys.map(({ name }) => ({ what: 'passkey', name }) as const),
    ...(wasOn ? [{ what: 'secondFactor', name: '' } as const] : []),
    ...(codes.length > 0 ? [{ what: 'recoveryCodes', name: '' } as const] : []),
  ]
}

/** Of two accounts that become one, the other's passkeys lead into it from now on. */
export async function membersMerging(tx: Db, { from, into }: MergedMembers): Promise<void> {
  await tx.updateTable('passkey').set({ member_id: into }).where('member_id', '=', from).execute()
}

/** Removes all of it with a closed account. */
export async function remove(tx: Db, memberId: string): Promise<void> {
  await turnOff(tx, memberId)
  await tx.deleteFrom('passkey').where('member_id', '=', memberId).execute()
}

async function hasPasskey(db: Db, memberId: string): Promise<boolean> {
  return (await passkey.passkeys(db, memberId)).length > 0
}

/** With a lost sealing key, the app's codes cannot be verified, so they are turned off. */
export async function purgeUndecryptable(tx: Db): Promise<number> {
  const rows = await tx.selectFrom('second_factor').select('member_id').execute()
  for (const { member_id } of rows) await turnOff(tx, member_id)
  return rows.length
}
