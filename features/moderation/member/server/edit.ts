import { sql } from 'kysely'
import * as proof from '#account/server/account.ts'
import * as audit from '#audit/server/audit.ts'
import { Missing, refusalAt, throwAll, type ParsedInput } from '#base/contract.ts'
import { isDuplicate, type Db } from '#base/server/database/database.ts'
import type { ClientInfo, StaffActor } from '#base/server/http/route.ts'
import type { Change } from '#batch/server/batch.ts'
import * as contact from '#contact/server/contact.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import * as file from '#file/server/file.ts'
import {
  EndsTooSoon,
  MemberChanged,
  NameTaken,
  NicknameTaken,
  type addMember,
  type addNote,
  type editMember,
  type endMemberSessions,
  type resetMemberHint,
  type setMemberRoles,
} from '#member/contract.ts'
import type { endMemberTokens } from '#member/token-contract.ts'
import { lock, lockUnlessStaff, lockForLoginChange } from '#member/server/lock.ts'
import { notifyOwner } from '#member/server/notify-owner.ts'
import * as role from '#role/server/role.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import * as user from '#user/server/user.ts'

export type NewPassword = { password: string; hashed: string }

/** A random password, hashed before any transaction waits for it. */
export async function newPassword(): Promise<NewPassword> {
  const password = proof.randomPassword()
  return { password, hashed: await proof.hashPassword(password) }
}

export async function add(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { account }: ParsedInput<typeof addMember>,
  { password, hashed }: NewPassword,
) {
  if (await user.isTaken(tx, account)) throw NameTaken()
  const { id } = await tx
    .insertInto('member')
    .values({ account, account_key: user.nameKey(account), password_hash: hashed })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw isDuplicate(error) ? NameTaken() : error
    })
  await audit.note(tx, by, client, { action: 'member.add', about: `member ${id}`, after: { account } })
  return { memberId: id, password }
}

export async function edit(tx: Db, by: StaffActor, client: ClientInfo, form: ParsedInput<typeof editMember>): Promise<void> {
  const { memberId, nickname, removesAvatar, removesAbout } = form
  const member = await lockUnlessStaff(tx, memberId)
  if (member.version !== form.version) throw MemberChanged({ by: (await audit.lastActor(tx, `member ${memberId}`)) ?? 'none' })
  const isTheirs = user.nameKey(nickname) === user.nameKey(member.nickname ?? '')
  if (!isTheirs && (await user.isTaken(tx, nickname, memberId))) throw NicknameTaken()
  await tx
    .updateTable('member')
    .set({ nickname: nickname || null, nickname_key: nickname ? user.nameKey(nickname) : null, version: member.version + 1 })
    .$if(removesAvatar, (query) => query.set({ avatar: null }))
    .$if(removesAbout, (query) => query.set({ about: '' }))
    .where('id', '=', memberId)
    .execute()
    .catch((error: unknown) => {
      throw isDuplicate(error) ? NicknameTaken() : error
    })
  if (!isTheirs && member.nickname !== null)
    await user.recordFormerName(tx, memberId, { name: member.nickname, key: user.nameKey(member.nickname), isShown: false })
  if (removesAvatar && member.avatar) await file.release(tx, member.avatar)
  invalidate(tx, `member:${memberId}`)
  await user.enqueueRenames(tx)
  await audit.note(tx, by, client, {
    action: 'member.edit',
    about: `member ${memberId}`,
    ...(form.reason && { reason: form.reason }),
    before: { nickname: member.nickname, avatar: member.avatar, ...(removesAbout && { aboutMe: member.about }) },
    after: { nickname: nickname || null, avatar: removesAvatar ? null : member.avatar, ...(removesAbout && { aboutMe: '' }) },
  })
}

export async function setRoles(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { memberId, version, roles }: ParsedInput<typeof setMemberRoles>,
): Promise<void> {
  await lockUnlessStaff(tx, memberId)
  if (version && version !== (await role.heldVersion(tx, memberId)))
    throw MemberChanged({ by: (await audit.lastActor(tx, `member ${memberId}`, 'member.roles')) ?? 'none' })
  const newRoles = roles.map(({ roleId, endsAt }) => ({ roleId, endsAt: endsAt === null ? null : new Date(endsAt) }))
  const over = newRoles.filter(({ endsAt }) => endsAt && endsAt.getTime() <= Date.now())
  throwAll(over.map(({ roleId }) => refusalAt(`roles_${roleId}`, EndsTooSoon)()))
  const before = await role.setRoles(tx, memberId, newRoles)
  await role.assertRolesGivable(tx, by, changedRoles(before, newRoles))
  await audit.note(tx, by, client, { action: 'member.roles', about: `member ${memberId}`, before, after: roles })
}

// Extending a role counts as giving it.
function changedRoles(before: readonly role.Holding[], after: readonly role.Holding[]): string[] {
  const isIn = (all: readonly role.Holding[], one: role.Holding) =>
    all.some(({ roleId, endsAt }) => roleId === one.roleId && endsAt?.getTime() === one.endsAt?.getTime())
  const changed = [...before.filter((one) => !isIn(after, one)), ...after.filter((one) => !isIn(before, one))]
  return [...new Set(changed.map(({ roleId }) => roleId))]
}

type MemberAndReason = { memberId: string; reason: string }

export async function resetPassword(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { memberId, reason }: MemberAndReason,
  { password, hashed }: NewPassword,
) {
  await lockForLoginChange(tx, by, memberId)
  await tx.updateTable('member').set({ password_hash: hashed }).where('id', '=', memberId).execute()
  await proof.endAllSessions(tx, memberId, 'password changed')
  await audit.note(tx, by, client, { action: 'member.resetPassword', about: `member ${memberId}`, reason })
  await notifyOwner(tx, memberId, { what: 'password' })
  return { password }
}

export async function resetHint(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { memberId, reason }: ParsedInput<typeof resetMemberHint>,
): Promise<void> {
  await lockForLoginChange(tx, by, memberId)
  await tx.updateTable('member').set({ hint_question: null, hint_answer_hash: null }).where('id', '=', memberId).execute()
  await contact.revokePendingCredentials(tx, memberId)
  await audit.note(tx, by, client, { action: 'member.resetHint', about: `member ${memberId}`, reason })
  await notifyOwner(tx, memberId, { what: 'hint' })
}

/** For a member who lost phone and codes, and has proved their identity to staff in another way. */
export async function removeFactor(tx: Db, by: StaffActor, client: ClientInfo, { memberId, reason }: MemberAndReason): Promise<void> {
  await lockForLoginChange(tx, by, memberId)
  if (!(await secondFactor.turnOff(tx, memberId))) throw Missing()
  await audit.note(tx, by, client, { action: 'member.removeSecondFactor', about: `member ${memberId}`, reason })
  await notifyOwner(tx, memberId, { what: 'secondFactor' })
}

export async function endSessions(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { memberId, sessionId }: ParsedInput<typeof endMemberSessions>,
): Promise<void> {
  await lockUnlessStaff(tx, memberId)
  if (sessionId === undefined) await proof.endAllSessions(tx, memberId, 'ended by staff')
  else await endSession(tx, memberId, sessionId)
  await audit.note(tx, by, client, { action: 'member.endSessions', about: `member ${memberId}`, after: { sessionId: sessionId ?? 'all' } })
}

/** Ends the tokens of a member’s programs; their sessions stay. */
export async function endTokens(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { memberId }: ParsedInput<typeof endMemberTokens>,
): Promise<void> {
  await lockUnlessStaff(tx, memberId)
  const held = await proof.lastingCredentials(tx, memberId)
  if (held.length === 0) throw Missing()
  await proof.endLastingCredentials(tx, memberId)
  await audit.note(tx, by, client, {
    action: 'member.endTokens',
    about: `member ${memberId}`,
    before: { tokens: held.map(({ name }) => name) },
  })
}

/** Ends all sessions of a member, and all else that speaks for them. Writes no audit entry. Null where there was none. */
export async function endAllSessions(tx: Db, memberId: string): Promise<Change | null> {
  await lockUnlessStaff(tx, memberId)
  const open = await tx.selectFrom('session').select('id').where('member_id', '=', memberId).where('ended_at', 'is', null).execute()
  const held = await proof.lastingCredentials(tx, memberId)
  if (open.length + held.length === 0) return null
  await proof.endAllSessions(tx, memberId, 'ended by staff')
  return { before: { sessions: open.length, tokens: held.length }, after: { sessions: 0, tokens: 0 } }
}

async function endSession(tx: Db, memberId: string, sessionId: string): Promise<void> {
  const own = await tx.selectFrom('session').select('id').where('id', '=', sessionId).where('member_id', '=', memberId).executeTakeFirst()
  if (!own) throw Missing()
  await proof.endSessions(tx, [sessionId], 'ended by staff')
}

export async function note(tx: Db, by: StaffActor, client: ClientInfo, { memberId, text }: ParsedInput<typeof addNote>): Promise<void> {
  await lock(tx, memberId)
  const { id } = await tx
    .insertInto('member_note')
    .values({ member_id: memberId, staff_id: by.id, text, at: sql`clock_timestamp()` })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit.note(tx, by, client, { action: 'member.note', about: `member ${memberId}`, after: { note: id } })
}
