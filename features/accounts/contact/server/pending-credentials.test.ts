import { beforeEach, expect, test } from 'vitest'
import { changePassword, RecoveryExpired } from '#account/contract.ts'
import { recoverStep1, recoverStep2, sendRecoveryCode, setMyHint } from '#account/recover-contract.ts'
import { transact } from '#base/server/database/database.ts'
import { solvedCaptcha, ageAttempts } from '#base/testing/verification-codes.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import * as binding from '#contact/contract.ts'
import * as contact from '#contact/server/contact.ts'
import { codeTo, chooseOutbox } from '#delivery/testing/factories.ts'
import { setPassword } from '#identity/contract.ts'
import { disableMember, enableMember, memberView, resetMemberHint, resetMemberPassword } from '#member/contract.ts'
import { unbindOfMember } from '#member/methods-contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'

const forum = await aForum()
await chooseOutbox(forum)
const chief = await aStaffer(forum)
const { app } = forum.database
const next = { password: 'rain-on-the-roof', passwordAgain: 'rain-on-the-roof' }
const reason = 'Asked at the counter'

beforeEach(() => ageAttempts(forum))

const emailOf = ({ id }: Person) => `half${id}@example.org`
const phoneOf = ({ id }: Person) => `+86138${id.padStart(8, '0')}`

async function bound(): Promise<Person> {
  const member = await forum.member()
  await transact(forum.database, async (tx) => {
    await contact.bind(tx, member.id, { kind: 'email', address: emailOf(member) })
    await contact.bind(tx, member.id, { kind: 'phone', address: phoneOf(member) })
  })
  return member
}

/** A thief who reads the owner's mail requests a code to reset the password. */
async function codeFor(member: Person) {
  await ageAttempts(forum)
  const visitor = forum.visitor()
  await visitor.call(sendRecoveryCode, { kind: 'email', email: emailOf(member), ...(await solvedCaptcha(forum, visitor)) })
  return { visitor, shown: { kind: 'email', email: emailOf(member), code: await codeTo(forum, emailOf(member)) } as const }
}

/** A thief who also used the code. */
async function ticketFor(member: Person) {
  const { visitor, shown } = await codeFor(member)
  return { visitor, ticket: (await visitor.call(recoverStep1, shown)).ticket }
}

async function changes(member: Person, kind: 'phone' | 'email'): Promise<void> {
  await ageAttempts(forum)
  if (kind === 'email') {
    const email = `new.${emailOf(member)}`
    await member.call(binding.updateEmailStep1, {})
    await member.call(binding.getEmailCode, { about: 'new', email, ...(await solvedCaptcha(forum, member)) })
    return void (await member.call(binding.updateEmailStep2, { email, code: await codeTo(forum, email) }))
  }
  const phone = phoneOf(member).replace('+86138', '+86139')
  await member.call(binding.updatePhoneStep1, {})
  await member.call(binding.getSmsCode, { about: 'new', phone, ...(await solvedCaptcha(forum, member)) })
  await member.call(binding.updatePhoneStep2, { phone, code: await codeTo(forum, phone) })
}

async function bindsPhone(member: Person): Promise<void> {
  await transact(forum.database, (tx) => contact.unbind(tx, member.id, 'phone'))
  const before = [await ticketFor(member), await codeFor(member)] as const
  const phone = phoneOf(member)
  await member.call(binding.getSmsCode, { about: 'bind', phone, ...(await solvedCaptcha(forum, member)) })
  await member.call(binding.bindPhone, { phone, code: await codeTo(forum, phone) })
  await mustBeOver(...before)
}

async function unbinds({ id: memberId }: Person): Promise<void> {
  const { ways } = await chief.call(memberView, { memberId, addresses: true })
  const boundAt = ways?.contacts.find(({ kind }) => kind === 'phone')?.boundAt ?? ''
  await chief.call(unbindOfMember, { memberId, kind: 'phone', boundAt, reason })
}

type PendingCredentials = [Awaited<ReturnType<typeof ticketFor>>, Awaited<ReturnType<typeof codeFor>>]

async function mustBeOver(...[{ visitor, ticket }, recovery]: PendingCredentials): Promise<void> {
  expect(await visitor.isRefused(recoverStep2, { ticket, ...next }, RecoveryExpired)).toBe(true)
  expect(await recovery.visitor.isRefused(recoverStep1, recovery.shown, binding.CodeWrong)).toBe(true)
}

const withoutPassword = ({ id }: Person) => app.updateTable('member').set({ password_hash: null }).where('id', '=', id).execute()

const actions: [string, (member: Person) => Promise<unknown>][] = [
  ['another password', (member) => member.call(changePassword, { oldPassword: member.password, ...next })],
  ['a first password', (member) => withoutPassword(member).then(() => member.call(setPassword, { password: next.password }))],
  ['a first number', bindsPhone],
  ['another number', (member) => changes(member, 'phone')],
  ['another e-mail address', (member) => changes(member, 'email')],
  ['another hint question', (member) => member.call(setMyHint, { hintQuestion: 'Which kettle boils?', hintAnswer: 'The blue one' })],
  ['a password that staff set', ({ id: memberId }) => chief.call(resetMemberPassword, { memberId, reason })],
  ['a question that staff took away', ({ id: memberId }) => chief.call(resetMemberHint, { memberId, reason })],
  ['an address that staff unbound', unbinds],
  [
    'an account that staff shut for a while',
    async ({ id: memberId }) => {
      await chief.call(disableMember, { memberId, reason }, newIdempotencyKey())
      await chief.call(enableMember, { memberId }, newIdempotencyKey())
    },
  ],
]

test.each(actions)('a password about to be set is refused after %s', async (_, action) => {
  const member = await bound()
  const [ticket, code] = [await ticketFor(member), await codeFor(member)]
  await action(member)
  await mustBeOver(ticket, code)
})

test('a change of the number starts over after the address was changed', async () => {
  const member = await bound()
  await member.call(binding.updatePhoneStep1, {})
  await changes(member, 'email')
  expect((await member.call(binding.phoneBinding, {})).isProved).toBe(false)
})
