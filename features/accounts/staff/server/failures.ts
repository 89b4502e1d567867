import * as proof from '#account/server/account.ts'
import * as audit from '#audit/server/audit.ts'
import * as attempts from '#base/server/security/attempts.ts'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

export type StaffRef = { id: string; account: string }
type WrongCredential = 'password' | 'code'

export const maxProofFailures = 5
const codesAnHour = 10
const hour = 3_600

const keyOf = (account: string) => `staff account ${user.nameKey(account)}`
const networkKeyOf = ({ ip }: ClientInfo) => attempts.networkKey('staff', ip)
const codeKey = (staffId: string) => `staff code ${staffId}`
const proofKey = (sessionId: string) => `staff proof ${sessionId}`

/** Whether a captcha is due: too many failures within an hour, by this network or for this account. */
export async function isCaptchaDue(db: Db, client: ClientInfo, account?: string): Promise<boolean> {
  const { loginCaptchaAfter: most } = await setting.all(db)
  const keys = [networkKeyOf(client), ...(account === undefined ? [] : [keyOf(account)])]
  return attempts.limitReached(db, keys, { most, seconds: hour })
}

type StaffWithMember = StaffRef & { speaks_as: string }

/** Records a failed login: a wrong password, or no such account. */
export async function recordPassword(
  tx: Db,
  account: string,
  staff: StaffWithMember | null,
  counted: proof.FailureCounter,
  client: ClientInfo,
): Promise<void> {
  await attempts.increment(tx, [networkKeyOf(client), keyOf(account)])
  await proof.notifyOfFailures(tx, counted, staff?.speaks_as ?? null)
  if (staff) await note(tx, staff, client, 'password')
}

/** Records a wrong code after a correct password. */
export async function recordCode(tx: Db, staff: StaffRef, client: ClientInfo): Promise<void> {
  await increment(tx, client, [keyOf(staff.account), codeKey(staff.id)])
  await note(tx, staff, client, 'code')
}

async function note(tx: Db, staff: StaffRef, client: ClientInfo, wrong: WrongCredential): Promise<void> {
  await audit.note(tx, staff, client, { action: 'staff.signInFailed', about: `staff ${staff.id}`, after: { wrong } })
}

/** Records a failed password prompt of this session. Returns the number of failures since the last success. */
export async function recordProof(
  tx: Db,
  staff: StaffRef & { sessionId: string },
  client: ClientInfo,
  wrong: WrongCredential,
): Promise<number> {
  const { proved_at } = await tx
    .selectFrom('staff_session')
    .select('proved_at')
    .where('id', '=', staff.sessionId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await increment(tx, client, [keyOf(staff.account), proofKey(staff.sessionId), ...(wrong === 'code' ? [codeKey(staff.id)] : [])])
  await audit.note(tx, staff, client, { action: 'staff.proofFailed', about: `staff ${staff.id}`, after: { wrong } })
  return attempts.current(tx, proofKey(staff.sessionId), proved_at)
}

/** Minutes until codes are accepted again after too many wrong ones; 0 for now. Serialises the codes of one account. */
export async function minutesToWait(tx: Db, staffId: string): Promise<number> {
  await tx.selectFrom('staff').select('id').where('id', '=', staffId).forUpdate().execute()
  return Math.ceil((await attempts.retryAfter(tx, [{ key: codeKey(staffId), most: codesAnHour, seconds: hour }])) / 60)
}

/** Clears the failure counter of an account. */
export async function clear(tx: Db, account: string): Promise<void> {
  await attempts.reset(tx, keyOf(account))
  await proof.clearFailures(tx, user.nameKey(account))
}

/** Failures of this member of staff since the last login. */
export async function sinceLastLogin(db: Db, staffId: string): Promise<number> {
  const last = await db
    .selectFrom('staff_session')
    .select('began_at')
    .where('staff_id', '=', staffId)
    .orderBy('began_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return audit.count(db, `staff ${staffId}`, ['staff.signInFailed', 'staff.proofFailed'], last?.began_at ?? new Date(0))
}

// A failure here counts for the captcha of the members' login, too.
async function increment(tx: Db, client: ClientInfo, keys: readonly string[]): Promise<void> {
  await attempts.increment(tx, [networkKeyOf(client), proof.networkKeyOf(client), ...keys])
}
