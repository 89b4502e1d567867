import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { freezeTotpClock } from '#base/testing/verification-codes.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import * as contract from '#staff/contract.ts'
import { me } from '#staff/right-contract.ts'
import { aStaffer, Staffer } from '#staff/testing/factories.ts'

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

const again = (one: Staffer) => Object.assign(new Staffer(forum.app), { account: one.account, password: one.password })
const wrongPassword = (one: Staffer) => again(one).tryCall(contract.signIn, { account: one.account, password: 'guess' })
const actionsOf = async (one: Staffer) =>
  (await chief.call(auditLog, { about: `staff ${one.id}` })).rows.map(({ action, after }) => [action, after] as const)

async function letMinutesPass(minutes: number): Promise<void> {
  await forum.database.app
    .updateTable('attempt')
    .set({ at: sql`at - ${minutes} * interval '1 minute'` })
    .execute()
}

describe('failures at the login of staff', () => {
  test('ask for a captcha for an hour', async () => {
    const helper = await aStaffer(forum, [])
    for (let tries = 0; tries < 3; tries++) await wrongPassword(helper)
    await letMinutesPass(50)
    expect((await wrongPassword(helper)).error).toHaveProperty('captcha')
    await letMinutesPass(20)
    expect((await wrongPassword(helper)).error).toHaveProperty('password')
  })

  test('are in the log, and are notified to the owner once', async () => {
    const helper = await aStaffer(forum, [])
    await wrongPassword(helper)
    await wrongPassword(helper)
    expect(await actionsOf(helper)).toEqual([1, 2].map(() => ['staff.signInFailed', { wrong: 'password' }]))
    const mine = { account: helper.account, password: helper.password }
    expect(await again(helper).call(contract.signIn, mine)).toEqual({ failures: 2 })
    expect(await again(helper).call(contract.signIn, mine)).toEqual({ failures: 0 })
  })
})

test('the fifth wrong proof ends the session, and each is in the log', async () => {
  const helper = await aStaffer(forum, [])
  const guess = async () => (await helper.tryCall(contract.prove, { password: 'guess' })).status
  expect([await guess(), await guess()]).toEqual([422, 422])
  await helper.call(contract.prove, { password: helper.password })
  expect([await guess(), await guess(), await guess(), await guess(), await guess()]).toEqual([422, 422, 422, 422, 401])
  expect((await helper.tryCall(me, {})).status).toBe(401)
  expect((await actionsOf(helper)).filter(([action]) => action === 'staff.proofFailed')).toHaveLength(7)
})

test('end the codes for a while after ten within an hour, but not the recovery codes', async () => {
  const careful = await aStaffer(forum, [])
  const { secret } = await careful.call(contract.beginSecondFactor, {})
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  freezeTotpClock()
  const { recoveryCodes } = await careful.call(contract.confirmSecondFactor, { code: totp.generate({ timestamp: Date.now() - 30_000 }) })
  const wrong = totp.generate({ timestamp: 0 })
  const open = (code: string) => again(careful).tryCall(contract.signIn, { account: careful.account, password: careful.password, code })
  await open(wrong)
  await open(wrong)
  // Eight more of the same; as requests, each would need a captcha.
  await sql`insert into attempt (key) select key from attempt, generate_series(1, 4)
    where key = ${`staff code ${careful.id}`}`.execute(forum.database.app)
  const { status, error } = await open(totp.generate())
  expect([status, error]).toEqual([422, { code: expect.stringContaining('60 minutes') }])
  expect((await open(recoveryCodes[0] ?? '')).body).toEqual({ failures: 2 })
  await letMinutesPass(61)
  expect((await open(totp.generate())).status).toBe(200)
})
