import { beforeEach, expect, test } from 'vitest'
import { register, registerForm } from '#account/contract.ts'
import { sendRegisterCode } from '#account/register-contract.ts'
import { transact } from '#base/server/database/database.ts'
import { solvedCaptcha } from '#base/testing/verification-codes.ts'
import { aForum } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { chooseOutbox } from '#delivery/testing/factories.ts'
import * as contract from '#invitation/contract.ts'
import * as invitation from '#invitation/server/invitation.ts'
import * as staffContract from '#invitation/staff-contract.ts'
import * as member from '#member/server/member.ts'
import { aRole } from '#tag/testing/factories.ts'
import * as role from '#role/server/role.ts'
import type { Settings } from '#setting/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { invalidateNow } from '#base/testing/database.ts'

const forum = await aForum()
await chooseOutbox(forum)
const { app } = forum.database
const chief = await aStaffer(forum)
let people = 0

beforeEach(() => set({ registrationMode: 'invitation', invitationsPerMonth: 3 }))

async function set(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
}

/** A member from before. */
async function aMember() {
  await set({ registrationMode: 'open' })
  const person = await forum.member()
  await set({ registrationMode: 'invitation' })
  return person
}

const form = () => ({ account: `newcomer_${++people}`, password: 'rain-on-the-roof', agrees: true })

async function anInviter() {
  const inviter = await aMember()
  const roleId = await aRole(forum.database, ['invite'])
  await transact(forum.database, (tx) => role.give(tx, inviter.id, roleId, null))
  invalidateNow(forum.database, 'role')
  return inviter
}

test('registration by invitation takes a code, and staff see the members of each', async () => {
  expect((await forum.visitor().call(registerForm, {})).mode).toBe('invitation')
  expect(await forum.visitor().isRefused(register, form(), contract.InvitationNeeded)).toBe(true)
  expect(await forum.visitor().isRefused(register, { ...form(), invitation: 'made-up' }, contract.InvitationWrong)).toBe(true)
  const { code, link, invitationId } = await chief.call(staffContract.addInvitation, { uses: 2, note: 'the tea fair' })
  expect(link).toContain(`/register?invite=${code}`)
  const { systemUser } = await forum.visitor().call(register, { ...form(), invitation: code })
  const { joined } = await chief.call(staffContract.joinedBy, { invitationId })
  expect(joined.map((one) => one.member.id)).toEqual([systemUser.userId])
  const { rows } = await chief.call(staffContract.invitationList, { state: 'open', of: 'staff' })
  expect(rows[0]).toMatchObject({ id: invitationId, code, used: 1, uses: 2, staff: chief.account, note: 'the tea fair' })
  await chief.call(staffContract.revokeInvitation, { invitationId })
  expect(await forum.visitor().isRefused(register, { ...form(), invitation: code }, contract.InvitationWrong)).toBe(true)
})

test('a visitor without an invitation is sent no code', async () => {
  await set({ allowRegisterAccountType: ['account', 'email'] })
  const visitor = forum.visitor()
  const asks = async (invitation?: string) => ({
    kind: 'email' as const,
    email: 'guest@example.com',
    ...(await solvedCaptcha(forum, visitor)),
    ...(invitation && { invitation }),
  })
  expect(await visitor.isRefused(sendRegisterCode, await asks(), contract.InvitationNeeded)).toBe(true)
  expect(await visitor.isRefused(sendRegisterCode, await asks('made-up'), contract.InvitationWrong)).toBe(true)
  const { code } = await chief.call(staffContract.addInvitation, {})
  await visitor.call(sendRegisterCode, await asks(code))
  expect(await app.selectFrom('delivery').select('shown_as').execute()).toEqual([{ shown_as: 'g***@example.com' }])
})

test('fifty registrations at once with a code for one end with one member', async () => {
  const { code } = await chief.call(staffContract.addInvitation, {})
  const tries = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      transact(forum.database, async (tx) => {
        const { id } = await tx
          .insertInto('member')
          .values({ account: `crowd_${n}`, account_key: `crowd_${n}`, password_hash: '' })
          .returning('id')
          .executeTakeFirstOrThrow()
        await invitation.consume(tx, code, id)
      }).then(
        () => true,
        () => false,
      ),
    ),
  )
  expect(tries.filter(Boolean)).toHaveLength(1)
  expect(await app.selectFrom('member').select('id').where('account', 'like', 'crowd\\_%').execute()).toHaveLength(1)
})

test('over HTTP too: a refused registration leaves the code to others', async () => {
  const { code } = await chief.call(staffContract.addInvitation, {})
  const { account: takenAccount } = await aMember()
  expect((await forum.visitor().tryCall(register, { ...form(), account: takenAccount, invitation: code })).error).toHaveProperty('account')
  const tries = await Promise.all(Array.from({ length: 5 }, () => forum.visitor().tryCall(register, { ...form(), invitation: code })))
  expect(tries.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422])
  expect(tries.filter(({ status }) => status === 422).every(({ error }) => 'invitation' in error)).toBe(true)
})

test('an invitation runs out', async () => {
  const { code, invitationId } = await chief.call(staffContract.addInvitation, { days: 1 })
  await app
    .updateTable('invitation')
    .set({ until: new Date(0) })
    .where('id', '=', invitationId)
    .execute()
  expect(await forum.visitor().isRefused(register, { ...form(), invitation: code }, contract.InvitationWrong)).toBe(true)
  expect((await chief.call(staffContract.invitationList, { state: 'late' })).rows.map(({ id }) => id)).toEqual([invitationId])
})

test('members with the right invite, up to a monthly limit, and see the members who came', async () => {
  const plain = await aMember()
  expect((await plain.call(contract.myInvitations, {})).mayInvite).toBe(false)
  expect((await plain.tryCall(contract.makeInvitation, {})).status).toBe(403)
  const inviter = await anInviter()
  const many = await Promise.all(Array.from({ length: 5 }, () => inviter.tryCall(contract.makeInvitation, { note: 'a friend' })))
  expect(many.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(await inviter.isRefused(contract.makeInvitation, {}, contract.TooManyInvitations)).toBe(true)
  const { invitations, left } = await inviter.call(contract.myInvitations, {})
  expect([invitations.length, left]).toEqual([3, 0])
  const [first, second] = invitations
  const { systemUser } = await forum.visitor().call(register, { ...form(), invitation: first?.code ?? '' })
  await inviter.call(contract.revokeMyInvitation, { invitationId: second?.id ?? '' })
  const after = (await inviter.call(contract.myInvitations, {})).invitations
  expect(after.map(({ state }) => state)).toEqual(['used', 'revoked', 'open'])
  expect(after[0]?.joined.map(({ id }) => id)).toEqual([systemUser.userId])
})

test('a member neither sees nor revokes the invitation of another', async () => {
  const [one, other] = [await anInviter(), await anInviter()]
  await one.call(contract.makeInvitation, {})
  const [invitation] = (await one.call(contract.myInvitations, {})).invitations
  expect((await other.call(contract.myInvitations, {})).invitations).toEqual([])
  expect((await other.tryCall(contract.revokeMyInvitation, { invitationId: invitation?.id ?? '' })).status).toBe(404)
  expect((await forum.visitor().tryCall(contract.myInvitations, {})).status).toBe(401)
})

test('invitations of a disabled or deactivated member are invalid', async () => {
  const inviter = await anInviter()
  const { code } = await inviter.call(contract.makeInvitation, {})
  await transact(forum.database, (tx) => member.disableAccount(tx, inviter.id, 'Advertises'))
  expect(await forum.visitor().isRefused(register, { ...form(), invitation: code }, contract.InvitationWrong)).toBe(true)
  await transact(forum.database, (tx) => member.enableAccount(tx, inviter.id))
  await transact(forum.database, async (tx) => void (await member.closeAccount(tx, await member.lockUnlessStaff(tx, inviter.id), 'Left')))
  expect(await forum.visitor().isRefused(register, { ...form(), invitation: code }, contract.InvitationWrong)).toBe(true)
})

test('open registration asks for no code, and a valid one is recorded', async () => {
  await set({ registrationMode: 'open' })
  const { code, invitationId } = await chief.call(staffContract.addInvitation, {})
  await forum.visitor().call(register, { ...form(), invitation: code })
  await forum.visitor().call(register, { ...form(), invitation: code })
  await forum.visitor().call(register, form())
  expect((await chief.call(staffContract.joinedBy, { invitationId })).joined).toHaveLength(1)
})

test('with the key lost, a code is shown no more and is good still', async () => {
  const { code, invitationId } = await chief.call(staffContract.addInvitation, {})
  await transact(forum.database, (tx) => invitation.purgeUndecryptable(tx))
  const { rows } = await chief.call(staffContract.invitationList, {})
  expect(rows.find(({ id }) => id === invitationId)).toMatchObject({ code: null, link: null, state: 'open' })
  await forum.visitor().call(register, { ...form(), invitation: code })
})
