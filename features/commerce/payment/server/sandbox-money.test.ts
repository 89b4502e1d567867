import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { auditLog } from '#audit/contract.ts'
import { readConfig } from '#base/server/config.ts'
import { transact } from '#base/server/database/database.ts'
import { setSiteAddress } from '#base/server/http/site-address.ts'
import { runs } from '#base/testing/extent.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { NothingToTakeBack } from '#payment/contract.ts'
import * as contract from '#payment/sandbox-contract.ts'
import { paidTopUp, withSandbox, workOff } from '#payment/testing/factories.ts'
import { giveEnvelope } from '#red-envelope/contract.ts'
import { withEnvelopes } from '#red-envelope/testing/factories.ts'
import { me } from '#staff/right-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { OwnAccount, SandboxMoney } from '#wallet/contract.ts'
import { balance } from '#wallet/log-contract.ts'
import { approveRequest, moneyRequests } from '#wallet/request-contract.ts'
import { breachesIn } from '#wallet/server/breaches.ts'
import { endow } from '#wallet/testing/factories.ts'

let forum: Forum
let chief: Staffer
let [mei, tom] = [] as unknown as [Person, Person]

beforeAll(async () => {
  forum = await aForum({ isOneServer: true })
  await withSandbox(forum)
  await withEnvelopes(forum, { paymentProviders: ['sandbox'] })
  chief = await aStaffer(forum)
})
beforeEach(async () => {
  ;[mei, tom] = [await forum.member(), await forum.member()]
})
afterEach(() => setSiteAddress(readConfig({})))

const open = () => setSiteAddress(readConfig({ TEAHOUSE_URL: 'https://tea.example.org' }))
const accountOf = async (who: Person) => {
  const { account, unspendable } = await who.call(balance, {}, { origin: 'https://tea.example.org' })
  return [account.balance, account.owed, unspendable]
}
const gives = (cash: string, who = mei) =>
  who.tryCall(giveEnvelope, { envelopeKind: 'targeted', envelopeCash: cash, envelopeReceiver: tom.account } as never, newIdempotencyKey())
const rowOf = async (who: Pick<Person, 'id'>) =>
  (await chief.call(contract.sandboxMoney, { size: 200 })).rows.find(({ member }) => member.id === who.id)
const takesBack = (who: Pick<Person, 'id'>, by = chief) =>
  by.tryCall(contract.takeBackSandboxMoney, { memberId: who.id, reason: 'The trial is over' }, newIdempotencyKey())
const breaches = () => breachesIn(forum.database, bookChecks, null)

test('money of the sandbox is spent on a trial site, and not once the site has an address', async () => {
  await paidTopUp(forum, mei, '100.00')
  expect((await gives('10.00')).status).toBe(200)
  open()
  expect(await accountOf(mei)).toEqual(['90.00', '0.00', '90.00'])
  const { status, error } = await gives('10.00')
  expect([status, Object.keys(error)]).toEqual([SandboxMoney.status, [SandboxMoney.field]])
  expect(JSON.stringify(error)).toMatch(/90\.00.*trial/)
  const inChinese = Object.assign(Object.create(Object.getPrototypeOf(mei) as object) as Person, mei, { language: 'zh' })
  expect(JSON.stringify((await gives('10.00', inChinese)).error)).toContain('试用')
  await endow(forum.database, mei.id, 2_000, 'cny')
  expect((await gives('20.00')).status).toBe(SandboxMoney.status)
  expect((await gives('10.00')).status).toBe(200)
  expect((await gives('0.01')).status).toBe(SandboxMoney.status)
  expect(await breaches()).toEqual([])
})

test('many purchases at once spend none of the sandbox’s money', async () => {
  await paidTopUp(forum, mei, '50.00')
  await endow(forum.database, mei.id, 2_500, 'cny')
  open()
  const answers = await Promise.all(Array.from({ length: 8 }, () => gives('10.00')))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(await accountOf(mei)).toEqual(['55.00', '0.00', '50.00'])
  expect(await breaches()).toEqual([])
})

test('sandbox money spent before is listed, and taken back as a debt', async () => {
  await paidTopUp(forum, mei, '60.00')
  await paidTopUp(forum, mei, '40.00')
  expect((await gives('30.00')).status).toBe(200)
  expect(await rowOf(mei)).toBeUndefined()
  expect((await takesBack(mei)).status).toBe(NothingToTakeBack.status)
  open()
  expect(await rowOf(mei)).toMatchObject({ credited: '100.00', waiting: '0.00', spent: '30.00', balance: '70.00', isOwn: false })
  const { status, body } = await takesBack(mei)
  expect([status, body]).toEqual([200, { taken: '100.00', waiting: '0.00' }])
  await workOff(forum.database)
  expect(await accountOf(mei)).toEqual(['0.00', '30.00', '0.00'])
  expect(await rowOf(mei)).toBeUndefined()
  expect((await takesBack(mei)).status).toBe(NothingToTakeBack.status)
  const { rows } = await chief.call(auditLog, { action: 'payment.refund' })
  expect(rows.filter(({ reason }) => reason === 'The trial is over').length).toBeGreaterThanOrEqual(2)
  expect(await breaches()).toEqual([])
})

test('amounts above the limit wait for a second member of staff, and are not asked for twice', async () => {
  await paidTopUp(forum, mei, '60.00')
  await paidTopUp(forum, mei, '50.00')
  const asker = await aStaffer(forum)
  await transact(forum.database, (tx) => applySettings(tx, { dailyApprovalThresholdYuan: 100 }))
  open()
  expect((await takesBack(mei, asker)).body).toEqual({ taken: '60.00', waiting: '50.00' })
  expect(await rowOf(mei)).toMatchObject({ credited: '50.00', waiting: '50.00' })
  expect((await takesBack(mei)).status).toBe(NothingToTakeBack.status)
  expect(await accountOf(mei)).toEqual(['50.00', '0.00', '50.00'])
  const [request] = (await chief.call(moneyRequests, { state: 'waiting', member: mei.id })).rows
  await chief.call(approveRequest, { requestId: request?.id ?? '' }, newIdempotencyKey())
  expect([await accountOf(mei), await rowOf(mei)]).toEqual([['0.00', '0.00', '0.00'], undefined])
  expect(await breaches()).toEqual([])
})

test('money of the sandbox is listed and taken back with the rights to it, and not from an own account', async () => {
  await paidTopUp(forum, mei, '10.00')
  open()
  const viewer = await aStaffer(forum, ['payment.view'])
  const outsider = await aStaffer(forum, ['wallet.view'])
  expect((await viewer.tryCall(contract.sandboxMoney, {})).status).toBe(200)
  expect((await takesBack(mei, viewer)).status).toBe(403)
  expect((await outsider.tryCall(contract.sandboxMoney, {})).status).toBe(403)
  for (const who of [mei, forum.visitor()]) expect((await who.tryCall(contract.sandboxMoney, {})).status).toBe(401)
  const input = { memberId: mei.id, reason: 'Mine' }
  for (const who of [mei, forum.visitor()])
    expect((await who.tryCall(contract.takeBackSandboxMoney, input, newIdempotencyKey())).status).toBe(401)
  expect((await accountOf(mei))[0]).toBe('10.00')
  await sql`update member set deactivated_at = now(), deactivated_as = 'cancelled', merged_into = ${(await chief.call(me, {})).memberId}
    where id = ${mei.id}`.execute(forum.database.app)
  expect((await rowOf({ id: (await chief.call(me, {})).memberId }))?.isOwn).toBe(true)
  expect((await takesBack({ id: (await chief.call(me, {})).memberId })).error).toHaveProperty(OwnAccount.field)
})

test('two members of staff take it back once', async () => {
  await paidTopUp(forum, mei, '20.00')
  // Neither has moved anything today that counts towards the limit.
  const staff = [await aStaffer(forum), await aStaffer(forum)]
  open()
  const answers = await Promise.all(staff.map((by) => takesBack(mei, by)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, NothingToTakeBack.status])
  expect(await accountOf(mei)).toEqual(['0.00', '0.00', '0.00'])
  expect(await breaches()).toEqual([])
})

test('after any payments, credits and purchases the balance keeps the sandbox money until it is taken back', async () => {
  await transact(forum.database, (tx) => applySettings(tx, { dailyApprovalThresholdYuan: 100_000 }))
  const cents = fc.integer({ min: 100, max: 5_000 })
  const property = fc.asyncProperty(
    cents,
    cents,
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.array(cents, { maxLength: 5 }),
    async (...drawn) => {
      const [credited, paid, part, later] = drawn
      setSiteAddress(readConfig({}))
      mei = await forum.member()
      await paidTopUp(forum, mei, (credited / 100).toFixed(2))
      await endow(forum.database, mei.id, paid, 'cny')
      const before = Math.floor((credited + paid) * part)
      expect(before === 0 ? 200 : (await gives((before / 100).toFixed(2))).status).toBe(200)
      open()
      let left = credited + paid - before
      for (const one of later) {
        const { status } = await gives((one / 100).toFixed(2))
        expect(status === 200).toBe(left - one >= credited)
        if (status === 200) left -= one
      }
      expect(await rowOf(mei)).toMatchObject({
        credited: (credited / 100).toFixed(2),
        spent: (Math.max(0, credited - left) / 100).toFixed(2),
      })
      expect((await takesBack(mei)).status).toBe(200)
      const after = left - credited
      expect(await accountOf(mei)).toEqual([(Math.max(0, after) / 100).toFixed(2), (Math.max(0, -after) / 100).toFixed(2), '0.00'])
    },
  )
  await fc.assert(property, { numRuns: runs(8) })
  expect(await breaches()).toEqual([])
})
