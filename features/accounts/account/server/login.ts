import {
  AccountDisabled,
  ComeFromAdministration,
  OldPasswordWrong,
  PasswordCommon,
  PasswordOfStaff,
  WrongLogin,
  type changePassword,
  type login,
  type LoginMethod,
} from '#account/contract.ts'
import type { loginStep2 } from '#account/login-contract.ts'
import { forumLoginPath } from '#account/server/staff-login.ts'
import * as captcha from '#captcha/server/captcha.ts'
import { isCommon } from '#account/server/common-password.ts'
import * as knownBrowser from '#account/server/known-browser.ts'
import { awaitFailureTime } from '#account/server/failure-time.ts'
import * as limits from '#account/server/login-limits.ts'
import { endAllSessions } from '#account/server/end-sessions.ts'
import * as token from '#account/server/token.ts'
import { NotAllowed, type RefusalKind, type Output, type ParsedInput } from '#base/contract.ts'
import { comparePassword, hashPassword, renewedHash } from '#base/server/security/hash-password.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { PrepareContext, ClientInfo, Member, Viewer } from '#base/server/http/route.ts'
import * as contact from '#contact/server/contact.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import { FunctionClosed } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

/**
 * The account, and the hash that the password was compared with. Comparing takes long, so it precedes the transaction, which must check
 * that the hash is still current. An imported hash comes with ours, by which the transaction replaces it.
 */
export type VerifiedPassword = { memberId: string; passwordHash: string; renewedHash?: string | null }

/**
 * Finds the account. An unknown account, a wrong password and a closed account give one answer after one duration. A caller who knows the
 * password of a disabled account is told that it is disabled.
 */
export async function verify(context: PrepareContext<ParsedInput<typeof login>, Viewer>): Promise<VerifiedPassword> {
  const { db, input } = context
  await assertMethodAllowed(db, 'account')
  const key = user.nameKey(input.account)
  const member = await db.selectFrom('member').select('id').where('account_key', '=', key).executeTakeFirst()
  return verifyPassword(context, { key, memberId: member?.id ?? null, wrong: WrongLogin })
}

/** Refuses a login method that staff disabled. */
export async function assertMethodAllowed(db: Db, method: LoginMethod): Promise<void> {
  const { allowLoginAccountType } = await setting.all(db)
  if (!allowLoginAccountType.includes(method)) throw FunctionClosed()
}

type Credentials = {
  password?: string | undefined
  captchaId?: string | undefined
  captcha?: string | undefined
  captchaWork?: number | undefined
}
/** The account that the typed identifier names, if any, the key of its failures, and the refusal of a wrong password. */
type LoginAccount = { key: string; memberId: string | null; wrong: RefusalKind }

/** No query, counter or duration depends on whether there is such an account. */
export async function verifyPassword(
  { db, input, client, inSeparateTransaction }: PrepareContext<Credentials, Viewer>,
  { wrong, ...whose }: LoginAccount,
): Promise<VerifiedPassword> {
  const counted = await limits.failureCounterFor(db, whose, client)
  const attempt = { db, counter: counted, client, inSeparateTransaction }
  const typed = input.password ?? ''
  const { member, isOwner, isRight, tookMs } = await limits.countingFailures(attempt, async () => {
    if (await limits.needsCaptcha(db, client, counted.key))
      captcha.requireRight(await inSeparateTransaction((tx) => captcha.consume(tx, 'login', client, input)))
    const member = await find(db, whose.memberId)
    const { isRight: isOwner, tookMs } = await comparePassword(member?.password_hash ?? null, typed)
    return { member, isOwner, isRight: isOwner && member !== undefined && canLogIn(member), tookMs }
  })
  if (isRight && member?.password_hash) {
    const { id: memberId, password_hash: passwordHash } = member
    return { memberId, passwordHash, renewedHash: await renewedHash(passwordHash, typed) }
  }

  await awaitFailureTime(db, tookMs)
  await inSeparateTransaction((tx) => limits.notifyOfFailures(tx, counted, member?.is_official ? member.id : null))
  if (isOwner && member?.deactivated_as === 'disabled') throw AccountDisabled()
  throw wrong()
}

function find(db: Db, memberId: string | null) {
  return db
    .selectFrom('member')
    .select(['id', 'password_hash', 'deactivated_at', 'deactivated_as', 'is_official'])
    .where('id', '=', memberId)
    .executeTakeFirst()
}

/** Begins a session of a staff member who proved their identity in the administration. */
export async function loginFromAdministration(tx: Db, memberId: string, client: ClientInfo): Promise<Output<typeof loginStep2>> {
  if ((await forumLoginPath(tx, memberId)) === 'shut') throw NotAllowed()
  return finishLogin(tx, memberId, client)
}

/** Begins a session after a password was verified. Only a caller who knows it learns that an account is of staff. */
export async function complete(tx: Db, verified: VerifiedPassword, client: ClientInfo, wrong = WrongLogin): Promise<Output<typeof login>> {
  if (!(await holdPassword(tx, verified))) throw wrong()
  return startLogin(tx, verified.memberId, client)
}

/** Begins a session of a member whom an identity provider vouches for. Refuses the same accounts as a login by password. */
export async function loginAs(tx: Db, memberId: string, client: ClientInfo): Promise<Output<typeof login>> {
  await assertCanLogIn(tx, memberId)
  return startLogin(tx, memberId, client)
}

/**
 * Whether the account can log in: a member who left by themselves is reactivated by the next session, every other inactive account stays
 * out.
 */
export function canLogIn(member: { deactivated_at: Date | null; deactivated_as: string | null }): boolean {
  return member.deactivated_at === null || member.deactivated_as === 'left'
}

/** Refuses a closed account, and locks it so that it is not closed before the commit. */
export async function assertCanLogIn(tx: Db, memberId: string): Promise<void> {
  const member = await tx
    .selectFrom('member')
    .select(['deactivated_at', 'deactivated_as'])
    .where('id', '=', memberId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!member || !canLogIn(member)) throw AccountDisabled()
}

/** Only a caller who knows the password learns that there is a second factor. */
async function startLogin(tx: Db, memberId: string, client: ClientInfo): Promise<Output<typeof login>> {
  if ((await forumLoginPath(tx, memberId)) !== 'open') throw ComeFromAdministration()
  const secondStep = await secondFactor.loginStep(tx, memberId, client)
  return secondStep ? { secondFactor: secondStep } : finishLogin(tx, memberId, client)
}

/**
 * Whether the password is unchanged. Locks the member, so that a concurrent change of the password ends the session that begins here too,
 * and replaces an imported hash, unless another login with the password did so meanwhile.
 */
async function holdPassword(tx: Db, { memberId, passwordHash, renewedHash }: VerifiedPassword): Promise<boolean> {
  const member = await tx
    .selectFrom('member')
    .select('password_hash')
    .where('id', '=', memberId)
    .where('password_hash', '=', anyOf(renewedHash ? [passwordHash, renewedHash] : [passwordHash]))
    .where((row) => row.or([row('deactivated_at', 'is', null), row('deactivated_as', '=', 'left')]))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (renewedHash && member?.password_hash === passwordHash) await user.replaceHash(tx, memberId, passwordHash, renewedHash)
  return member !== undefined
}

/** Begins a session without further steps. */
export async function finishLogin(
  tx: Db,
  memberId: string,
  client: ClientInfo,
  proof?: { hasShownMore: boolean },
): Promise<Output<typeof loginStep2>> {
  const pair = await token.createSession(tx, memberId, client, proof)
  return { ...pair, systemUser: await user.systemUser(tx, memberId) }
}

export type NewPassword = { old: VerifiedPassword; hashed: string }

/**
 * Verifies the old password, and a second factor where one is set up, and hashes the new one. Staff have one password, and change it in the
 * administration.
 */
export async function preparePassword(context: PrepareContext<ParsedInput<typeof changePassword>, Member>): Promise<NewPassword> {
  const { db, viewer, input } = context
  if (viewer.isOfficial) throw PasswordOfStaff()
  if (await secondFactor.enabledSince(db, viewer.id)) await secondFactor.requireRecentProof(db, viewer)
  const { account } = await db.selectFrom('member').select('account').where('id', '=', viewer.id).executeTakeFirstOrThrow()
  if (await isCommon(input.password, account)) throw PasswordCommon()
  const against = await secondFactor.verifyPassword(context, input.oldPassword, OldPasswordWrong)
  return { old: { memberId: viewer.id, passwordHash: against }, hashed: await hashPassword(input.password) }
}

/** Sets the new password, ends every other session, and notifies the owner. Call it last in a transaction. */
export async function setPassword(tx: Db, member: Member, { old, hashed }: NewPassword, client: ClientInfo): Promise<void> {
  if (!(await holdPassword(tx, old))) throw OldPasswordWrong()
  await tx.updateTable('member').set({ password_hash: hashed }).where('id', '=', member.id).execute()
  await endAllSessions(tx, member.id, 'password changed', member.sessionId)
  await knownBrowser.recordBrowser(tx, member.id, client)
  await contact.recordChange(tx, member.id, 'password', await contact.addressesOf(tx, member.id))
}
