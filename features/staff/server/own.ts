import { sql } from 'kysely'
import * as proof from '#account/server/account.ts'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database.ts'
import type { Before, From, Hand, Staff } from '#base/server/route.ts'
import { withRegions } from '#base/server/region.ts'
import * as contract from '#staff/contract.ts'
import * as secondFactor from '#staff/server/second-factor.ts'
import * as session from '#staff/server/session.ts'

export async function show(db: Db, { id, staff }: Staff): Promise<Output<typeof contract.me>> {
  const [row, left] = await Promise.all([
    db.selectFrom('staff').select(['totp_confirmed', 'owes_password']).where('id', '=', staff.id).executeTakeFirstOrThrow(),
    secondFactor.codesLeft(db, staff.id),
  ])
  return {
    id: staff.id,
    account: staff.account,
    memberId: id,
    rights: contract.staffRights.filter((right) => staff.may(right)),
    owes: await proof.owed(db, { ...row, is_administrator: staff.isAdministrator }),
    hasSecondFactor: row.totp_confirmed,
    recoveryCodesLeft: left,
    provedAt: staff.provedAt.toISOString(),
  }
}

export async function enterForum(tx: Db, { id, staff }: Staff, from: From): Promise<Output<typeof contract.enterForum>> {
  await session.mustLast(tx, staff)
  const entered = await proof.handOver(tx, id, from)
  await audit.note(tx, staff, from, { deed: 'staff.enterForum', about: `member ${id}` })
  return entered
}

export async function proved(tx: Db, { sessionId }: Hand): Promise<void> {
  await tx
    .updateTable('staff_session')
    .set({ proved_at: sql`now()` })
    .where('id', '=', sessionId)
    .execute()
}

export async function sessions(db: Db, { id, sessionId }: Hand): Promise<Output<typeof contract.ownSessions>> {
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

export async function endSession(tx: Db, hand: Hand, from: From, sessionId: string): Promise<void> {
  if ((await session.cutOff(tx, { staffId: hand.id, only: sessionId }, 'ended by owner')) === 0) throw Missing()
  await audit.note(tx, hand, from, { deed: 'staff.session.end', about: `staffSession ${sessionId}` })
}

export async function prepareNewPassword({
  input,
  viewer,
}: Before<ParsedInput<typeof contract.changeOwnPassword>, Staff>): Promise<string> {
  if (await proof.isCommon(input.password, viewer.staff.account)) throw contract.TooCommon()
  return proof.hashPassword(input.password)
}

export async function changePassword(tx: Db, hand: Hand, from: From, hashed: string): Promise<void> {
  await session.mustLast(tx, hand)
  const { speaks_as } = await tx
    .updateTable('staff')
    .set({ password_hash: hashed, owes_password: false })
    .where('id', '=', hand.id)
    .returning('speaks_as')
    .executeTakeFirstOrThrow()
  await tx.updateTable('member').set({ password_hash: hashed }).where('id', '=', speaks_as).execute()
  await proof.endSessions(tx, speaks_as, 'password changed')
  await proof.rememberBrowser(tx, speaks_as, from)
  await session.end(tx, { staffId: hand.id, butFor: hand.sessionId }, 'password changed')
  await audit.note(tx, hand, from, { deed: 'staff.password' })
}

export async function beginSecondFactor(tx: Db, hand: Hand): Promise<Output<typeof contract.beginSecondFactor>> {
  await session.mustLast(tx, hand)
  const begun = await secondFactor.begin(tx, hand.id, hand.account)
  if (!begun) throw Missing()
  return begun
}

/** Takes the code apart from what follows, so that it opens nothing twice even where the rest fails. */
export async function prepareCode({
  viewer,
  input,
  apart,
  db,
}: Before<ParsedInput<typeof contract.confirmSecondFactor>, Staff>): Promise<void> {
  const row = await db.selectFrom('staff').select(['totp_secret', 'totp_confirmed']).where('id', '=', viewer.staff.id).executeTakeFirst()
  if (!row?.totp_secret || row.totp_confirmed) throw contract.NotBegun()
  if (!(await apart((tx) => secondFactor.take(tx, viewer.staff.id, input.code)))) throw contract.CodeWrong()
}

export async function renewCodes(tx: Db, hand: Hand, from: From): Promise<Output<typeof contract.renewRecoveryCodes>> {
  await session.mustLast(tx, hand)
  const row = await tx.selectFrom('staff').select('totp_confirmed').where('id', '=', hand.id).executeTakeFirst()
  if (!row?.totp_confirmed) throw Missing()
  const recoveryCodes = await secondFactor.renew(tx, hand.id)
  await audit.note(tx, hand, from, { deed: 'staff.secondFactor.codes' })
  return { recoveryCodes }
}

export async function removeSecondFactor(tx: Db, hand: Hand, from: From): Promise<void> {
  await session.mustLast(tx, hand)
  await secondFactor.remove(tx, hand.id)
  await session.endInForum(tx, hand.id)
  await audit.note(tx, hand, from, { deed: 'staff.secondFactor.remove' })
}

export async function confirmSecondFactor(tx: Db, hand: Hand, from: From): Promise<Output<typeof contract.confirmSecondFactor>> {
  await session.mustLast(tx, hand)
  const recoveryCodes = await secondFactor.confirm(tx, hand.id)
  // Those in the forum came by password alone.
  await session.endInForum(tx, hand.id)
  await audit.note(tx, hand, from, { deed: 'staff.secondFactor.add' })
  return { recoveryCodes }
}
