import { sql } from 'kysely'
import {
  AccountDisabled,
  ComeFromAdministration,
  NoAccountThere,
  PasswordCommon,
  RecoveryExpired,
  type LoginMethod,
} from '#account/contract.ts'
import type { recoverForm, recoverStep1, recoverStep2 } from '#account/recover-contract.ts'
import { isCommon } from '#account/server/common-password.ts'
import { canLogIn } from '#account/server/login.ts'
import * as knownBrowser from '#account/server/known-browser.ts'
import { endAllSessions } from '#account/server/end-sessions.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import { primary, type Db } from '#base/server/database/database.ts'
import { hashPassword } from '#base/server/security/hash-password.ts'
import type { PrepareContext, ClientInfo, Viewer } from '#base/server/http/route.ts'
import { hashOf, newToken } from '#base/server/security/secret.ts'
import * as contact from '#contact/server/contact.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

const purpose = 'recover'
const ticketMinutes = 15

/** The methods to prove ownership: codes, where they can be sent, and the hint question, where staff allow it. */
export function methodsOf(settings: Settings): LoginMethod[] {
  return [...contact.sendableKinds(settings), ...(settings.recoverByHint ? (['account'] as const) : [])]
}

/** The contact of staff, who can set a password for members without any method. */
export function staffContact(settings: Settings): Output<typeof recoverForm>['staff'] {
  if (setting.openFunctions(settings).feedback) return 'feedback'
  return settings.runByZh || settings.runByEn ? 'about' : null
}

export function sendCode(tx: Db, address: contact.Address, client: ClientInfo): Promise<void> {
  return contact.sendCode(tx, address, purpose, client)
}

/** Consumes the code. Only a caller with the right code learns whether there is an account, and its status. */
export async function verifyCode(context: PrepareContext<ParsedInput<typeof recoverStep1>, Viewer>): Promise<string> {
  const memberId = await contact.ownerOf(context.db, await contact.verifiedAddress(context, purpose))
  if (memberId === null) throw NoAccountThere()
  return memberId
}

export async function issueTicket(tx: Db, memberId: string, client: ClientInfo): Promise<Output<typeof recoverStep1>> {
  await assertCanReset(tx, memberId)
  const ticket = newToken()
  const expires_at = sql<Date>`now() + ${ticketMinutes} * interval '1 minute'`
  await tx
    .insertInto('recovery_ticket')
    .values({ hash: hashOf(ticket), member_id: memberId, asker: client.csrf, expires_at })
    .execute()
  return { ticket }
}

/**
 * Hashes the new password for the holder of a ticket. The transaction that sets it consumes the ticket, so that a refused password keeps
 * it.
 */
export async function preparePassword({ db, input, client }: PrepareContext<ParsedInput<typeof recoverStep2>, Viewer>): Promise<string> {
  // The ticket was written a step ago, and a replica may not have it yet.
  const row = await primary(db)
    .selectFrom('recovery_ticket')
    .innerJoin('member', 'member.id', 'member_id')
    .select('account')
    .where('hash', '=', hashOf(input.ticket))
    .where('asker', '=', client.csrf)
    .where(sql<boolean>`expires_at > now()`)
    .executeTakeFirst()
  if (!row) throw RecoveryExpired()
  if (await isCommon(input.password, row.account)) throw PasswordCommon()
  return hashPassword(input.password)
}

/** Sets the new password, ends every session and pending credential, and notifies the owner. Call it last in a transaction. */
export async function resetPassword(tx: Db, ticket: string, hashed: string, client: ClientInfo): Promise<void> {
  const row = await tx
    .deleteFrom('recovery_ticket')
    .where('hash', '=', hashOf(ticket))
    .where('asker', '=', client.csrf)
    .where(sql<boolean>`expires_at > now()`)
    .returning('member_id')
    .executeTakeFirst()
  if (!row) throw RecoveryExpired()
  const memberId = row.member_id
  await assertCanReset(tx, memberId)
  await tx.updateTable('member').set({ password_hash: hashed }).where('id', '=', memberId).execute()
  await endAllSessions(tx, memberId, 'password changed')
  await knownBrowser.recordBrowser(tx, memberId, client)
  await contact.recordChange(tx, memberId, 'password', await contact.addressesOf(tx, memberId))
}

/** Locks the member. Staff have one password, and change it in the administration. */
export async function assertCanReset(tx: Db, memberId: string): Promise<void> {
  const member = await tx
    .selectFrom('member')
    .select(['deactivated_at', 'deactivated_as', 'is_official'])
    .where('id', '=', memberId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!member || !canLogIn(member)) throw AccountDisabled()
  if (member.is_official) throw ComeFromAdministration()
}
