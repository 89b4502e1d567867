import { sql } from 'kysely'
import * as proof from '#account/server/account.ts'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, ClientInfo, StaffActor, Staff } from '#base/server/http/route.ts'
import { withRegions } from '#base/server/region.ts'
import * as contract from '#staff/contract.ts'
import { type me, staffRights } from '#staff/right-contract.ts'
import * as secondFactor from '#staff/server/second-factor.ts'
import * as session from '#staff/server/session.ts'

export async function show(db: Db, { id, staff }: Staff): Promise<Output<typeof me>> {
  const [row, left] = await Promise.all([
    db.selectFrom('staff').select(['totp_confirmed', 'owes_password']).where('id', '=', staff.id).executeTakeFirstOrThrow(),
    secondFactor.codesLeft(db, staff.id),
  ])
  return {
    id: staff.id,
    account: staff.account,
    memberId: id,
    rights: staffRights.filter((right) => staff.may(right)),
    owes: await proof.pendingStaffSteps(db, { ...row, is_administrator: staff.isAdministrator }),
    hasSecondFactor: row.totp_confirmed,
    recoveryCodesLeft: left,
    provedAt: staff.provedAt.toISOString(),
  }
}

export async function enterForum(tx: Db, { id, staff }: Staff, client: ClientInfo): Promise<Output<typeof contract.enterForum>> {
  await session.mustBeActive(tx, staff)
  const entered = await proof.loginFromAdministration(tx, id, client)
  await audit.note(tx, staff, client, { action: 'staff.enterForum', about: `member ${id}` })
  return entered
}

export async function recordProof(tx: Db, { sessionId }: StaffActor): Promise<void> {
  await tx
    .updateTable('staff_session')
    .set({ proved_at: sql`now()` })
    .where('id', '=', sessionId)
    .execute()
}

export async function sessions(db: Db, { id, sessionId }: StaffActor): Promise<Output<typeof contract.ownSessions>> {
  const rows = await session.list(db, id)
  const sessions = rows.map((row) => ({
    id: row.id,
    ip: row.ip,
    userAgent: row.user_agent,
    beganAt: row.began_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    isThis: row.id === sessionId,
  }))
  return { sessions: await withRegions(sessions) }
}

export async function endSession(tx: Db, actor: StaffActor, client: ClientInfo, sessionId: string): Promise<void> {
  if ((await session.forceLogout(tx, { staffId: actor.id, only: sessionId }, 'ended by owner')) === 0) throw Missing()
  await audit.note(tx, actor, client, { action: 'staff.session.end', about: `staffSession ${sessionId}` })
}

export async function prepareNewPassword({
  input,
  viewer,
}: PrepareContext<ParsedInput<typeof contract.changeOwnPassword>, Staff>): Promise<string> {
  if (await proof.isCommon(input.password, viewer.staff.account)) throw contract.TooCommon()
  return proof.hashPassword(input.password)
}

export async function changePassword(tx: Db, actor: StaffActor, client: ClientInfo, hashed: string): Promise<void> {
  await session.mustBeActive(tx, actor)
  const { speaks_as } = await tx
    .updateTable('staff')
    .set({ password_hash: hashed, owes_password: false })
    .where('id', '=', actor.id)
    .returning('speaks_as')
    .executeTakeFirstOrThrow()
  await tx.updateTable('member').set({ password_hash: hashed }).where('id', '=', speaks_as).execute()
  await proof.endAllSessions(tx, speaks_as, 'password changed')
  await proof.recordBrowser(tx, speaks_as, client)
  await session.end(tx, { staffId: actor.id, except: actor.sessionId }, 'password changed')
  await audit.note(tx, actor, client, { action: 'staff.password' })
}

export async function beginSecondFactor(tx: Db, actor: StaffActor): Promise<Output<typeof contract.beginSecondFactor>> {
  await session.mustBeActive(tx, actor)
  const begun = await secondFactor.begin(tx, actor.id, actor.account)
  if (!begun) throw Missing()
  return begun
}

/** Spends the code in a transaction of its own, so that it cannot be used twice even where the rest fails. */
export async function prepareCode({
  viewer,
  input,
  inSeparateTransaction,
  db,
}: PrepareContext<ParsedInput<typeof contract.confirmSecondFactor>, Staff>): Promise<void> {
  const row = await db.selectFrom('staff').select(['totp_secret', 'totp_confirmed']).where('id', '=', viewer.staff.id).executeTakeFirst()
  if (!row?.totp_secret || row.totp_confirmed) throw contract.NotBegun()
  if (!(await inSeparateTransaction((tx) => secondFactor.consume(tx, viewer.staff.id, input.code)))) throw contract.CodeWrong()
}

export async function renewCodes(tx: Db, actor: StaffActor, client: ClientInfo): Promise<Output<typeof contract.renewRecoveryCodes>> {
  await session.mustBeActive(tx, actor)
  const row = await tx.selectFrom('staff').select('totp_confirmed').where('id', '=', actor.id).executeTakeFirst()
  if (!row?.totp_confirmed) throw Missing()
  const recoveryCodes = await secondFactor.renew(tx, actor.id)
  await audit.note(tx, actor, client, { action: 'staff.secondFactor.codes' })
  return { recoveryCodes }
}

export async function removeSecondFactor(tx: Db, actor: StaffActor, client: ClientInfo): Promise<void> {
  await session.mustBeActive(tx, actor)
  await secondFactor.remove(tx, actor.id)
  await session.endInForum(tx, actor.id)
  await audit.note(tx, actor, client, { action: 'staff.secondFactor.remove' })
}

export async function confirmSecondFactor(
  tx: Db,
  actor: StaffActor,
  client: ClientInfo,
): Promise<Output<typeof contract.confirmSecondFactor>> {
  await session.mustBeActive(tx, actor)
  const recoveryCodes = await secondFactor.confirm(tx, actor.id)
  // Sessions in the forum were opened with the password alone.
  await session.endInForum(tx, actor.id)
  await audit.note(tx, actor, client, { action: 'staff.secondFactor.add' })
  return { recoveryCodes }
}
