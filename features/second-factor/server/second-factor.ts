import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { primary, type Db } from '#base/server/database/database.ts'
import type { RunInSeparateTransaction, ClientInfo, Member } from '#base/server/http/route.ts'
import { ProveAgain, type SecondStep } from '#second-factor/contract.ts'
import * as app from '#second-factor/server/app.ts'
import * as device from '#second-factor/server/device.ts'
import type { PasskeyAnswer } from '#second-factor/passkey-contract.ts'
import * as passkey from '#second-factor/server/passkey.ts'
import * as ticket from '#second-factor/server/ticket.ts'

export { begin, codesLeft, confirm, isBegun, mustFit, onSince, renewCodes } from '#second-factor/server/app.ts'
export * as appCodes from '#second-factor/server/app-codes.ts'
export { count as countDevices, forget as forgetDevice, list as devices, trust } from '#second-factor/server/device.ts'
export {
  add as addPasskey,
  ask as askPasskey,
  list as passkeys,
  made as passkeyMade,
  remove as removePasskey,
  rename as renamePasskey,
  verify as verifyPasskey,
  want as wantPasskey,
  type Fresh,
} from '#second-factor/server/passkey.ts'
export { keep as keepProof, mustKnowPassword } from '#second-factor/server/proof.ts'
export { ownerOf as ownerOfTicket, take as takeTicket } from '#second-factor/server/ticket.ts'

const minutes = 10

/**
 * Refuses unless this member logged in, or showed again that it is them, within the last ten minutes and in this session: whoever finds a
 * device unlocked does not get the account, or its money. Where codes are asked for, a login that showed the password alone, in a browser that is trusted,
 * is no proof, nor is what was shown before they were.
 */
export async function requireRecentProof(db: Db, member: Member): Promise<void> {
  // What was shown a moment ago is read where it was written.
  const { rows } = await sql<{ isFresh: boolean }>`select ${hasProved(member)} as "isFresh"`.execute(primary(db))
  if (!rows[0]?.isFresh) throw ProveAgain()
}

/** The same as a value of a larger statement. Staff at work in the administration have no session here, and prove themselves there. */
export function hasProved({ sessionId }: Member): RawBuilder<boolean> {
  return sql`exists (
    select from session left join session_proof on session_id = session.id left join second_factor on second_factor.member_id = session.member_id
    where session.id = ${sessionId || null}
      and case when confirmed_at is null then greatest(started_at, proved_at) when proved_at >= confirmed_at then proved_at end
        > now() - ${minutes} * interval '1 minute')`
}

/** What one who showed the password must show besides, in this browser. Null where that is nothing. */
export async function askedAtLogin(tx: Db, memberId: string, client: ClientInfo): Promise<z.infer<typeof SecondStep> | null> {
  if (!(await app.onSince(tx, memberId))) return null
  if (await device.isTrusted(tx, memberId, client)) return null
  return { ticket: await ticket.give(tx, memberId, client), ways: (await hasPasskey(tx, memberId)) ? ['code', 'passkey'] : ['code'] }
}

type SecondFactorAnswer = { ticket: string; code?: string | undefined; passkey?: PasskeyAnswer | undefined }

/** Compares what was shown besides the password. The ticket goes with the login itself. */
export async function passLogin(
  inSeparateTransaction: RunInSeparateTransaction,
  { ticket: given, code, passkey: its }: SecondFactorAnswer,
  client: ClientInfo,
): Promise<void> {
  const memberId = await ticket.spendTry(inSeparateTransaction, given, client)
  if (its) await passkey.verify(inSeparateTransaction, its, { purpose: 'step2', memberId }, client)
  else await app.mustFit(inSeparateTransaction, memberId, code ?? '')
}

/** Ends logins that wait for their second step. */
export async function endTickets(tx: Db, memberId: string): Promise<void> {
  await tx.deleteFrom('login_ticket').where('member_id', '=', memberId).execute()
}

/** Ends what was half done or trusted: with another password everything is asked for again. */
export async function endTrust(tx: Db, memberId: string): Promise<void> {
  await endTickets(tx, memberId)
  await device.forget(tx, memberId, null)
}

/** Asks for no codes any more. False where none were asked for. */
export async function turnOff(tx: Db, memberId: string): Promise<boolean> {
  const gone = await tx.deleteFrom('second_factor').where('member_id', '=', memberId).returning('confirmed_at').executeTakeFirst()
  await tx.deleteFrom('recovery_code').where('member_id', '=', memberId).execute()
  await endTrust(tx, memberId)
  return Boolean(gone?.confirmed_at)
}

type Since = { codes: Date; passkeys: Date }
type Removed = { what: 'passkey' | 'secondFactor' | 'recoveryCodes'; name: string }

/** Removes what was set up since then, and says what it was: whoever takes an account back does not meet what somebody else put there. */
export async function removeSince(tx: Db, memberId: string, since: Since): Promise<Removed[]> {
  const row = await tx.selectFrom('second_factor').select('confirmed_at').where('member_id', '=', memberId).forUpdate().executeTakeFirst()
  const isSince = row !== undefined && (row.confirmed_at === null || row.confirmed_at >= since.codes)
  const wasOn = isSince && (await turnOff(tx, memberId))
  await endTrust(tx, memberId)
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
export async function membersMerging(tx: Db, { from, into }: { from: string; into: string }): Promise<void> {
  await tx.updateTable('passkey').set({ member_id: into }).where('member_id', '=', from).execute()
}

/** All of it goes with an account that ends. */
export async function remove(tx: Db, memberId: string): Promise<void> {
  await turnOff(tx, memberId)
  await tx.deleteFrom('passkey').where('member_id', '=', memberId).execute()
}

async function hasPasskey(db: Db, memberId: string): Promise<boolean> {
  return (await passkey.list(db, memberId)).length > 0
}

/** Where the key is lost that secrets were sealed with, nobody can be asked for codes. */
export async function forgetSealed(tx: Db): Promise<number> {
  const rows = await tx.selectFrom('second_factor').select('member_id').execute()
  for (const { member_id } of rows) await turnOff(tx, member_id)
  return rows.length
}
