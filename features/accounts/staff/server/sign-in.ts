import * as proof from '#account/server/account.ts'
import type { ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import {
  StaffOnly,
  type RunInSeparateTransaction,
  type PrepareContext,
  type ClientInfo,
  type Staff,
  type Viewer,
} from '#base/server/http/route.ts'
import { CodeNeeded, CodeWrong, TooManyCodes, TooManySignIns, WrongSignIn, type prove, type signIn } from '#staff/contract.ts'
import { appCodes } from '#second-factor/server/second-factor.ts'
import * as failures from '#staff/server/failures.ts'
import * as secondFactor from '#staff/server/second-factor.ts'
import * as session from '#staff/server/session.ts'
import * as user from '#user/server/user.ts'

/** The verified account with the row it was checked against, read before the transaction that relies on it. */
export type VerifiedStaff = failures.StaffRef & Pick<StaffRow, 'password_hash' | 'totp_confirmed' | 'speaks_as'>

export async function needsCaptcha(db: Db, client: ClientInfo, account?: string): Promise<boolean> {
  return (await proof.needsCaptcha(db, client)) || failures.isCaptchaDue(db, client, account)
}

/** Verifies the credentials. An unknown account, a wrong password and a locked account have the same response and timing. */
export async function prepare(context: PrepareContext<ParsedInput<typeof signIn>, Viewer>): Promise<VerifiedStaff> {
  const { db, client, inSeparateTransaction, input } = context
  const staff = await find(db, input.account)
  const counted = await proof.failureCounterFor(db, { key: user.nameKey(input.account), memberId: staff?.speaks_as ?? null }, client)
  // Staff have one password, for here and for where members log in.
  const { isRight } = await proof.countingFailures(
    { db, counter: counted, client, inSeparateTransaction, refusal: TooManySignIns },
    async () => {
      if (await needsCaptcha(db, client, input.account)) await proof.requireCaptcha(context, 'staff')
      const isTheirs = await proof.isPassword(staff?.password_hash ?? null, input.password)
      return { isRight: isTheirs && staff !== undefined && !staff.disabled_at }
    },
  )
  if (!staff || !isRight) {
    await inSeparateTransaction((tx) => failures.recordPassword(tx, input.account, staff ?? null, counted, client))
    throw WrongSignIn()
  }
  await verifyCode(inSeparateTransaction, staff, input.code, (tx) => failures.recordCode(tx, staff, client))
  return staff
}

/** Starts a session for verified credentials; returns its secret. */
export async function begin(tx: Db, verified: VerifiedStaff, client: ClientInfo): Promise<string> {
  await mustBeUnchanged(tx, verified)
  await proof.recordBrowser(tx, verified.speaks_as, client)
  return session.begin(tx, verified.id, client)
}

/**
 * Refuses where the password, the second factor or the lock of the account changed meanwhile, and locks the row until the transaction ends.
 */
export async function mustBeUnchanged(tx: Db, { id, password_hash, totp_confirmed }: VerifiedStaff): Promise<void> {
  const staff = await tx
    .selectFrom('staff')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .where('totp_confirmed', '=', totp_confirmed)
    .where('disabled_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!staff) throw WrongSignIn()
}

/** The same for a logged-in member of staff: checks their own password; the session ends after too many failures. */
export async function prepareProof({
  db,
  viewer,
  input,
  client,
  inSeparateTransaction,
}: PrepareContext<ParsedInput<typeof prove>, Staff>): Promise<VerifiedStaff> {
  const { staff: actor } = viewer
  async function failed(tx: Db, wrong: 'password' | 'code'): Promise<'ended' | undefined> {
    if ((await failures.recordProof(tx, actor, client, wrong)) < failures.maxProofFailures) return undefined
    await session.forceLogout(tx, { staffId: actor.id, only: actor.sessionId }, 'failed to prove')
    return 'ended'
  }
  const staff = await find(db, actor.account)
  if (!staff || !(await proof.isPassword(staff.password_hash, input.password))) {
    if ((await inSeparateTransaction((tx) => failed(tx, 'password'))) === 'ended') throw StaffOnly()
    throw WrongSignIn()
  }
  await verifyCode(inSeparateTransaction, staff, input.code, (tx) => failed(tx, 'code'))
  return staff
}

function find(db: Db, account: string) {
  return db
    .selectFrom('staff')
    .select(['id', 'account', 'speaks_as', 'password_hash', 'totp_confirmed', 'disabled_at'])
    .where('account_key', '=', user.nameKey(account))
    .executeTakeFirst()
}

type StaffRow = NonNullable<Awaited<ReturnType<typeof find>>>

async function verifyCode(
  inSeparateTransaction: RunInSeparateTransaction,
  staff: StaffRow,
  code: string | undefined,
  failed: (tx: Db) => Promise<'ended' | undefined | void>,
): Promise<void> {
  if (!staff.totp_confirmed) return
  if (!code) throw CodeNeeded()
  const wrong = await inSeparateTransaction(async (tx) => {
    // Recovery codes cannot be guessed, and admit the owner while others exhaust the limit.
    const minutes = appCodes.isDigits(code) ? await failures.minutesToWait(tx, staff.id) : 0
    if (minutes > 0) return TooManyCodes({ minutes })
    if (await secondFactor.consume(tx, staff.id, code)) return null
    return (await failed(tx)) === 'ended' ? StaffOnly() : CodeWrong()
  })
  if (wrong) throw wrong
}
