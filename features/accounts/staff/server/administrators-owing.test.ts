import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { login } from '#account/contract.ts'
import { readConfig } from '#base/server/config.ts'
import { setSiteAddress } from '#base/server/http/site-address.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { changeSettings } from '#setting/staff-contract.ts'
import type { Settings } from '#setting/contract.ts'
import * as contract from '#staff/contract.ts'
import { me } from '#staff/right-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'

const onNetwork = { TEAHOUSE_URL: 'https://tea.example.org' }
// The address of the site is cached by process.
const forum = await aForum({ env: onNetwork, isOneServer: true })

async function set(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
}

beforeEach(() => set({ administratorSecondFactor: true }))
afterEach(() => setSiteAddress(readConfig(onNetwork)))

const owes = async (staffer: Staffer) => (await staffer.call(me, {})).owes
const mayWork = async (staffer: Staffer) => (await staffer.tryCall(contract.staffList, {})).status === 200

async function setUp(staffer: Staffer): Promise<void> {
  const { secret } = await staffer.call(contract.beginSecondFactor, {})
  await staffer.call(contract.confirmSecondFactor, { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() })
}

test('an administrator of a site on the network sets up a second factor before anything else, and continues at once', async () => {
  const chief = await aStaffer(forum)
  expect(await chief.call(me, {})).toMatchObject({ owes: ['secondFactor'], rights: [] })
  const refused = await chief.tryCall(contract.staffList, {})
  expect([refused.status, refused.response.body]).toEqual([403, expect.stringContaining('My account')])
  expect((await chief.tryCall(contract.enterForum, {})).status).toBe(403)
  expect((await chief.tryCall(changeSettings, { administratorSecondFactor: false })).status).toBe(403)
  expect((await forum.visitor().tryCall(login, { account: chief.account, password: chief.password })).status).toBe(422)
  expect((await chief.tryCall(contract.ownSessions, {})).status).toBe(200)
  await setUp(chief)
  expect([await owes(chief), await mayWork(chief)]).toEqual([[], true])
})

test('an administrator who removes the second factor sets up another before anything else', async () => {
  const chief = await aStaffer(forum)
  await setUp(chief)
  await chief.call(contract.removeSecondFactor, {})
  expect([await owes(chief), await mayWork(chief)]).toEqual([['secondFactor'], false])
})

test('a site on its own machine only requires no second factor', async () => {
  setSiteAddress(readConfig({}))
  const chief = await aStaffer(forum)
  expect([await owes(chief), await mayWork(chief)]).toEqual([[], true])
  expect((await forum.visitor().tryCall(login, { account: chief.account, password: chief.password })).status).toBe(200)
})

test('staff of other roles are asked for none', async () => {
  const helper = await aStaffer(forum, ['staff.manage'])
  expect([await owes(helper), await mayWork(helper)]).toEqual([[], true])
})

test('with the setting off, administrators need no second factor', async () => {
  await set({ administratorSecondFactor: false })
  const chief = await aStaffer(forum)
  expect([await owes(chief), await mayWork(chief)]).toEqual([[], true])
})
