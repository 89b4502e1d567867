import { beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { bookChecks } from '#apps/server/features.ts'
import { auditLog } from '#audit/contract.ts'
import { NotAllowed, type Endpoint, type RawInput } from '#base/contract.ts'
import { KeyMissing } from '#base/server/http/idempotency.ts'
import { ProofRequired } from '#base/server/http/route.ts'
import type { Block, Hidden } from '#base/rich-text/document.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import * as hidden from '#hidden-part/contract.ts'
import * as desk from '#hidden-part/refund-contract.ts'
import { hides, partIds, seenBy } from '#hidden-part/testing/factories.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import { systemNotifyList } from '#notification/contract.ts'
import { me } from '#staff/right-contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as topic from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { BooksFrozen, OwnAccount } from '#wallet/contract.ts'
import * as books from '#wallet/adjust-contract.ts'
import * as log from '#wallet/log-contract.ts'
import { endow } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { documentWith } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let mei: Person
let tom: Person
let bo: Person
let tagId: string
let keys = 0

const key = () => ({ 'idempotency-key': `a-key-of-its-own-${++keys}` })
const tries = <E extends Endpoint>(who: Staffer, endpoint: E, input: RawInput<E>) => who.tryCall(endpoint, input, key())
const reason = 'The part was empty'

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  await forum.database.app
    .transaction()
    .execute((tx) => applySettings(tx, { allowCash: true, hiddenSharePoints: 10, hiddenShareCash: 20, pointsPerDay: 1 }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
})

beforeEach(async () => {
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
})

type Sold = { topicId: string; ids: string[] }

/** A topic of Mei's with these parts, each bought by these members. */
async function aSale(parts: Block[], ...buyers: Person[]): Promise<Sold> {
  const topicId = await aTopic(mei, tagId, { body: documentWith(...parts) })
  const ids = partIds((await forum.visitor().call(topic.thread, { topicId })).segments)
  for (const buyer of buyers)
    for (const [place, partId] of ids.entries()) {
      const { lock = 'points', value = '' } = (parts[place] as Hidden | undefined)?.attrs ?? {}
      await endow(forum.database, buyer.id, Number(value), lock === 'balance' ? 'cny' : 'points')
      await buyer.call(hidden.buyPart, { partId, price: value }, key())
    }
  return { topicId, ids }
}

const treasure = () => hides('points', '30', 'treasure')

async function listed(topicId: string, who = chief) {
  return who.call(desk.unlocksForStaff, { topicId })
}

async function firstOf(topicId: string): Promise<string> {
  return (await listed(topicId)).unlocks[0]?.id ?? ''
}

async function balancesOf(who: Person) {
  const { points, cny } = await who.call(log.wallet, {})
  return { points: Number(points.balance), owed: Number(points.owed), yuan: cny?.balance }
}

async function breaches() {
  return wallet.breachesIn(forum.database, bookChecks, null)
}

test('staff see the unlocks of a topic, with member and price', async () => {
  const { topicId } = await aSale([treasure(), hides('balance', '1250', 'gold')], tom)
  await aSale([treasure()], bo)
  const { unlocks, refundable, total } = await listed(topicId)
  expect(
    unlocks.map(({ member, lock, paid, earned, refundId, canRefund }) => [member.id, lock, paid, earned, refundId, canRefund]),
  ).toEqual([
    [tom.id, 'balance', '12.50', '10.00', null, true],
    [tom.id, 'points', '30', '27', null, true],
  ])
  expect([refundable, total]).toEqual([2, 2])
})

test('a refunded purchase comes back to its buyer, who loses access and may buy anew', async () => {
  const { topicId, ids } = await aSale([treasure()], tom, bo)
  const before = await balancesOf(mei)
  const [, first] = (await listed(topicId)).unlocks
  const { transactionId } = await chief.call(desk.refundUnlock, { unlockId: first?.id ?? '', reason }, key())
  expect([await balancesOf(tom), (await balancesOf(mei)).points]).toEqual([{ points: 30, owed: 0, yuan: '0.00' }, before.points - 27])
  expect([await seenBy(tom, topicId), await seenBy(bo, topicId)]).toEqual(['', 'unlocked: <p>treasure</p>'])
  const { unlocks, refundable } = await listed(topicId)
  expect([unlocks.map(({ refundId, canRefund }) => [refundId, canRefund]), refundable]).toEqual([
    [
      [null, true],
      [transactionId, false],
    ],
    1,
  ])
  const { rows } = await chief.call(auditLog, { about: `topic ${topicId}`, action: 'wallet' })
  expect(rows.map(({ action, reason: why, after }) => [action, why, after])).toEqual([
    ['wallet.refund', reason, { refunds: 1, points: '30', member: tom.account, requestId: expect.any(String) }],
  ])
  await tom.call(hidden.buyPart, { partId: ids[0] ?? '', price: '30' }, key())
  expect(await seenBy(tom, topicId)).toBe('unlocked: <p>treasure</p>')
  expect(await breaches()).toEqual([])
})

test('all purchases in a topic are refunded at once; points already spent by the author are owed', async () => {
  const { topicId } = await aSale([treasure(), hides('balance', '1000', 'gold')], tom, bo)
  // Mei spends all but ten of her share of the two.
  const { points } = await balancesOf(mei)
  await spends(mei, points - 10)
  expect(await chief.call(desk.refundTopic, { topicId, reason }, key())).toEqual({ isWaiting: false, refunded: 4, left: 0 })
  expect(await balancesOf(tom)).toEqual({ points: 30, owed: 0, yuan: '10.00' })
  expect(await balancesOf(mei)).toEqual({ points: 0, owed: 44, yuan: '0.00' })
  expect(await seenBy(tom, topicId)).toBe('')
  const { rows } = await chief.call(auditLog, { about: `topic ${topicId}`, action: 'wallet' })
  expect(rows.map(({ after }) => after)).toEqual([{ refunds: 4, points: '60', cny: '20.00', requestId: expect.any(String) }])
  expect(await breaches()).toEqual([])
})

async function spends(who: Person, amount: number): Promise<void> {
  const topicId = await aTopic(bo, tagId, { body: documentWith(hides('points', String(amount), 'secret')) })
  const [partId = ''] = partIds((await forum.visitor().call(topic.thread, { topicId })).segments)
  await who.call(hidden.buyPart, { partId, price: String(amount) }, key())
}

test('a purchase is refunded once, by one key, by two, or by two of staff at once', async () => {
  const second = await aStaffer(forum, ['wallet.view', 'wallet.reverse'])
  for (let round = 0; round < 10; round++) {
    const buyer = await forum.member()
    mei = await forum.member()
    const { topicId } = await aSale([treasure()], buyer)
    const unlockId = await firstOf(topicId)
    const answers = await Promise.all([
      tries(chief, desk.refundUnlock, { unlockId, reason }),
      tries(second, desk.refundUnlock, { unlockId, reason }),
      tries(second, desk.refundTopic, { topicId, reason }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 409, 422].includes(status))).toBe(true)
    expect((await balancesOf(buyer)).points).toBe(30)
    expect((await tries(chief, desk.refundUnlock, { unlockId, reason })).status).toBe(409)
    expect((await tries(chief, desk.refundTopic, { topicId, reason })).status).toBe(422)
  }
  const { topicId } = await aSale([treasure()], tom)
  const [wish, same] = [{ unlockId: await firstOf(topicId), reason }, key()]
  const [one, other] = [await chief.call(desk.refundUnlock, wish, same), await chief.call(desk.refundUnlock, wish, same)]
  expect(other).toEqual(one)
})

test('a refund between merged accounts goes between the accounts they were merged into', async () => {
  const { topicId } = await aSale([treasure()], tom)
  const [heir, other] = [await forum.member(), await forum.member()]
  await chief.call(mergeMembers, { memberId: tom.id, account: tom.account, into: heir.account, reason: 'the same' })
  await chief.call(mergeMembers, { memberId: mei.id, account: mei.account, into: other.account, reason: 'the same' })
  await resume(forum.database)
  const before = await balancesOf(other)
  await chief.call(desk.refundTopic, { topicId, reason }, key())
  expect((await balancesOf(heir)).points).toBe(30)
  expect((await balancesOf(other)).points).toBe(before.points - 27)
  expect(await breaches()).toEqual([])
})

test('a purchase with buyer and author merged into one is left as it is', async () => {
  const { topicId } = await aSale([treasure()], tom)
  await chief.call(mergeMembers, { memberId: tom.id, account: tom.account, into: mei.account, reason: 'the same' })
  await resume(forum.database)
  expect((await listed(topicId)).unlocks[0]).toMatchObject({ canRefund: false })
  expect((await tries(chief, desk.refundTopic, { topicId, reason })).status).toBe(422)
})

test('staff cannot refund a purchase of their own account', async () => {
  const { memberId } = await chief.call(me, {})
  const topicId = await aTopic(mei, tagId, { body: documentWith(hides('points', '5', 'treasure')) })
  const [partId = ''] = partIds((await forum.visitor().call(topic.thread, { topicId })).segments)
  await endow(forum.database, tom.id, 5)
  await tom.call(hidden.buyPart, { partId, price: '5' }, key())
  await endow(forum.database, memberId, 5)
  const pays = {
    from: memberId,
    to: mei.id,
    currency: 'points',
    amount: 5n,
    kind: 'unlock',
    source: `part:${partId}:${memberId}:0`,
    by: { kind: 'forum' },
  } as never
  await forum.database.app.transaction().execute(async (tx) => {
    const { id } = await wallet.pay(tx, pays)
    await sql`select hidden.record_unlock(${partId}, ${memberId}, 'points', 5, 5, ${id})`.execute(tx)
  })
  const own = await tries(chief, desk.refundUnlock, { unlockId: await firstOf(topicId), reason })
  expect([own.status, Object.keys(own.error)]).toEqual([422, [OwnAccount.field]])
  expect(await chief.call(desk.refundTopic, { topicId, reason }, key())).toEqual({ isWaiting: false, refunded: 1, left: 0 })
  const second = await aStaffer(forum)
  expect(await second.call(desk.refundTopic, { topicId, reason }, key())).toEqual({ isWaiting: false, refunded: 1, left: 0 })
})

test('payments and refunds link to their topic, in the history of buyer and author and in the ledger', async () => {
  const { topicId } = await aSale([hides('balance', '1000', 'gold')], tom)
  await chief.call(desk.refundTopic, { topicId, reason }, key())
  const linksOf = async (who: Person) =>
    (await who.call(log.balance, {})).log.rows.map(({ kind, subject }) => [kind, subject?.topicId]).slice(0, 2)
  const both = [
    ['reversal', topicId],
    ['unlock', topicId],
  ]
  expect([await linksOf(tom), await linksOf(mei)]).toEqual([both, both])
  const { transactionId } = (await listed(topicId)).unlocks[0] ?? {}
  await mei.call(topic.removeTopic, { topicId })
  expect(await chief.call(books.transaction, { transactionId: transactionId ?? '' })).toMatchObject({ subject: null, topicId })
  expect((await tom.call(log.balance, {})).log.rows[0]?.subject).toBeNull()
})

test('buyers and author are notified of their own total', async () => {
  const { topicId } = await aSale([treasure(), hides('balance', '1000', 'gold')], tom, bo)
  await chief.call(desk.refundTopic, { topicId, reason }, key())
  const noticesTo = async (who: Person) => (await who.call(systemNotifyList, {})).notices.map(({ says }) => says)
  const says = (currency: string, amount: string) => ({ kind: 'accountRefunded', currency, amount, reason })
  const theirs = [says('points', '30'), says('cny', '10.00')]
  expect([await noticesTo(tom), await noticesTo(bo)]).toEqual([theirs, theirs])
  expect(await noticesTo(mei)).toEqual([says('points', '-54'), says('cny', '-16.00')])
})

test('an unlock by password has no refund, and nothing is refunded while the books are frozen', async () => {
  const topicId = await aTopic(mei, tagId, { body: documentWith(hides('password', 'sesame', 'cave')) })
  const [partId = ''] = partIds((await forum.visitor().call(topic.thread, { topicId })).segments)
  await tom.call(hidden.unlockPart, { partId, password: 'sesame' })
  const { unlocks } = await listed(topicId)
  expect(unlocks).toMatchObject([{ lock: 'password', transactionId: null, canRefund: false }])
  expect((await tries(chief, desk.refundUnlock, { unlockId: unlocks[0]?.id ?? '', reason })).status).toBe(422)
  expect((await tries(chief, desk.refundUnlock, { unlockId: '999999', reason })).status).toBe(404)
  const paid = await aSale([treasure()], tom)
  await sql`select ledger.freeze('a test', null)`.execute(forum.database.app)
  const frozen = await tries(chief, desk.refundTopic, { topicId: paid.topicId, reason })
  await sql`select ledger.thaw('a test', 1)`.execute(forum.database.app)
  expect([frozen.status, Object.keys(frozen.error)]).toEqual([422, [BooksFrozen.field]])
  expect(await seenBy(tom, paid.topicId)).toBe('unlocked: <p>treasure</p>')
})

test('a refund takes the right, a reason, a key and a recent proof of the password', async () => {
  const { topicId } = await aSale([treasure()], tom)
  const unlockId = await firstOf(topicId)
  const looker = await aStaffer(forum, ['wallet.view', 'content.view', 'wallet.adjust'])
  const stranger = await aStaffer(forum, ['content.view'])
  expect((await tries(stranger, desk.unlocksForStaff, { topicId })).status).toBe(NotAllowed.status)
  expect((await listed(topicId, looker)).total).toBe(1)
  for (const [call, input] of [
    [desk.refundUnlock, { unlockId, reason }],
    [desk.refundTopic, { topicId, reason }],
  ] as const) {
    expect((await tries(looker, call, input as never)).status).toBe(NotAllowed.status)
    expect((await mei.tryCall(call, input as never, key())).status).toBe(401)
    expect((await tries(chief, call, { ...input, reason: ' ' })).status).toBe(422)
    expect(await chief.isRefused(call, input, KeyMissing)).toBe(true)
  }
  const late = await aStaffer(forum)
  await sql`update staff_session set proved_at = now() - interval '11 minutes' where staff_id = ${late.id}`.execute(forum.database.app)
  expect((await tries(late, desk.refundTopic, { topicId, reason })).status).toBe(ProofRequired.status)
  expect(await seenBy(tom, topicId)).toBe('unlocked: <p>treasure</p>')
})
