import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { changePassword, login, sessions } from '#account/contract.ts'
import { loginStep2 } from '#account/login-contract.ts'
import * as contract from '#account-security/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { freezeTotpClock } from '#base/testing/verification-codes.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { sessionOf } from '#base/testing/session.ts'
import { newIdempotencyKey, type Visitor } from '#base/testing/visitor.ts'
import * as contact from '#contact/server/contact.ts'
import { lastTo, chooseOutbox } from '#delivery/testing/factories.ts'
import { disableMember, enableMember } from '#member/contract.ts'
import { removeMemberFactor } from '#member/factor-contract.ts'
import { proofForm, prove } from '#second-factor/contract.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum()
await chooseOutbox(forum)
const { app } = forum.database
let addresses = 0

/** A member with a second factor. */
async function careful() {
  const member = await forum.member()
  const email = `careful${++addresses}@example.org`
  await transact(forum.database, (tx) => contact.bind(tx, member.id, { kind: 'email', address: email }))
  const { secret, address } = await member.call(contract.beginSecondFactor, {})
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const codeAt = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 })
  freezeTotpClock()
  const { recoveryCodes } = await member.call(contract.confirmSecondFactor, { code: codeAt(-1) })
  return { member, email, secret, address, codeAt, recoveryCodes }
}

async function ticketFor({ account, password }: Person, visitor: Visitor = forum.visitor(), headers = {}): Promise<string> {
  const view = await visitor.call(login, { account, password }, headers)
  if (!('secondFactor' in view)) throw new Error('No second step was asked for')
  return view.secondFactor.ticket
}

/** Moves the re-authentication eleven minutes into the past. */
async function longAgo({ id }: Person): Promise<void> {
  const at = new Date(Date.now() - 11 * 60_000)
  const sessions = await app.updateTable('session').set({ started_at: at }).where('member_id', '=', id).returning('id').execute()
  await app
    .updateTable('session_proof')
    .set({ proved_at: at })
    .where(
      'session_id',
      'in',
      sessions.map((one) => one.id),
    )
    .execute()
}

const refused = async (visitor: Visitor, input: { ticket: string; code: string; trusts?: boolean }) => {
  const { status, error } = await visitor.tryCall(loginStep2, input)
  return `${status} ${Object.keys(error).join()}`
}

test('it is asked for once it was shown to work, and each code opens once', async () => {
  const { member, secret, address, codeAt, recoveryCodes, email } = await careful()
  expect(address).toContain(`secret=${secret}`)
  expect(new Set(recoveryCodes).size).toBe(10)
  const visitor = forum.visitor()
  const ticket = await ticketFor(member, visitor)
  expect(await refused(visitor, { ticket, code: '000000' })).toBe('422 code')
  expect(await refused(visitor, { ticket, code: codeAt(-1) })).toBe('422 code')
  const code = codeAt(0)
  visitor.pair = await visitor.call(loginStep2, { ticket, code })
  expect((await visitor.call(sessions, {})).sessions.some(({ isThis }) => isThis)).toBe(true)
  expect(await refused(visitor, { ticket, code: codeAt(1) })).toBe('422 secondFactor')
  expect(await refused(visitor, { ticket: await ticketFor(member, visitor), code })).toBe('422 code')
  const spelled = recoveryCodes[3]?.toUpperCase().replaceAll('-', ' ') ?? ''
  await visitor.call(loginStep2, { ticket: await ticketFor(member, visitor), code: spelled })
  expect(await refused(visitor, { ticket: await ticketFor(member, visitor), code: spelled })).toBe('422 code')
  expect(await visitor.call(contract.security, {})).toMatchObject({ codesLeft: 9, devices: [] })
  expect(await lastTo(forum, email)).toMatch(/验证器|authenticator/)
})

test('an app can read the QR code, with any site name', async () => {
  for (const title of ['茶馆: 问/答', 'a：b:c%3Ad', ':', '&issuer=x?#', 'Tea "House"']) {
    await transact(forum.database, (tx) => applySettings(tx, { title }))
    const { address } = await (await forum.member()).call(contract.beginSecondFactor, {})
    const { protocol, host, pathname, searchParams, hash } = new URL(address)
    expect([protocol, host, hash]).toEqual(['otpauth:', 'totp', ''])
    const [issuer, account, ...more] = decodeURIComponent(pathname.slice(1)).split(':').toReversed()
    expect([account ?? searchParams.get('issuer'), more]).toEqual([searchParams.get('issuer'), []])
    expect(issuer).toMatch(/^guest_\d+$/)
    expect(searchParams.get('secret')).toMatch(/^[A-Z2-7]+$/)
  }
})

test('a second factor is not revealed before the password is right', async () => {
  const { member } = await careful()
  const plain = await forum.member()
  const tries = await Promise.all(
    [member.account, plain.account, 'nobody_at_all'].map((account) => forum.visitor().tryCall(login, { account, password: 'not-the-one' })),
  )
  expect(new Set(tries.map(({ status, response }) => `${status} ${response.body}`)).size).toBe(1)
})

test('the database has neither the secret nor a recovery code in clear', async () => {
  const { member, secret, recoveryCodes } = await careful()
  const row = await app.selectFrom('second_factor').selectAll().where('member_id', '=', member.id).executeTakeFirstOrThrow()
  expect(row.secret.includes(Buffer.from(Secret.fromBase32(secret).bytes))).toBe(false)
  const rows = await app.selectFrom('recovery_code').select('hash').where('member_id', '=', member.id).execute()
  expect(rows.some(({ hash }) => recoveryCodes.includes(hash.toString()))).toBe(false)
})

test('a code that is used twice at once opens once', async () => {
  const { member, codeAt, recoveryCodes } = await careful()
  for (const code of [codeAt(0), recoveryCodes[0] ?? '']) {
    const visitors = Array.from({ length: 6 }, () => forum.visitor())
    const tickets = await Promise.all(visitors.map((visitor) => ticketFor(member, visitor)))
    const tries = await Promise.all(visitors.map((visitor, n) => visitor.tryCall(loginStep2, { ticket: tickets[n] ?? '', code })))
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
  }
})

test('a ticket is of its browser, for five tries and ten minutes', async () => {
  const { member, recoveryCodes } = await careful()
  const [one, two] = [forum.visitor(), forum.visitor()]
  const ticket = await ticketFor(member, one)
  expect(await refused(two, { ticket, code: recoveryCodes[0] ?? '' })).toBe('422 secondFactor')
  const tries = await Promise.all(Array.from({ length: 8 }, () => refused(one, { ticket, code: 'aaaa' })))
  expect(tries.toSorted()).toEqual([...Array(5).fill('422 code'), ...Array(3).fill('422 secondFactor')])
  expect(await refused(one, { ticket, code: recoveryCodes[0] ?? '' })).toBe('422 secondFactor')
  const late = await ticketFor(member, one)
  await app
    .updateTable('login_ticket')
    .set({ expires_at: new Date(0) })
    .execute()
  expect(await refused(one, { ticket: late, code: recoveryCodes[0] ?? '' })).toBe('422 secondFactor')
})

test('guesses are counted per account, from any browser; a recovery code still logs its owner in', async () => {
  const { member, codeAt, recoveryCodes } = await careful()
  for (let n = 0; n < 2; n++) {
    const visitor = forum.visitor()
    const ticket = await ticketFor(member, visitor)
    await Promise.all(Array.from({ length: 5 }, () => refused(visitor, { ticket, code: '000000' })))
  }
  const visitor = forum.visitor()
  const ticket = await ticketFor(member, visitor)
  expect(await refused(visitor, { ticket, code: codeAt(0) })).toBe('429 secondFactor')
  await visitor.call(loginStep2, { ticket, code: recoveryCodes[0] ?? '' })
})

test('a trusted device is asked for the password alone, for thirty days or until it is ended', async () => {
  const { member, recoveryCodes } = await careful()
  const visitor = forum.visitor()
  const { response } = await visitor.tryCall(loginStep2, {
    ticket: await ticketFor(member, visitor),
    code: recoveryCodes[0] ?? '',
    trusts: true,
  })
  const set = String(response.headers['set-cookie'])
  expect(set).toMatch(/HttpOnly; SameSite=Strict/)
  visitor.pair = response.json()
  const headers = { cookie: `${visitor.cookie}; ${set.split(';')[0]}` }
  sessionOf(await visitor.call(login, { account: member.account, password: member.password }, headers))
  const other = await careful()
  await ticketFor(other.member, visitor, headers)
  const { devices } = await visitor.call(contract.security, {}, headers)
  expect(devices).toMatchObject([{ isThis: true, device: 'test' }])
  const deviceId = devices[0]?.id ?? ''
  expect((await other.member.tryCall(contract.endTrustedDevice, { deviceId })).status).toBe(404)
  await visitor.call(contract.endTrustedDevice, { deviceId })
  await ticketFor(member, visitor, headers)
})

/** Logs in with the password alone, in a trusted browser. */
async function onTrustedDevice({ member, recoveryCodes }: Awaited<ReturnType<typeof careful>>) {
  const visitor = forum.visitor()
  const ticket = await ticketFor(member, visitor)
  const { response } = await visitor.tryCall(loginStep2, { ticket, code: recoveryCodes[0] ?? '', trusts: true })
  const headers = { cookie: `${visitor.cookie}; ${String(response.headers['set-cookie']).split(';')[0]}` }
  visitor.pair = sessionOf(await visitor.call(login, { account: member.account, password: member.password }, headers))
  return visitor
}

test('on a trusted device the password alone neither turns it off nor changes it: a proof takes a code', async () => {
  const its = await careful()
  const visitor = await onTrustedDevice(its)
  const next = { password: 'another-quiet-evening', passwordAgain: 'another-quiet-evening' }
  expect((await visitor.tryCall(contract.removeSecondFactor, {})).status).toBe(428)
  expect((await visitor.tryCall(contract.renewRecoveryCodes, {})).status).toBe(428)
  expect((await visitor.tryCall(contract.beginPasskey, {})).status).toBe(428)
  expect((await visitor.tryCall(changePassword, { oldPassword: its.member.password, ...next })).status).toBe(428)
  expect((await visitor.tryCall(prove, { password: its.member.password })).status).toBe(422)
  await visitor.call(prove, { code: its.recoveryCodes[1] ?? '' })
  await visitor.call(contract.removeSecondFactor, {})
})

test('a member who has just entered a code to log in, or turned codes on, is not asked for another', async () => {
  const { member, codeAt } = await careful()
  await member.call(contract.renewRecoveryCodes, {})
  const visitor = forum.visitor()
  visitor.pair = await visitor.call(loginStep2, { ticket: await ticketFor(member, visitor), code: codeAt(0) })
  await visitor.call(contract.removeSecondFactor, {})
})

test('a member who entered the password before codes were turned on elsewhere enters a code now', async () => {
  const member = await forum.member()
  const other = forum.visitor()
  other.pair = sessionOf(await other.call(login, { account: member.account, password: member.password }))
  await other.call(prove, { password: member.password })
  const { secret } = await member.call(contract.beginSecondFactor, {})
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await member.call(contract.confirmSecondFactor, { code, endsOthers: false })
  expect((await other.tryCall(contract.removeSecondFactor, {})).status).toBe(428)
})

test('after a change of the password every device is asked again, and no ticket is valid', async () => {
  const { member, recoveryCodes } = await careful()
  const visitor = forum.visitor()
  const trusted = await visitor.tryCall(loginStep2, {
    ticket: await ticketFor(member, visitor),
    code: recoveryCodes[0] ?? '',
    trusts: true,
  })
  visitor.pair = trusted.body
  const ticket = await ticketFor(member, visitor)
  const password = 'another-quiet-evening'
  await visitor.call(changePassword, { oldPassword: member.password, password, passwordAgain: password })
  expect(await refused(visitor, { ticket, code: recoveryCodes[1] ?? '' })).toBe('422 secondFactor')
  const headers = { cookie: `${visitor.cookie}; ${String(trusted.response.headers['set-cookie']).split(';')[0]}` }
  await ticketFor(Object.assign(member, { password }), visitor, headers)
})

test('an account that staff disabled trusts no device once it is enabled again', async () => {
  const [chief, { member, recoveryCodes }] = [await aStaffer(forum), await careful()]
  const visitor = forum.visitor()
  const ticket = await ticketFor(member, visitor)
  const { response } = await visitor.tryCall(loginStep2, { ticket, code: recoveryCodes[0] ?? '', trusts: true })
  await chief.call(disableMember, { memberId: member.id, reason: 'Somebody else is in it' }, newIdempotencyKey())
  await chief.call(enableMember, { memberId: member.id }, newIdempotencyKey())
  await ticketFor(member, visitor, { cookie: `${visitor.cookie}; ${String(response.headers['set-cookie']).split(';')[0]}` })
})

test('turning it on, off, and new codes take a fresh proof, which is a code', async () => {
  const { member, codeAt, recoveryCodes, email } = await careful()
  await longAgo(member)
  for (const call of [contract.renewRecoveryCodes, contract.removeSecondFactor, contract.beginSecondFactor])
    expect((await member.tryCall(call, {})).status).toBe(428)
  expect((await member.call(proofForm, {})).ways).toEqual(['code'])
  expect(Object.keys((await member.tryCall(prove, { password: member.password })).error)).toEqual(['code'])
  await member.call(prove, { code: codeAt(0) })
  const renewed = await member.call(contract.renewRecoveryCodes, {})
  expect(await lastTo(forum, email, /恢复码|recovery codes/)).not.toBe('')
  const visitor = forum.visitor()
  expect(await refused(visitor, { ticket: await ticketFor(member, visitor), code: recoveryCodes[0] ?? '' })).toBe('422 code')
  await visitor.call(loginStep2, { ticket: await ticketFor(member, visitor), code: renewed.recoveryCodes[0] ?? '' })
  expect(await member.isRefused(contract.beginSecondFactor, {}, contract.OnAlready)).toBe(true)
  await member.call(contract.removeSecondFactor, {})
  expect(await member.isRefused(contract.removeSecondFactor, {}, contract.NotOn)).toBe(true)
  expect(await member.isRefused(contract.renewRecoveryCodes, {}, contract.NotOn)).toBe(true)
  sessionOf(await forum.visitor().call(login, { account: member.account, password: member.password }))
  expect(await lastTo(forum, email, /关闭|turned off/)).not.toBe('')
})

test('the password alone does not set another one where codes are asked for', async () => {
  const { member, codeAt } = await careful()
  await longAgo(member)
  const another = { oldPassword: member.password, password: 'another-quiet-evening', passwordAgain: 'another-quiet-evening' }
  expect((await member.tryCall(changePassword, another)).status).toBe(428)
  await member.call(prove, { code: codeAt(0) })
  await member.call(changePassword, another)
})

test('the password of a member is tried five times in a quarter of an hour, over all forms that ask for it', async () => {
  const member = await forum.member()
  const next = { password: 'another-quiet-evening', passwordAgain: 'another-quiet-evening' }
  for (let n = 0; n < 3; n++) expect((await member.tryCall(changePassword, { oldPassword: 'not-the-one', ...next })).status).toBe(422)
  for (let n = 0; n < 2; n++) expect((await member.tryCall(prove, { password: 'not-the-one' })).status).toBe(422)
  expect((await member.tryCall(changePassword, { oldPassword: member.password, ...next })).status).toBe(429)
  expect((await member.tryCall(prove, { password: member.password })).status).toBe(429)
})

test('turning it on logs out the other devices if wished, and takes a code of its own secret', async () => {
  const member = await forum.member()
  const other = forum.visitor()
  other.pair = sessionOf(await other.call(login, { account: member.account, password: member.password }))
  expect(await member.isRefused(contract.confirmSecondFactor, { code: '123456' }, contract.NotBegun)).toBe(true)
  const first = await member.call(contract.beginSecondFactor, {})
  const second = await member.call(contract.beginSecondFactor, {})
  const code = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  expect((await member.tryCall(contract.confirmSecondFactor, { code: code(first.secret) })).error).toHaveProperty('code')
  await member.call(contract.confirmSecondFactor, { code: code(second.secret) })
  expect((await other.tryCall(sessions, {})).status).toBe(401)
  expect((await member.call(sessions, {})).sessions).toHaveLength(1)
})

test('a second factor set up since a time is removed, and an older one stays', async () => {
  const [old, since] = [await careful(), await careful()]
  const at = new Date(Date.now() - 60_000)
  await app
    .updateTable('second_factor')
    .set({ confirmed_at: new Date(0) })
    .where('member_id', '=', old.member.id)
    .execute()
  for (const { member } of [old, since])
    await transact(forum.database, (tx) => secondFactor.removeSince(tx, member.id, { codes: at, passkeys: at }))
  expect((await old.member.call(contract.security, {})).onSince).not.toBeNull()
  expect(await since.member.call(contract.security, {})).toMatchObject({ onSince: null, codesLeft: 0 })
})

test('staff with the right let in a member who lost phone and codes, with a reason, and the member is notified', async () => {
  const [chief, helper, { member }] = [await aStaffer(forum), await aStaffer(forum, ['member.view']), await careful()]
  const wish = { memberId: member.id, reason: 'Showed a passport' }
  expect((await helper.tryCall(removeMemberFactor, wish)).status).toBe(403)
  await chief.call(removeMemberFactor, wish)
  expect((await chief.tryCall(removeMemberFactor, wish)).status).toBe(404)
  sessionOf(await forum.visitor().call(login, { account: member.account, password: member.password }))
  const noted = await app.selectFrom('audit_log').select('reason').where('action', '=', 'member.removeSecondFactor').execute()
  expect(noted).toMatchObject([{ reason: 'Showed a passport' }])
})

test('visitors, and staff in the forum, set up nothing here', async () => {
  const visitor = forum.visitor()
  for (const call of [contract.beginSecondFactor, contract.renewRecoveryCodes, contract.removeSecondFactor])
    expect((await visitor.tryCall(call, {})).status).toBe(401)
  expect((await visitor.tryCall(contract.security, {})).status).toBe(401)
  expect((await visitor.tryCall(contract.confirmSecondFactor, { code: '123456' })).status).toBe(401)
  expect((await visitor.tryCall(contract.endTrustedDevice, { deviceId: '1' })).status).toBe(401)
  const member = await forum.member()
  await app.updateTable('member').set({ is_official: true }).where('id', '=', member.id).execute()
  expect(await member.isRefused(contract.beginSecondFactor, {}, contract.OfStaff)).toBe(true)
})
