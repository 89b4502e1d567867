import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { auditLog } from '#audit/contract.ts'
import type { Endpoint, RawInput } from '#base/contract.ts'
import { dayAt, startOfDay } from '#base/server/calendar.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { runRounds } from '#base/testing/races.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { bountyForStaff, changeBounty, NotOpen } from '#bounty/contract.ts'
import { standingOf } from '#bounty/testing/factories.ts'
import { adoptAsStaff, unadoptAsStaff } from '#content/contract.ts'
import { buyPart, RefundedAlready } from '#hidden-part/contract.ts'
import { refundTopic, refundUnlock, unlocksForStaff } from '#hidden-part/refund-contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import { adoptAnswer, askQuestion } from '#question/contract.ts'
import { anAnswer } from '#question/testing/factories.ts'
import type { Settings } from '#setting/contract.ts'
import { waitingNow } from '#statistic/contract.ts'
import { me } from '#staff/right-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { adjustPoints, adjustBalance, memberAccounts, reverseTransaction, transaction, transactions } from '#wallet/adjust-contract.ts'
import { NotReversible, OwnAccount, OwnRequest, RequestOutdated, RequestWaits, ReversedAlready } from '#wallet/contract.ts'
import { wallet } from '#wallet/log-contract.ts'
import { approveRequest, declineRequest, moneyRequests, type RequestKind } from '#wallet/request-contract.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { endow } from '#wallet/testing/factories.ts'
import { documentWith, says } from '#writing/testing/factories.ts'

let forum: Forum
let tagId: string
/** The requester, new in each test, and an approver. */
let hand: Staffer
let second: Staffer

const reason = 'It was wrong'
const all = ['wallet.view', 'wallet.adjust', 'wallet.reverse', 'question.bounty', 'question.adopt', 'content.view', 'audit.view']

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
  await change({ allowCash: true, hiddenSharePoints: 0, questionPoints: 0, answerPoints: 0, adoptedPoints: 0, topicPoints: 0 })
  await change({
    approvalThresholdPoints: 100,
    approvalThresholdYuan: 10,
    dailyApprovalThresholdPoints: 250,
    dailyApprovalThresholdYuan: 25,
  })
  second = await aStaffer(forum, all)
})
beforeEach(async () => {
  hand = await aStaffer(forum, all)
})
afterEach(async () => {
  const breaches = await checkLedger(forum.database, bookChecks, { isFull: true })
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

async function change(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

const call = <E extends Endpoint>(who: Staffer, endpoint: E, input: RawInput<E>) => who.call(endpoint, input, newIdempotencyKey())
const refused = async <E extends Endpoint>(who: Staffer, endpoint: E, input: RawInput<E>) => {
  const { status, error } = await who.tryCall(endpoint, input, newIdempotencyKey())
  return [status, Object.keys(error)]
}

async function balanceOf(who: Person): Promise<number> {
  return Number((await who.call(wallet, {})).points.balance)
}

async function waits(by: Staffer, input: RawInput<typeof adjustPoints>): Promise<boolean> {
  return (await call(by, adjustPoints, input)).isWaiting
}

async function adds(amount: number, { by = hand, to }: { by?: Staffer; to?: Person } = {}): Promise<boolean> {
  const memberId = (to ?? (await forum.member())).id
  return waits(by, { memberId, way: 'add', amount: String(amount), reason })
}

/** Uses up this much of the day's limit, over as many members as needed. */
async function movedBefore(amount: number, by: Staffer): Promise<void> {
  for (let left = amount; left > 0; left -= 100) expect(await adds(Math.min(100, left), { by })).toBe(false)
}

async function transactionOf(who: Person, amount = 60): Promise<string> {
  await endow(forum.database, who.id, amount)
  return (await second.call(transactions, { member: who.id })).rows[0]?.id ?? ''
}

async function aSale(price: number, ...buyers: Person[]) {
  const author = await forum.member()
  const topicId = await aTopic(author, tagId, { body: documentWith(hides('points', String(price), 'treasure')) })
  const [partId = ''] = partIds((await forum.visitor().call(thread, { topicId })).segments)
  for (const buyer of buyers) {
    await endow(forum.database, buyer.id, price)
    await buyer.call(buyPart, { partId, price: String(price) }, newIdempotencyKey())
  }
  const { unlocks } = await second.call(unlocksForStaff, { topicId })
  return { author, topicId, unlockIds: unlocks.map(({ id }) => id) }
}

async function aBounty(bountyPoints: number) {
  const [asker, tom, lin] = [await forum.member(), await forum.member(), await forum.member()]
  await endow(forum.database, asker.id, 1_000)
  const draft = { tagId, title: 'How long does it steep?', body: says('I want to know.'), bountyPoints: String(bountyPoints) }
  const { questionId } = await asker.call(askQuestion, draft, newIdempotencyKey())
  return { asker, tom, lin, questionId, toms: await anAnswer(tom, questionId), lins: await anAnswer(lin, questionId) }
}

async function waitingOf(by: Staffer, kind?: RequestKind) {
  return (await second.call(moneyRequests, { state: 'waiting', account: by.account, ...(kind && { kind }) })).rows
}

async function firstOf(by: Staffer): Promise<string> {
  return (await waitingOf(by))[0]?.id ?? ''
}

/** Every kind of manual transaction, each of 60 points. */
const ways = {
  'an adjustment that adds': async () => (by: Staffer) => adds(60, { by }).then((isWaiting) => ({ isWaiting })),
  'an adjustment that takes': async () => {
    const { id } = await rich()
    return (by: Staffer) => call(by, adjustPoints, { memberId: id, way: 'take', amount: '60', reason })
  },
  'a reversal': async () => {
    const transactionId = await transactionOf(await forum.member())
    return (by: Staffer) => call(by, reverseTransaction, { transactionId, reason })
  },
  'a refund': async () => {
    const { unlockIds } = await aSale(60, await forum.member())
    return (by: Staffer) => call(by, refundUnlock, { unlockId: unlockIds[0] ?? '', reason })
  },
  'a refund of all of a topic': async () => {
    const { topicId } = await aSale(20, await forum.member(), await forum.member(), await forum.member())
    return (by: Staffer) => call(by, refundTopic, { topicId, reason })
  },
  'a bounty that is raised': async () => {
    const { questionId: topicId } = await aBounty(40)
    return (by: Staffer) => call(by, changeBounty, { topicId, bountyPoints: '100', reason })
  },
  'a bounty that is lowered': async () => {
    const { questionId: topicId } = await aBounty(100)
    return (by: Staffer) => call(by, changeBounty, { topicId, bountyPoints: '40', reason })
  },
  'a bounty that is returned': async () => {
    const { questionId: topicId } = await aBounty(60)
    return (by: Staffer) => call(by, changeBounty, { topicId, reason })
  },
  'a bounty that staff pay': async () => {
    const { toms: commentId } = await aBounty(60)
    return (by: Staffer) => call(by, adoptAsStaff, { commentId, reason })
  },
  'a bounty that is paid to another answer': async () => {
    const { asker, questionId, toms, lins: commentId } = await aBounty(60)
    await asker.call(adoptAnswer, { questionId, commentId: toms }, newIdempotencyKey())
    return (by: Staffer) => call(by, adoptAsStaff, { commentId, reason })
  },
  'a bounty that is taken back': async () => {
    const { asker, questionId, toms: commentId } = await aBounty(60)
    await asker.call(adoptAnswer, { questionId, commentId }, newIdempotencyKey())
    return (by: Staffer) => call(by, unadoptAsStaff, { commentId, reason })
  },
} satisfies Record<string, () => Promise<(by: Staffer) => Promise<{ isWaiting: boolean }>>>

async function rich(): Promise<Person> {
  const who = await forum.member()
  await endow(forum.database, who.id, 500)
  return who
}

describe.each(Object.entries(ways))('%s', (_, prepare) => {
  test('is done alone up to the limit of the day, over all members, and counts towards it', async () => {
    await movedBefore(190, hand)
    expect(await (await prepare())(hand)).toMatchObject({ isWaiting: false })
    // The day's sum is exactly at the limit: one point more is too much.
    expect([await adds(1), (await waitingOf(hand)).length]).toEqual([true, 1])
    expect(await adds(1, { by: second })).toBe(false)
  })

  test('waits above it, is done once another approves, and does not count towards the approver’s limit', async () => {
    await movedBefore(191, hand)
    const move = await prepare()
    const third = await aStaffer(forum, all)
    expect(await move(hand)).toMatchObject({ isWaiting: true })
    const [request] = await waitingOf(hand)
    expect(request?.amounts.map(({ amount }) => Math.abs(Number(amount)))).toEqual([60])
    const requestId = request?.id ?? ''
    expect(await refused(hand, approveRequest, { requestId })).toEqual([422, [OwnRequest.field]])
    await call(third, approveRequest, { requestId })
    expect((await third.tryCall(approveRequest, { requestId }, newIdempotencyKey())).status).toBe(409)
    await movedBefore(59, hand)
    await movedBefore(250, third)
    const { rows } = await third.call(auditLog, { account: third.account, action: 'wallet.approve' })
    expect(rows.map(({ reason: why, after }) => [why, after])).toEqual([[reason, expect.objectContaining({ requestId })]])
  })
})

test('all ways add up', async () => {
  const moves = [ways['a reversal'], ways['a refund'], ways['a bounty that is raised'], ways['a bounty that is paid to another answer']]
  for (const prepare of moves) expect(await (await prepare())(hand)).toMatchObject({ isWaiting: false })
  expect([await adds(11), await adds(10)]).toEqual([true, false])
})

test('a reversed adjustment frees none of the limit, and its reversal takes some too', async () => {
  const mei = await forum.member()
  await adds(100, { to: mei })
  const transactionId = (await second.call(transactions, { member: mei.id })).rows[0]?.id ?? ''
  expect(await call(hand, reverseTransaction, { transactionId, reason })).toMatchObject({ isWaiting: false })
  expect([await adds(51), await adds(50)]).toEqual([true, false])
})

test('points and balance have a limit each', async () => {
  await movedBefore(250, hand)
  const pays = async (amount: string) => {
    const { id: memberId } = await forum.member()
    return (await call(hand, adjustBalance, { memberId, way: 'add', amount, reason })).isWaiting
  }
  expect([await pays('10'), await pays('10'), await pays('5.01'), await pays('5')]).toEqual([false, false, true, false])
  const { alone, aloneADay } = await second.call(memberAccounts, { memberId: (await forum.member()).id })
  expect([alone, aloneADay]).toEqual([
    { points: '100', cny: '10.00' },
    { points: '250', cny: '25.00' },
  ])
})

test('another day has a limit of its own, by the site’s time zone', async () => {
  await movedBefore(250, hand)
  const { app } = forum.database
  await app
    .updateTable('money_request')
    .set({ asked_at: new Date(Date.now() - 26 * 3_600_000) })
    .where('state', '=', 'done')
    .execute()
  expect(await adds(100)).toBe(false)
})

test('a change of the time zone of the site opens no second day', async () => {
  const hours = new Date().getUTCHours()
  const midnightJustNow = hours < 13 ? `Etc/GMT+${hours}` : `Etc/GMT-${24 - hours}`
  await movedBefore(250, hand)
  await forum.database.app
    .updateTable('money_request')
    .set({ asked_at: startOfDay(dayAt(Date.now(), 'Asia/Shanghai'), 'Asia/Shanghai') })
    .where('state', '=', 'done')
    .execute()
  expect(await adds(1)).toBe(true)
  for (const timeZone of ['Pacific/Kiritimati', midnightJustNow, 'Etc/GMT+12']) {
    await change({ timeZone })
    expect(await adds(1)).toBe(true)
  }
  await change({ timeZone: 'Asia/Shanghai' })
})

test('many at once never move more than the limit', async () => {
  await runRounds(async () => {
    const by = await aStaffer(forum, all)
    await movedBefore(100, by)
    const moves = [ways['an adjustment that adds'], ways['a reversal'], ways['a refund'], ways['a bounty that staff pay']]
    const ready = await Promise.all(moves.map((prepare) => prepare()))
    const results = await Promise.all(ready.map((move) => move(by)))
    expect(results.filter((one) => !one.isWaiting)).toHaveLength(2)
    expect([await adds(31, { by }), await adds(30, { by })]).toEqual([true, false])
  }, 3)
})

describe('a waiting request', () => {
  beforeEach(() => movedBefore(250, hand))

  test('moves nothing yet, says what it would do, and is asked for once', async () => {
    const tom = await forum.member()
    const { topicId, unlockIds } = await aSale(30, tom, await forum.member())
    const [, unlockId = ''] = unlockIds
    await call(hand, refundUnlock, { unlockId, reason })
    await call(hand, refundTopic, { topicId, reason })
    const { asker, questionId, lins } = await aBounty(40)
    await call(hand, changeBounty, { topicId: questionId, bountyPoints: '70', bountyCash: '1.50', reason })
    await call(hand, adoptAsStaff, { commentId: lins, reason })
    const transactionId = await transactionOf(tom, 7)
    await call(hand, reverseTransaction, { transactionId, reason })
    expect([await balanceOf(tom), await balanceOf(asker)]).toEqual([7, 960])
    const rows = await waitingOf(hand)
    expect(
      rows.map(({ kind, member, topicId: of, reverses, amounts, detail }) => [kind, member?.id, of, reverses, amounts, detail]),
    ).toEqual([
      ['reversal', tom.id, null, transactionId, [{ currency: 'points', amount: '7' }], {}],
      ['adoption', undefined, questionId, null, [{ currency: 'points', amount: '40' }], { answer: { commentId: lins, isBest: true } }],
      [
        'bountyChange',
        undefined,
        questionId,
        null,
        [
          { currency: 'points', amount: '30' },
          { currency: 'cny', amount: '1.50' },
        ],
        { bounty: { from: { points: '40', cash: null }, to: { points: '70', cash: '1.50' } } },
      ],
      ['topicRefund', undefined, topicId, null, [{ currency: 'points', amount: '60' }], { purchases: 2 }],
      ['refund', tom.id, topicId, expect.any(String), [{ currency: 'points', amount: '30' }], {}],
    ])
    expect(rows.every(({ topic, topicId: of }) => (topic === null) === (of === null))).toBe(true)
    expect((await second.call(unlocksForStaff, { topicId })).unlocks.map(({ isWaiting }) => isWaiting)).toEqual([true, true])
    expect((await second.call(bountyForStaff, { topicId: questionId })).bounty?.isWaiting).toBe(true)
    expect((await second.call(transaction, { transactionId })).isWaiting).toBe(true)
    const again = [
      [refundUnlock, { unlockId, reason }],
      [refundTopic, { topicId, reason }],
      [changeBounty, { topicId: questionId, bountyPoints: '99', reason }],
      [adoptAsStaff, { commentId: lins, reason }],
      [reverseTransaction, { transactionId, reason }],
    ] as const
    for (const [endpoint, input] of again) expect(await refused(hand, endpoint, input as never)).toEqual([409, [RequestWaits.field]])
    const { rows: noted } = await second.call(auditLog, { account: hand.account, action: 'wallet.ask' })
    expect(noted.map(({ about, after }) => [about, after])).toContainEqual([
      `topic ${questionId}`,
      { points: '30', cny: '1.50', requestId: rows.find(({ kind }) => kind === 'bountyChange')?.id },
    ])
  })

  test('is not approved if its transaction was reversed meanwhile, and can be declined then', async () => {
    const transactionId = await transactionOf(await forum.member(), 7)
    await call(hand, reverseTransaction, { transactionId, reason })
    await call(second, reverseTransaction, { transactionId, reason })
    const requestId = await firstOf(hand)
    expect(await refused(second, approveRequest, { requestId })).toEqual([409, [ReversedAlready.field]])
    await call(second, declineRequest, { requestId, reason: 'It was done' })
    expect(await waitingOf(hand)).toEqual([])
    const { rows } = await second.call(auditLog, { about: `transaction ${transactionId}`, action: 'wallet' })
    expect(rows.map(({ action }) => action)).toEqual(['wallet.decline', 'wallet.reverse', 'wallet.ask'])
  })

  test('is refused once its purchase was refunded, or its bounty is another by now', async () => {
    const { unlockIds } = await aSale(30, await forum.member())
    await call(hand, refundUnlock, { unlockId: unlockIds[0] ?? '', reason })
    await call(second, refundUnlock, { unlockId: unlockIds[0] ?? '', reason })
    expect(await refused(second, approveRequest, { requestId: await firstOf(hand) })).toEqual([409, [RefundedAlready.field]])
    const { questionId: topicId } = await aBounty(40)
    await call(hand, changeBounty, { topicId, bountyPoints: '50', reason })
    const requestId = await firstOf(hand)
    await call(second, changeBounty, { topicId, bountyPoints: '45', reason })
    expect(await refused(second, approveRequest, { requestId })).toEqual([409, [RequestOutdated.field]])
    await call(second, changeBounty, { topicId, reason })
    expect(await refused(second, approveRequest, { requestId })).toEqual([409, [NotOpen.field]])
    expect(await standingOf(forum.database, topicId)).toEqual({ state: 'returned', held: 0 })
  })

  test('never moves more than was agreed to: an answer is not accepted for a bounty that grew', async () => {
    const { questionId: topicId, toms: commentId, tom } = await aBounty(40)
    await call(hand, adoptAsStaff, { commentId, reason })
    const requestId = await firstOf(hand)
    await call(await aStaffer(forum, all), changeBounty, { topicId, bountyPoints: '90', reason })
    expect(await refused(second, approveRequest, { requestId })).toEqual([409, [RequestOutdated.field]])
    expect(await balanceOf(tom)).toBe(0)
  })

  test('is approved by staff with the right to do it themselves, and touches no account of theirs', async () => {
    const { memberId } = await second.call(me, {})
    const few = await aStaffer(forum, ['wallet.view', 'wallet.adjust'])
    const counts = () => Promise.all([second, few].map(async (one) => (await one.call(waitingNow, {})).moneyRequests))
    const before = await counts()
    await call(hand, reverseTransaction, { transactionId: await transactionOf({ id: memberId } as Person, 7), reason })
    const [request] = await waitingOf(hand)
    expect(request).toMatchObject({ isOfMe: true, mayDecide: true })
    const requestId = request?.id ?? ''
    expect(await refused(second, approveRequest, { requestId })).toEqual([422, [OwnAccount.field]])
    expect((await few.tryCall(approveRequest, { requestId }, newIdempotencyKey())).status).toBe(403)
    expect((await few.tryCall(declineRequest, { requestId, reason }, newIdempotencyKey())).status).toBe(403)
    expect(await counts()).toEqual(before)
    await adds(5)
    expect(await counts()).toEqual(before.map((count) => Number(count) + 1))
    await call(hand, declineRequest, { requestId, reason: 'Not needed any more' })
  })

  test('is refused for an action that no one may do', async () => {
    const { asker, questionId, toms: commentId, tom } = await aBounty(40)
    await asker.call(adoptAnswer, { questionId, commentId }, newIdempotencyKey())
    const paid = (await second.call(transactions, { member: tom.id })).rows[0]?.id ?? ''
    expect(await refused(hand, reverseTransaction, { transactionId: paid, reason })).toEqual([422, [NotReversible.field]])
    expect(await refused(hand, changeBounty, { topicId: questionId, reason })).toEqual([409, [NotOpen.field]])
    expect(await waitingOf(hand)).toEqual([])
  })
})
