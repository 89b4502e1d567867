import { beforeEach, expect, test } from 'vitest'
import { loginForm, registerForm, sendLoginCode } from '#account/contract.ts'
import { recoverForm, sendRecoveryCode } from '#account/recover-contract.ts'
import { sendRegisterCode } from '#account/register-contract.ts'
import { routes } from '#apps/server/features.ts'
import { transact } from '#base/server/database/database.ts'
import { solvedCaptcha, ageAttempts } from '#base/testing/verification-codes.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { CodeTooSoon, emailBinding, getEmailCode, getSmsCode, phoneBinding } from '#contact/contract.ts'
import * as contact from '#contact/server/contact.ts'
import { NoEmails, NoTexts } from '#delivery/contract.ts'
import { chooseOutbox } from '#delivery/testing/factories.ts'
import { signInMethods } from '#identity/contract.ts'
import { changeNotificationSetting, notificationSettings } from '#notification/notification-contract.ts'
import { realName } from '#real-name/contract.ts'
import { baseInfo } from '#setting/contract.ts'

const forum = await aForum()
const { app } = forum.database
const all = ['account', 'phone', 'email'] as const
const addresses = { phone: '+8613800000001', email: 'mei@example.org' } as const
const byCode = [sendRegisterCode, sendLoginCode, sendRecoveryCode] as const

let member: Person

async function set(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
}

beforeEach(async () => {
  await ageAttempts(forum)
  await app.deleteFrom('delivery').execute()
  await app.deleteFrom('contact').execute()
  await set({ emailProvider: 'none', smsProvider: 'none', allowRegisterAccountType: [...all], allowLoginAccountType: [...all] })
  member = await forum.member()
})

const bind = (kind: 'phone' | 'email') => transact(forum.database, (tx) => contact.bind(tx, member.id, { kind, address: addresses[kind] }))
const typed = (kind: 'phone' | 'email') => (kind === 'phone' ? { kind, phone: addresses.phone } : { kind, email: addresses.email })

/** The answers of every call that sends a code. */
async function responsesOf(kind: 'phone' | 'email', visitor: Visitor) {
  const { kind: _, ...address } = typed(kind)
  const binding = kind === 'phone' ? getSmsCode : getEmailCode
  const answers = []
  for (const call of byCode) answers.push(await visitor.tryCall(call, { ...typed(kind), ...(await solvedCaptcha(forum, visitor)) }))
  answers.push(await member.tryCall(binding, { about: 'bind', ...address, ...(await solvedCaptcha(forum, member)) } as never))
  return answers.map(({ status, error }) => ({ status, error }))
}

test('every call that has a code sent is among those that are asked here', () => {
  const sending = routes.filter(({ endpoint }) => endpoint.errors.includes(CodeTooSoon)).map(({ endpoint }) => endpoint.path)
  expect(sending.toSorted()).toEqual([...byCode, getSmsCode, getEmailCode].map(({ path }) => path).toSorted())
})

test.each(['phone', 'email'] as const)('codes by %s that cannot be sent are not promised, and cost no attempt', async (kind) => {
  const visitor = forum.visitor()
  const responses = await responsesOf(kind, visitor)
  const why = (kind === 'phone' ? NoTexts : NoEmails)().message
  expect(why).not.toBe('')
  expect(responses.map(({ status, error }) => [status, Object.keys(error)])).toEqual(responses.map(() => [422, [kind]]))
  expect(new Set(responses.flatMap(({ error }) => Object.values(error))).size).toBe(1)
  expect(await app.selectFrom('challenge').select('subject').where('kind', '=', 'code').execute()).toEqual([])
  expect(await app.selectFrom('delivery').select('id').execute()).toEqual([])
  // A known address gets the same answer.
  await bind(kind)
  const bound = await responsesOf(kind, forum.visitor())
  expect(bound.slice(0, byCode.length)).toEqual(responses.slice(0, byCode.length))
})

test('every function that needs a code is hidden, and shown once codes can be sent', async () => {
  await bind('phone')
  const offered = async () => {
    const visitor = forum.visitor()
    const { isOpen, ways } = await visitor.call(registerForm, {})
    return {
      register: isOpen && ways,
      login: (await visitor.call(loginForm, {})).codes,
      recover: (await visitor.call(recoverForm, {})).ways,
      binding: [(await member.call(phoneBinding, {})).canSend, (await member.call(emailBinding, {})).canSend],
      methods: (await member.call(signInMethods, {})).codes,
      realName: (await member.call(realName, {})).canBind,
      notifications: (await member.call(notificationSettings, {})).email !== null,
    }
  }
  const nothing = {
    register: ['account'],
    login: [],
    recover: [],
    binding: [false, false],
    methods: [],
    realName: false,
    notifications: false,
  }
  expect(await offered()).toEqual(nothing)
  await set({ allowRegisterAccountType: ['phone', 'email'] })
  expect(await offered()).toEqual({ ...nothing, register: false })
  expect((await forum.visitor().call(baseInfo, {})).open.registrations).toBe(false)
  expect(await member.isRefused(changeNotificationSetting, { kind: 'liked', email: true }, NoEmails)).toBe(true)
  await set({ allowRegisterAccountType: [...all] })
  await chooseOutbox(forum)
  const kinds = ['phone', 'email']
  expect((await forum.visitor().call(baseInfo, {})).open.registrations).toBe(true)
  expect(await offered()).toEqual({
    register: all,
    login: kinds,
    recover: kinds,
    binding: [true, true],
    methods: kinds,
    realName: true,
    notifications: true,
  })
})

test('one channel that works is offered without the other', async () => {
  await set({ emailProvider: 'outbox' })
  expect((await forum.visitor().call(registerForm, {})).ways).toEqual(['account', 'email'])
  expect((await forum.visitor().call(loginForm, {})).codes).toEqual(['email'])
  expect((await responsesOf('email', forum.visitor())).map(({ status }) => status)).toContain(200)
  expect((await responsesOf('phone', forum.visitor())).map(({ status }) => status)).toEqual([422, 422, 422, 422])
})
