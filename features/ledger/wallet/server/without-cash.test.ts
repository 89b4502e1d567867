import { beforeEach, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { bountyForStaff } from '#bounty/contract.ts'
import { buyPart, myUnlocks, unlocksOfMine } from '#hidden-part/contract.ts'
import { refundTopic, unlocksForStaff } from '#hidden-part/refund-contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import { systemNotifyList, unreadMessageCount } from '#notification/contract.ts'
import { askQuestion } from '#question/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { dashboard } from '#statistic/contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import * as desk from '#wallet/adjust-contract.ts'
import { moneyRequests } from '#wallet/request-contract.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { endow } from '#wallet/testing/factories.ts'
import { documentWith, says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let second: Staffer
let mei: Person
let tom: Person
let lin: Person
let topicId = ''
let questionId = ''

async function allowCash(value: boolean): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, { allowCash: value, approvalThresholdYuan: 10 }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

// Tom spends everything on Mei's hidden part; a part of Lin's money is in a bounty, and staff want to raise it.
beforeEach(async () => {
  forum = await aForum()
  await allowCash(true)
  ;[chief, second] = [await aStaffer(forum), await aStaffer(forum)]
  ;[mei, tom, lin] = [await forum.member(), await forum.member(), await forum.member()]
  for (const { id: memberId } of [tom, lin])
    await chief.call(desk.adjustBalance, { memberId, way: 'add', amount: '5', reason: 'A prize' }, newIdempotencyKey())
  await chief.call(desk.adjustBalance, { memberId: lin.id, way: 'add', amount: '500', reason: 'A large one' }, newIdempotencyKey())
  await endow(forum.database, tom.id, 7)
  const tagId = await aTag(forum.database)
  topicId = await aTopic(mei, tagId, { body: documentWith(hides('balance', '500', 'treasure'), hides('points', '7', 'pearls')) })
  const [dear = '', cheap = ''] = partIds((await forum.visitor().call(thread, { topicId })).segments)
  await tom.call(buyPart, { partId: dear, price: '500' }, newIdempotencyKey())
  await tom.call(buyPart, { partId: cheap, price: '7' }, newIdempotencyKey())
  const draft = { tagId, title: 'How long does it steep?', body: says('I want to know.'), bountyCash: '3' }
  ;({ questionId } = await lin.call(askQuestion, draft, newIdempotencyKey()))
})

const accountsOf = async ({ id: memberId }: Person) => (await chief.call(desk.memberAccounts, { memberId })).accounts
const currenciesOf = async (who: Person) => (await accountsOf(who)).map(({ currency }) => currency)
const counts = async (who: Person) => {
  const [{ total, unread }, { systemNotifyCount }] = [await who.call(systemNotifyList, {}), await who.call(unreadMessageCount, {})]
  return [total, unread, systemNotifyCount]
}

test('a site with the balance switched off shows no balance to members: notices, their number, and unlocked parts', async () => {
  const before = await counts(tom)
  await allowCash(false)
  expect(before.map((count) => count - 1)).toEqual(await counts(tom))
  expect(JSON.stringify(await tom.call(systemNotifyList, {}))).not.toContain('cny')
  const { unlocks } = await tom.call(myUnlocks, {})
  expect(unlocks.map(({ lock, paid, segments }) => [lock, paid, segments?.[0]?.html])).toEqual([
    ['points', '7', '<p>pearls</p>'],
    ['balance', '0', '<p>treasure</p>'],
  ])
  const mine = await mei.call(unlocksOfMine, {})
  expect([mine.earned, mine.unlocks.map(({ paid, earned }) => [paid, earned])]).toEqual([
    { points: '7', cents: '0' },
    [
      ['7', '7'],
      ['0', '0'],
    ],
  ])
  await allowCash(true)
  expect(await counts(tom)).toEqual(before)
})

test('lists of staff show no balance either; an account with some still shows it, and can be opened', async () => {
  const waiting = async () => (await second.call(dashboard, {})).waiting.moneyRequests
  expect([await waiting(), (await chief.call(moneyRequests, {})).count]).toEqual([1, 4])
  await allowCash(false)
  expect([await waiting(), (await chief.call(moneyRequests, {})).count]).toEqual([0, 1])
  const { rows } = await chief.call(desk.transactions, {})
  expect([...new Set(rows.flatMap(({ sums }) => sums.map(({ currency }) => currency)))]).toEqual(['points'])
  expect((await chief.call(desk.transactions, { currency: 'cny' })).rows.every(({ sums }) => sums[0]?.currency === 'points')).toBe(true)
  const { unlocks, refundable, total } = await chief.call(unlocksForStaff, { topicId })
  expect([unlocks.map(({ lock }) => lock), refundable, total]).toEqual([['points'], 1, 1])

  expect(await currenciesOf(tom)).toEqual(['points'])
  expect((await chief.tryCall(desk.memberAccounts, { memberId: tom.id, currency: 'cny' })).status).toBe(404)
  expect((await chief.call(desk.memberAccounts, { memberId: lin.id })).waiting).toBe(0)
  expect((await accountsOf(lin)).at(-1)).toMatchObject({ currency: 'cny', balance: '2.00', held: '3.00' })
  expect((await accountsOf(mei)).at(-1)).toMatchObject({ currency: 'cny', balance: '5.00', held: '0.00' })
  const { log } = await chief.call(desk.memberAccounts, { memberId: mei.id, currency: 'cny' })
  expect(log.rows.map(({ kind, amount }) => [kind, amount])).toEqual([['unlock', '5.00']])
  expect((await chief.call(desk.transaction, { transactionId: log.rows[0]?.id ?? '' })).sums).toEqual([{ currency: 'cny', amount: '5.00' }])
  // The hold is returned or paid even if balances are switched off, and shown until then.
  expect((await chief.call(bountyForStaff, { topicId: questionId })).bounty?.cash).toBe('3.00')

  expect(await chief.call(refundTopic, { topicId, reason: 'Empty' }, newIdempotencyKey())).toEqual({
    isWaiting: false,
    refunded: 1,
    left: 0,
  })
  await allowCash(true)
  expect((await chief.call(unlocksForStaff, { topicId })).refundable).toBe(1)
})

test('the ledger keeps the balance all along', async () => {
  await allowCash(false)
  expect(await checkLedger(forum.database, bookChecks, { isFull: true })).toEqual([])
})
