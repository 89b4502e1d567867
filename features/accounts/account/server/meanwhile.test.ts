import { expect, test } from 'vitest'
import { changePassword, login, sessions } from '#account/contract.ts'
import { hashPassword } from '#base/server/security/hash-password.ts'
import { endAllSessions } from '#account/server/end-sessions.ts'
import { transact, type Db } from '#base/server/database/database.ts'
import { aForum } from '#base/testing/forum.ts'
import { untilLockWaits } from '#base/testing/waits.ts'

const forum = await aForum()

/** Runs the first, and lets the second run until it blocks before the first commits. */
async function meanwhile<T>(first: (tx: Db) => Promise<void>, second: () => Promise<T>): Promise<T> {
  let coming: Promise<T> | undefined
  await transact(forum.database, async (tx) => {
    await first(tx)
    coming = second()
    await untilLockWaits(forum.database.app)
  })
  if (!coming) throw new Error('Nothing came')
  return coming
}

async function otherPassword(tx: Db, memberId: string): Promise<void> {
  const password_hash = await hashPassword('rain-on-the-roof')
  await tx.updateTable('member').set({ password_hash }).where('id', '=', memberId).execute()
  await endAllSessions(tx, memberId, 'password changed')
}

async function openSessions(memberId: string): Promise<number> {
  const rows = await forum.database.app
    .selectFrom('session')
    .select('id')
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .execute()
  return rows.length
}

test('a login that is under way while the password changes is a wrong login', async () => {
  const mei = await forum.member()
  const { status, error } = await meanwhile(
    (tx) => otherPassword(tx, mei.id),
    () => forum.visitor().tryCall(login, { account: mei.account, password: mei.password }),
  )
  expect([status, Object.keys(error ?? {})]).toEqual([422, ['password']])
  expect(await openSessions(mei.id)).toBe(0)
  expect((await forum.visitor().tryCall(login, { account: mei.account, password: 'rain-on-the-roof' })).status).toBe(200)
})

test('a login that is under way while the member is put out is a wrong login', async () => {
  const mei = await forum.member()
  const { status } = await meanwhile(
    async (tx) => {
      await tx.updateTable('member').set({ deactivated_at: new Date(), deactivated_as: 'cancelled' }).where('id', '=', mei.id).execute()
      await endAllSessions(tx, mei.id, 'deactivated')
    },
    () => forum.visitor().tryCall(login, { account: mei.account, password: mei.password }),
  )
  expect(status).toBe(422)
  expect(await openSessions(mei.id)).toBe(0)
})

test('a password that was proved with one that is no longer theirs does not change', async () => {
  const mei = await forum.member()
  const thief = { password: 'stolen-and-kept', passwordAgain: 'stolen-and-kept' }
  const { status, error } = await meanwhile(
    (tx) => otherPassword(tx, mei.id),
    () => mei.tryCall(changePassword, { oldPassword: mei.password, ...thief }),
  )
  expect([status, Object.keys(error ?? {})]).toEqual([422, ['oldPassword']])
  expect((await forum.visitor().tryCall(login, { account: mei.account, password: 'rain-on-the-roof' })).status).toBe(200)
})

test('a session that begins while the password is about to change ends with the others', async () => {
  const mei = await forum.member()
  const other = { password: 'rain-on-the-roof', passwordAgain: 'rain-on-the-roof' }
  const [phone, changed] = await Promise.all([
    forum.visitor().tryCall(login, { account: mei.account, password: mei.password }),
    mei.tryCall(changePassword, { oldPassword: mei.password, ...other }),
  ])
  expect(changed.status).toBe(200)
  expect([200, 422]).toContain(phone.status)
  expect(await openSessions(mei.id)).toBe(1)
  expect((await mei.tryCall(sessions, {})).status).toBe(200)
})
