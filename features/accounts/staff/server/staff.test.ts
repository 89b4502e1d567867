import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#apps/server/features.ts'
import { auditLog } from '#audit/contract.ts'
import { isMember, members } from '#base/server/http/route.ts'
import { freezeTotpClock } from '#base/testing/verification-codes.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import * as contract from '#staff/contract.ts'
import { addStaffRole, editStaffRole, me, staffRights } from '#staff/right-contract.ts'
import { aStaffer, aStaffRole, Staffer } from '#staff/testing/factories.ts'

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
})

const again = (one: Staffer) => Object.assign(new Staffer(forum.app), { account: one.account, password: one.password })

async function agePast(one: Staffer, column: 'proved_at' | 'last_used_at' | 'began_at', hours: number): Promise<void> {
  const past = new Date(Date.now() - hours * 3_600_000)
  await forum.database.app
    .updateTable('staff_session')
    .set({ [column]: past })
    .where('staff_id', '=', one.id)
    .execute()
}

describe('signing in', () => {
  test('gives a session in a cookie that no script reads and no other path gets', async () => {
    const { response } = await again(chief).tryCall(contract.signIn, { account: chief.account, password: chief.password })
    const cookie = [response.headers['set-cookie']].flat().find((one) => one?.startsWith('teahouse_staff='))
    expect(cookie).toMatch(/^teahouse_staff=[\w-]{43}; Path=\/api\/admin; HttpOnly; SameSite=Strict$/)
    expect(response.json()).toEqual({ failures: 0 })
    expect(await chief.call(me, {})).toMatchObject({ account: chief.account, rights: [...staffRights] })
  })

  test('is refused in one way for a wrong password, an unknown account, a member and a disabled account', async () => {
    const mei = await forum.member()
    const disabledStaffer = await aStaffer(forum, [])
    await chief.call(contract.editStaff, { staffId: disabledStaffer.id, roleIds: [], isDisabled: true })
    const tries = [
      { account: chief.account, password: 'not-the-password' },
      { account: 'nobody_here', password: chief.password },
      { account: mei.account, password: mei.password },
      { account: disabledStaffer.account, password: disabledStaffer.password },
    ]
    const bodies = await Promise.all(tries.map(async (one) => (await new Staffer(forum.app).tryCall(contract.signIn, one)).response.body))
    expect(new Set(bodies).size).toBe(1)
    expect((await disabledStaffer.tryCall(me, {})).status).toBe(401)
  })

  test('asks for a captcha after three failures within a minute', async () => {
    const thief = new Staffer(forum.app)
    for (let tries = 0; tries < 3; tries++) await thief.tryCall(contract.signIn, { account: 'nobody_yet', password: 'guess' })
    expect((await thief.tryCall(contract.signIn, { account: 'nobody_yet', password: 'guess' })).error).toHaveProperty('captcha')
    expect(await thief.call(contract.signInForm, {})).toEqual({ needsCaptcha: true })
  })

  test('lasts during activity, half a day at most, and until the sign-out', async () => {
    const idle = await aStaffer(forum, [])
    await agePast(idle, 'last_used_at', 0.6)
    expect((await idle.tryCall(me, {})).status).toBe(401)
    const late = await aStaffer(forum, [])
    await agePast(late, 'began_at', 13)
    expect((await late.tryCall(me, {})).status).toBe(401)
    const tidy = await aStaffer(forum, [])
    await tidy.call(contract.signOut, {})
    expect((await tidy.tryCall(me, {})).status).toBe(401)
    const actions = await forum.database.app.selectFrom('audit_log').select('action').where('account', '=', tidy.account).execute()
    expect(actions.at(-1)?.action).toBe('staff.signOut')
  })
})

describe('a second factor', () => {
  test('is asked for once it was shown to work, and opens with each code once', async () => {
    const careful = await aStaffer(forum, [])
    const { secret, address } = await careful.call(contract.beginSecondFactor, {})
    expect(address).toContain(`secret=${secret}`)
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const codeAt = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 })
    expect((await careful.tryCall(contract.confirmSecondFactor, { code: '000000' })).error).toHaveProperty('code')
    await again(careful).signIn() // not confirmed yet
    freezeTotpClock()
    const { recoveryCodes } = await careful.call(contract.confirmSecondFactor, { code: codeAt(-1) })
    expect(new Set(recoveryCodes).size).toBe(10)

    expect((await again(careful).tryCall(contract.signIn, { account: careful.account, password: careful.password })).error).toHaveProperty(
      'code',
    )
    await expect(again(careful).signIn({ code: codeAt(-1) })).rejects.toThrow('422')
    const code = codeAt(0)
    await again(careful).signIn({ code })
    await expect(again(careful).signIn({ code })).rejects.toThrow('422')
    await again(careful).signIn({ code: recoveryCodes[3]?.toUpperCase() ?? '' })
    await expect(again(careful).signIn({ code: recoveryCodes[3] ?? '' })).rejects.toThrow('422')
    expect(await careful.call(me, {})).toMatchObject({ hasSecondFactor: true, recoveryCodesLeft: 9 })
  })

  test('is encrypted, and removed by its owner or by staff who manage staff', async () => {
    const staffer = await aStaffer(forum, [])
    const { secret } = await staffer.call(contract.beginSecondFactor, {})
    const before = await staffer.call(contract.confirmSecondFactor, { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() })
    const { recoveryCodes } = await staffer.call(contract.renewRecoveryCodes, {})
    await expect(again(staffer).signIn({ code: before.recoveryCodes[0] ?? '' })).rejects.toThrow('422')
    await again(staffer).signIn({ code: recoveryCodes[0] ?? '' })
    const { totp_secret } = await forum.database.app
      .selectFrom('staff')
      .select('totp_secret')
      .where('id', '=', staffer.id)
      .executeTakeFirstOrThrow()
    expect(totp_secret?.includes(Buffer.from(Secret.fromBase32(secret).bytes))).toBe(false)
    const { password } = await chief.call(contract.resetStaff, { staffId: staffer.id })
    expect((await staffer.tryCall(me, {})).status).toBe(401)
    await Object.assign(again(staffer), { password }).signIn()
  })
})

describe('rights', () => {
  test('work on the next request, given or taken', async () => {
    const helper = await aStaffer(forum, [])
    expect((await helper.tryCall(auditLog, {})).status).toBe(403)
    const roleId = await aStaffRole(forum.database, ['audit.view'])
    await chief.call(contract.editStaff, { staffId: helper.id, roleIds: [roleId], isDisabled: false })
    expect((await helper.tryCall(auditLog, {})).status).toBe(200)
    await chief.call(contract.editStaff, { staffId: helper.id, roleIds: [], isDisabled: false })
    expect((await helper.tryCall(auditLog, {})).status).toBe(403)
  })

  test('cannot be raised by staff with fewer rights', async () => {
    const manager = await aStaffer(forum, ['staff.manage', 'member.view'])
    const strong = await aStaffRole(forum.database, ['setting.change'])
    const { roles } = await manager.call(contract.staffRoles, {})
    const administrator = roles.find(({ isAdministrator }) => isAdministrator)?.id ?? ''
    const refusals = [
      manager.tryCall(contract.editStaff, { staffId: manager.id, roleIds: [administrator], isDisabled: false }),
      manager.tryCall(contract.editStaff, { staffId: manager.id, roleIds: [strong], isDisabled: false }),
      manager.tryCall(contract.editStaff, { staffId: chief.id, roleIds: [], isDisabled: true }),
      manager.tryCall(contract.resetStaff, { staffId: chief.id }),
      manager.tryCall(contract.addStaff, { account: 'puppet', roleIds: [strong] }),
      manager.tryCall(addStaffRole, { zh: '甲', en: 'A', rights: ['setting.change'] }),
      manager.tryCall(editStaffRole, { roleId: strong, zh: '甲', en: 'A', rights: [] }),
      manager.tryCall(editStaffRole, { roleId: administrator, zh: '甲', en: 'A', rights: [] }),
      manager.tryCall(contract.removeStaffRole, { roleId: administrator }),
    ]
    expect((await Promise.all(refusals)).map(({ status }) => status)).toEqual(refusals.map(() => 403))
    expect((await manager.tryCall(addStaffRole, { zh: '甲', en: 'A', rights: ['member.view'] })).status).toBe(200)
  })

  test('of the last administrator cannot be taken, by two at once either', async () => {
    const other = await aForum()
    const [one, two] = [await aStaffer(other), await aStaffer(other)]
    const statuses = await Promise.all([
      one.tryCall(contract.editStaff, { staffId: two.id, roleIds: [], isDisabled: false }),
      two.tryCall(contract.editStaff, { staffId: one.id, roleIds: [], isDisabled: false }),
    ])
    expect(statuses.map(({ status }) => status).toSorted()).not.toEqual([200, 200])
    const left = statuses[0]?.status === 200 ? one : two
    expect(await left.isRefused(contract.editStaff, { staffId: left.id, roleIds: [], isDisabled: false }, contract.LastAdministrator)).toBe(
      true,
    )
  })

  test('that are dangerous to use ask for the password again after ten minutes', async () => {
    const manager = await aStaffer(forum, ['staff.manage'])
    const action = () => manager.tryCall(addStaffRole, { zh: '甲', en: 'A', rights: [] })
    await agePast(manager, 'proved_at', 0.2)
    expect((await action()).status).toBe(428)
    expect((await manager.tryCall(contract.prove, { password: 'guess' })).error).toHaveProperty('password')
    await manager.call(contract.prove, { password: manager.password })
    expect((await action()).status).toBe(200)
  })
})

describe('every call of the administration', () => {
  const admin = routes.filter(({ endpoint }) => endpoint.path.startsWith('/admin/'))
  const open = ['/admin/signIn', '/admin/signInForm']

  test('asks for a right of staff that there is, but for signing in', () => {
    const known = new Set<string>([...staffRights, contract.ownAccount])
    const unknown = admin.filter(({ endpoint, guard }) => !open.includes(endpoint.path) && !known.has(guard.right ?? ''))
    expect(unknown.map(({ endpoint }) => endpoint.path)).toEqual([])
    expect(routes.filter(({ endpoint, guard }) => guard.right && !endpoint.path.startsWith('/admin/'))).toEqual([])
  })

  test('is refused to visitors, members and staff without its right, and to no others', async () => {
    const mei = await forum.member()
    const holders = new Map<string, Staffer>()
    // One for each right, except for calls about one's own account, which may end the session.
    async function holderOf(right: string | undefined): Promise<Staffer> {
      if (right === contract.ownAccount) return aStaffer(forum, [])
      const holder = holders.get(right ?? '') ?? (await aStaffer(forum, right === undefined ? [] : [right]))
      holders.set(right ?? '', holder)
      return holder
    }
    for (const { endpoint, guard } of admin.filter((route) => !open.includes(route.endpoint.path))) {
      const send = async (who: Staffer | typeof mei) => (await who.send(endpoint.method, endpoint.path, {})).statusCode
      const bare = await holderOf(guard.right === contract.ownAccount ? contract.ownAccount : undefined)
      const able = await holderOf(guard.right)
      const place = `${endpoint.method} ${endpoint.path}`
      const isRefused = async (who: Staffer | typeof mei) => [401, 403].includes(await send(who))
      expect([place, await send(new Staffer(forum.app)), await send(mei)]).toEqual([place, 401, 401])
      expect([place, await isRefused(bare), await isRefused(able)]).toEqual([place, guard.right !== contract.ownAccount, false])
    }
  })

  test('is nothing to the calls of members: a session of staff says nothing there', async () => {
    const { guard } = routes.find((route) => route.guard === members) ?? {}
    expect(guard && isMember).toBeTruthy()
    expect((await chief.send('GET', '/user/control/editUser', {})).statusCode).toBe(401)
  })
})
