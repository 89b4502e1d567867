import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { untilLockWaits } from '#base/testing/waits.ts'
import * as contract from '#staff/contract.ts'
import { aStaffer, Staffer } from '#staff/testing/factories.ts'
import * as staff from '#staff/server/staff.ts'

let forum: Forum

beforeAll(async () => {
  forum = await aForum()
})

/** Runs a call while another member of staff resets this one's password. */
async function whileRenewed<T>(one: Staffer, call: () => Promise<T>): Promise<T> {
  let coming: Promise<T> | undefined
  await transact(forum.database, async (tx) => {
    await staff.resetPassword(tx, one.account)
    coming = call()
    await untilLockWaits(forum.database.app)
  })
  if (!coming) throw new Error('Nothing came')
  return coming
}

test('a sign-in that is under way while the password is renewed is a wrong one', async () => {
  const helper = await aStaffer(forum, [])
  const { account, password } = helper
  const { status, error } = await whileRenewed(helper, () => new Staffer(forum.app).tryCall(contract.signIn, { account, password }))
  expect([status, Object.keys(error ?? {})]).toEqual([422, ['password']])
  expect(await openSessions('staff_session', helper)).toBe(0)
})

test('a proof that is under way while the password is renewed is a wrong one', async () => {
  const helper = await aStaffer(forum, [])
  const { status } = await whileRenewed(helper, () => helper.tryCall(contract.prove, { password: helper.password }))
  expect(status).toBe(422)
})

test('a session that was ended meanwhile opens no way into the forum', async () => {
  const helper = await aStaffer(forum, [])
  expect((await whileRenewed(helper, () => helper.tryCall(contract.enterForum, {}))).status).toBe(401)
  expect(await openSessions('session', helper)).toBe(0)
})

test('a session that was ended meanwhile gives itself no new password', async () => {
  const helper = await aStaffer(forum, [])
  const own = { password: 'stolen-and-kept' }
  expect((await whileRenewed(helper, () => helper.tryCall(contract.changeOwnPassword, own))).status).toBe(401)
  const { account } = helper
  expect((await new Staffer(forum.app).tryCall(contract.signIn, { account, password: own.password })).status).toBe(422)
})

test('a session that was ended meanwhile begins no second factor', async () => {
  const helper = await aStaffer(forum, [])
  expect((await whileRenewed(helper, () => helper.tryCall(contract.beginSecondFactor, {}))).status).toBe(401)
})

async function openSessions(table: 'session' | 'staff_session', one: Staffer): Promise<number> {
  const owner = table === 'session' ? sql`member_id = (select speaks_as from staff where id = ${one.id})` : sql`staff_id = ${one.id}`
  const { rows } = await sql`select id from ${sql.table(table)} where ended_at is null and ${owner}`.execute(forum.database.app)
  return rows.length
}
