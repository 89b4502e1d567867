import { beforeAll, describe, expect, test } from 'vitest'
import { auditLog } from '#audit/contract.ts'
import { Missing, NotAllowed, type Endpoint, type RawInput } from '#base/contract.ts'
import { KeyMissing } from '#base/server/http/idempotency.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { systemNotifyList } from '#notification/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import * as desk from '#wallet/adjust-contract.ts'
import { BooksFrozen, MemberShortOfPoints, NotReversible, OwnAccount, OwnRequest } from '#wallet/contract.ts'
import * as log from '#wallet/log-contract.ts'
import * as requests from '#wallet/request-contract.ts'
import { sql } from 'kysely'
import { transact } from '#base/server/database/database.ts'

let forum: Forum
let chief: Staffer
let second: Staffer
let keys = 0

beforeAll(async () => {
  forum = await aForum()
  await transact(forum.database, (tx) => applySettings(tx, { allowCash: true, approvalThresholdPoints: 100, approvalThresholdYuan: 10 }))
  ;[chief, second] = [await aStaffer(forum), await aStaffer(forum, ['wallet.view', 'wallet.adjust', 'wallet.reverse'])]
})

const key = () => ({ 'idempotency-key': `a-key-of-its-own-${++keys}` })
const call = <E extends Endpoint>(who: Visitor, endpoint: E, input: RawInput<E>) => who.call(endpoint, input, key())
const tries = <E extends Endpoint>(who: Visitor, endpoint: E, input: RawInput<E>) => who.tryCall(endpoint, input, key())

type Change = { way?: 'add' | 'take'; amount?: string; by?: Staffer }

function adjust(mei: { id: string }, { way = 'add', amount = '50', by = chief }: Change = {}) {
  return call(by, desk.adjustPoints, { memberId: mei.id, way, amount, reason: 'For the tea party' })
}

async function pointsOf(mei: Person): Promise<string> {
  return (await mei.call(log.wallet, {})).points.balance
}

async function waitingRequests(mei: Person) {
  const { rows } = await chief.call(requests.moneyRequests, { member: mei.id, state: 'waiting' })
  return rows
}

async function newestOf(mei: Person): Promise<string> {
  const { rows } = await chief.call(desk.transactions, { member: mei.id })
  return rows[0]?.id ?? ''
}

describe('staff', () => {
  test('add points and take them, with a reason that the member reads and a line in the log', async () => {
    const mei = await forum.member()
    expect(await adjust(mei)).toEqual({ isWaiting: false })
    await adjust(mei, { way: 'take', amount: '20' })
    const { account, log: page, level } = await mei.call(log.point, {})
    expect(account).toEqual({ balance: '30', owed: '0' })
    expect(level.points).toBe(30)
    expect(page.rows.map(({ kind, amount, balance, reason }) => [kind, amount, balance, reason])).toEqual([
      ['adjustment', '-20', '30', 'For the tea party'],
      ['adjustment', '50', '50', 'For the tea party'],
    ])
    const { rows } = await chief.call(auditLog, { about: `member ${mei.id}`, action: 'wallet' })
    expect(rows.map(({ action, reason, after }) => [action, reason, after])).toEqual([
      ['wallet.adjust', 'For the tea party', { points: '-20', requestId: expect.any(String) }],
      ['wallet.adjust', 'For the tea party', { points: '50', requestId: expect.any(String) }],
    ])
  })

  test('notify the member of each adjustment, and of its reversal', async () => {
    const mei = await forum.member()
    await adjust(mei)
    await adjust(mei, { way: 'take', amount: '20' })
    await adjust(mei, { amount: '500' })
    await call(chief, desk.adjustBalance, { memberId: mei.id, way: 'add', amount: '2.5', reason: 'A refund' })
    const transactionId = await newestOf(mei)
    await call(second, desk.reverseTransaction, { transactionId, reason: 'The wrong one' })
    await call(second, desk.reverseTransaction, { transactionId, reason: 'The wrong one' })
    const { notices } = await mei.call(systemNotifyList, {})
    expect(notices.map(({ says }) => says)).toEqual([
      { kind: 'accountReversed', currency: 'cny', amount: '-2.50', reason: 'The wrong one' },
      { kind: 'accountAdjusted', currency: 'cny', amount: '2.50', reason: 'A refund' },
      { kind: 'accountAdjusted', currency: 'points', amount: '-20', reason: 'For the tea party' },
      { kind: 'accountAdjusted', currency: 'points', amount: '50', reason: 'For the tea party' },
    ])
  })

  test('take nothing that is not there', async () => {
    const mei = await forum.member()
    await adjust(mei, { amount: '10' })
    const { status, error } = await tries(chief, desk.adjustPoints, { memberId: mei.id, way: 'take', amount: '11', reason: 'Too much' })
    expect([status, Object.keys(error)]).toEqual([422, [MemberShortOfPoints.field]])
    expect(await pointsOf(mei)).toBe('10')
    const errorsOf = async (call: typeof desk.adjustPoints | typeof desk.adjustBalance, amount: string, language: string) => {
      const wish = { memberId: mei.id, way: 'take', amount, reason: 'Too much' } as const
      return Object.values((await chief.tryCall(call, wish, { ...key(), 'accept-language': language })).error)
    }
    await transact(forum.database, (tx) =>
      applySettings(tx, { approvalThresholdPoints: 100_000, approvalThresholdYuan: 100_000, dailyApprovalThresholdYuan: 100_000 }),
    )
    expect(await errorsOf(desk.adjustPoints, '1244', 'en')).toEqual(['The member is 1,234 points short.'])
    expect(await errorsOf(desk.adjustPoints, '1244', 'zh-CN')).toEqual(['该成员积分不足，还差 1,234 积分。'])
    expect(await errorsOf(desk.adjustBalance, '1234.5', 'en')).toEqual(['The member’s balance is ¥1,234.50 short.'])
    expect(await errorsOf(desk.adjustBalance, '1234.5', 'zh-CN')).toEqual(['该成员余额不足，还差 ¥1,234.50。'])
    await transact(forum.database, (tx) => applySettings(tx, { approvalThresholdPoints: 100, approvalThresholdYuan: 10 }))
  })

  test('never adjust their own member account, nor approve such an adjustment', async () => {
    const { memberId } = await chief.call((await import('#staff/right-contract.ts')).me, {})
    const own = await tries(chief, desk.adjustPoints, { memberId, way: 'add', amount: '1', reason: 'A present' })
    expect([own.status, Object.keys(own.error)]).toEqual([422, [OwnAccount.field]])
    expect(await adjust({ id: memberId }, { by: second, amount: '500' })).toEqual({ isWaiting: true })
    const { rows } = await chief.call(requests.moneyRequests, { member: memberId })
    expect(rows[0]).toMatchObject({ isOfMe: true, state: 'waiting' })
    const agreed = await tries(chief, requests.approveRequest, { requestId: rows[0]?.id ?? '' })
    expect([agreed.status, Object.keys(agreed.error)]).toEqual([422, [OwnAccount.field]])
  })

  test.each([
    '-1',
    '0',
    '-0',
    '0.5',
    '1e3',
    '1,000',
    '１，２',
    '+1',
    '1 1',
    '0x10',
    'NaN',
    'Infinity',
    '',
    '[]',
    '{}',
    'true',
    '1234567890123',
  ])('cannot add %j points', async (amount) => {
    const mei = await forum.member()
    const { status, error } = await tries(chief, desk.adjustPoints, { memberId: mei.id, way: 'add', amount, reason: 'Odd' })
    expect([status, Object.keys(error)]).toEqual([422, ['amount']])
    expect(await pointsOf(mei)).toBe('0')
  })

  test('do it once for one key, and not without one', async () => {
    const mei = await forum.member()
    const wish = { memberId: mei.id, way: 'add', amount: '7', reason: 'Twice clicked' } as const
    const same = key()
    const answers = await Promise.all([1, 2, 3].map(() => chief.tryCall(desk.adjustPoints, wish, same)))
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    await chief.call(desk.adjustPoints, wish, same)
    expect(await pointsOf(mei)).toBe('7')
    expect(await chief.isRefused(desk.adjustPoints, wish, KeyMissing)).toBe(true)
  })

  test('move nothing while the books are frozen', async () => {
    const mei = await forum.member()
    await sql`select ledger.freeze('A look at the books', null)`.execute(forum.database.app)
    const { status, error } = await tries(chief, desk.adjustPoints, { memberId: mei.id, way: 'add', amount: '5', reason: 'Later' })
    await sql`select ledger.thaw('All is well', ${(await staffId()) ?? null})`.execute(forum.database.app)
    expect([status, Object.keys(error)]).toEqual([422, [BooksFrozen.field]])
    expect(await pointsOf(mei)).toBe('0')
  })
})

async function staffId(): Promise<string | undefined> {
  return (await forum.database.app.selectFrom('staff').select('id').limit(1).executeTakeFirst())?.id
}

describe('above the limit', () => {
  test('an adjustment waits until another member of staff agrees', async () => {
    const mei = await forum.member()
    expect(await adjust(mei, { amount: '101' })).toEqual({ isWaiting: true })
    expect(await pointsOf(mei)).toBe('0')
    const [request] = await waitingRequests(mei)
    const requestId = request?.id ?? ''
    expect(request).toMatchObject({ amounts: [{ currency: 'points', amount: '101' }], askedBy: chief.account, isMine: true })
    const alone = await tries(chief, requests.approveRequest, { requestId })
    expect([alone.status, Object.keys(alone.error)]).toEqual([422, [OwnRequest.field]])
    await call(second, requests.approveRequest, { requestId })
    expect(await pointsOf(mei)).toBe('101')
    const twice = await tries(second, requests.approveRequest, { requestId })
    expect(twice.status).toBe(409)
    expect(await pointsOf(mei)).toBe('101')
  })

  test('several small ones are a large one', async () => {
    const mei = await forum.member()
    expect(await adjust(mei, { amount: '60' })).toEqual({ isWaiting: false })
    expect(await adjust(mei, { way: 'take', amount: '41' })).toEqual({ isWaiting: true })
    expect(await adjust(mei, { way: 'take', amount: '41', by: second })).toEqual({ isWaiting: false })
    expect(await pointsOf(mei)).toBe('19')
  })

  test('two approvals at once take effect once, and a declined request never does', async () => {
    const mei = await forum.member()
    await adjust(mei, { amount: '200' })
    await adjust(mei, { amount: '300' })
    const [declined, agreed] = (await waitingRequests(mei)).map(({ id }) => id)
    const third = await aStaffer(forum, ['wallet.view', 'wallet.adjust'])
    const answers = await Promise.all([second, third].map((one) => tries(one, requests.approveRequest, { requestId: agreed ?? '' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    await second.call(requests.declineRequest, { requestId: declined ?? '', reason: 'No such party' })
    expect((await tries(third, requests.approveRequest, { requestId: declined ?? '' })).status).toBe(409)
    expect(await pointsOf(mei)).toBe('200')
    const { rows } = await chief.call(requests.moneyRequests, { member: mei.id })
    expect(rows.map(({ state, answer }) => [state, answer])).toEqual([
      ['declined', 'No such party'],
      ['done', null],
    ])
  })

  test('the database refuses a request approved by its own author', async () => {
    const mei = await forum.member()
    await adjust(mei, { amount: '400' })
    const [request] = await waitingRequests(mei)
    const forged = forum.database.app
      .updateTable('money_request')
      .set((row) => ({ state: 'done', decided_by: row.ref('asked_by'), decided_at: new Date(), transaction_id: '1' }))
      .where('id', '=', request?.id ?? '')
    await expect(forged.execute()).rejects.toMatchObject({ code: '23514', constraint: 'two_agree' })
  })
})

describe('a transaction', () => {
  test('is shown with its entries, and reversed once; a reversal never', async () => {
    const mei = await forum.member()
    await adjust(mei)
    const transactionId = await newestOf(mei)
    const its = await chief.call(desk.transaction, { transactionId })
    expect(its).toMatchObject({ kind: 'adjustment', canReverse: true, actor: { kind: 'staff', name: chief.account } })
    expect(its.entries.map(({ account, owner, amount, balance }) => [account, owner?.id, amount, balance])).toEqual([
      ['adjustment', undefined, '-50', null],
      ['member', mei.id, '50', '50'],
    ])
    const back = () => call(second, desk.reverseTransaction, { transactionId, reason: 'The wrong one' })
    const [first, again] = [await back(), await back()]
    expect(again).toEqual(first)
    expect(await pointsOf(mei)).toBe('0')
    const view = await chief.call(desk.transaction, { transactionId })
    expect(view).toMatchObject({ canReverse: false, reversedBy: first.transactionId })
    const reversal = await tries(chief, desk.reverseTransaction, { transactionId: first.transactionId ?? '', reason: 'Back again' })
    expect([reversal.status, Object.keys(reversal.error)]).toEqual([422, [NotReversible.field]])
    const { rows } = await chief.call(auditLog, { about: `transaction ${transactionId}` })
    expect(rows.map(({ action, reason }) => [action, reason])).toEqual([['wallet.reverse', 'The wrong one']])
  })

  test('of one’s own account is for others to reverse', async () => {
    const { memberId } = await second.call((await import('#staff/right-contract.ts')).me, {})
    await adjust({ id: memberId }, { amount: '5' })
    const { rows } = await chief.call(desk.transactions, { member: memberId })
    const transactionId = rows[0]?.id ?? ''
    const own = await tries(second, desk.reverseTransaction, { transactionId, reason: 'Mine' })
    expect([own.status, Object.keys(own.error)]).toEqual([422, [OwnAccount.field]])
    expect((await second.call(desk.transaction, { transactionId })).canReverse).toBe(false)
  })

  test('is found by member, kind, currency and day', async () => {
    const [mei, tom] = [await forum.member(), await forum.member()]
    await adjust(mei)
    await call(chief, desk.adjustBalance, { memberId: mei.id, way: 'add', amount: '2.5', reason: 'A refund' })
    await adjust(tom)
    const found = async (query: RawInput<typeof desk.transactions>) =>
      (await chief.call(desk.transactions, query)).rows.map(({ sums }) => sums[0])
    expect(await found({ member: mei.id })).toEqual([
      { currency: 'cny', amount: '2.50' },
      { currency: 'points', amount: '50' },
    ])
    expect(await found({ member: mei.id, currency: 'cny' })).toHaveLength(1)
    expect(await found({ member: mei.id, kind: 'reward' })).toEqual([])
    expect(await found({ member: mei.id, since: new Date(Date.now() + 86_400_000).toISOString() })).toEqual([])
  })
})

describe('without a balance', () => {
  test('every call of it is missing, and points go on', async () => {
    const mei = await forum.member()
    await transact(forum.database, (tx) => applySettings(tx, { allowCash: false }))
    const refused = await tries(chief, desk.adjustBalance, { memberId: mei.id, way: 'add', amount: '1', reason: 'None' })
    expect([
      refused.status,
      await mei.isRefused(log.balance, {}, Missing),
      await mei.isRefused(log.statement, { month: '2026-11' }, Missing),
    ]).toEqual([Missing.status, true, true])
    expect((await mei.call(log.wallet, {})).cny).toBeNull()
    expect((await chief.call(desk.memberAccounts, { memberId: mei.id })).accounts.map(({ currency }) => currency)).toEqual(['points'])
    await adjust(mei)
    await transact(forum.database, (tx) => applySettings(tx, { allowCash: true }))
    expect(await pointsOf(mei)).toBe('50')
  })
})

test('staff without the right are refused', async () => {
  const looker = await aStaffer(forum, ['wallet.view'])
  const mei = await forum.member()
  const wish = { memberId: mei.id, way: 'add', amount: '1', reason: 'Please' } as const
  for (const forbidden of [
    [desk.adjustPoints, wish],
    [desk.adjustBalance, wish],
    [requests.approveRequest, { requestId: '1' }],
    [requests.declineRequest, { requestId: '1', reason: 'No' }],
    [desk.reverseTransaction, { transactionId: '1', reason: 'No' }],
  ] as const)
    expect([forbidden[0].path, (await tries(looker, forbidden[0], forbidden[1] as never)).status]).toEqual([
      forbidden[0].path,
      NotAllowed.status,
    ])
  const stranger = await aStaffer(forum, ['member.view'])
  for (const path of [desk.memberAccounts, desk.transactions, requests.moneyRequests, desk.transaction])
    expect((await stranger.tryCall(path, { memberId: mei.id, transactionId: '1' })).status).toBe(NotAllowed.status)
  for (const path of [log.point, log.balance, log.wallet, log.statement])
    expect((await forum.visitor().tryCall(path, { month: '2026-11' })).status).toBeGreaterThanOrEqual(400)
})
