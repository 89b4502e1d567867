import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { aForum } from '#base/testing/forum.ts'
import { changeSettings } from '#setting/staff-contract.ts'
import * as contract from '#staff/contract.ts'
import { me } from '#staff/right-contract.ts'
import { aStaffer, aStaffRole, Staffer } from '#staff/testing/factories.ts'

const forum = await aForum()
const chief = await aStaffer(forum)

test('staff with an assigned password can do nothing before they choose their own', async () => {
  const roleId = await aStaffRole(forum.database, ['staff.manage'])
  const { staffId, password } = await chief.call(contract.addStaff, { account: 'newcomer', roleIds: [roleId] })
  const fresh = await Object.assign(new Staffer(forum.app), { account: 'newcomer', password }).signIn()
  expect((await fresh.tryCall(contract.staffList, {})).status).toBe(403)
  expect(await fresh.call(me, {})).toMatchObject({ owes: ['password'], rights: [] })
  await fresh.call(contract.changeOwnPassword, { password: 'a-kettle-of-my-own' })
  expect((await fresh.tryCall(contract.staffList, {})).status).toBe(200)
  const reset = await chief.call(contract.resetStaff, { staffId })
  const again = await Object.assign(new Staffer(forum.app), { account: 'newcomer', password: reset.password }).signIn()
  expect(await again.call(me, {})).toMatchObject({ owes: ['password'] })
})

test('with the setting, staff without a second factor set one up before anything else', async () => {
  const helper = await aStaffer(forum, ['staff.manage'])
  await chief.call(changeSettings, { staffSecondFactor: true })
  expect((await helper.tryCall(contract.staffList, {})).status).toBe(403)
  expect(await helper.call(me, {})).toMatchObject({ owes: ['secondFactor'] })
  const { secret } = await helper.call(contract.beginSecondFactor, {})
  await helper.call(contract.confirmSecondFactor, { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() })
  expect((await helper.tryCall(contract.staffList, {})).status).toBe(200)
})
