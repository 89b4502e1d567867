import { beforeAll, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { bountyForm, raiseBounty } from '#bounty/contract.ts'
import { standingOf } from '#bounty/testing/factories.ts'
import { removeTopicAsStaff } from '#content/contract.ts'
import { buyPart } from '#hidden-part/contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import { aCard, buys } from '#membership/testing/factories.ts'
import { systemNotifyList } from '#notification/contract.ts'
import { tops, withSandbox } from '#payment/testing/factories.ts'
import { askQuestion } from '#question/contract.ts'
import { anIdNumber } from '#real-name/testing/factories.ts'
import * as realName from '#real-name/server/real-name.ts'
import { envelopeForm, giveEnvelope } from '#red-envelope/contract.ts'
import { envelopeOf, letEnd, opens, payClaims, withEnvelopes } from '#red-envelope/testing/factories.ts'
import { approveReview, reviewQueue } from '#review/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aRole, aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic, gives } from '#topic/testing/factories.ts'
import { wallet } from '#wallet/log-contract.ts'
import { endow } from '#wallet/testing/factories.ts'
import { documentWith, paragraph, says } from '#writing/testing/factories.ts'

let forum: Forum
let tagId: string
let keys = 0

beforeAll(async () => {
  forum = await aForum()
  await withSandbox(forum, {
    maxChildCentsPerPayment: 1_000,
    maxChildCentsPerDay: 1_500,
    maxYouthCentsPerPayment: 2_000,
    maxYouthCentsPerDay: 3_000,
    minTopUpCents: 100,
  })
  await withEnvelopes(forum)
  tagId = await aTag(forum.database)
})

async function change(values: Parameters<typeof applySettings>[1]): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

const aKey = () => ({ 'idempotency-key': `a-key-of-a-minor-${++keys}` })

/** A member of this verified age, with a large balance. */
async function aged(age: number | null): Promise<Person> {
  const who = await forum.member()
  await endow(forum.database, who.id, 100_000, 'cny')
  if (age === null) return who
  const birthday = `${new Date().getUTCFullYear() - age}-01-01`
  const claim = { document: 'chineseId', name: '李雷', number: anIdNumber(birthday.replaceAll('-', ''), ++keys), birthday } as const
  await transact(forum.database, (tx) => realName.store(tx, who.id, claim, 'test'))
  return who
}

/** Each way to spend money: tries an amount in yuan, and returns the status with the refused field. */
const spendings = {
  async 'a hidden part'(who: Person, yuan: string) {
    const price = yuan.replace('.', '')
    const body = documentWith(paragraph({ type: 'text', text: 'Open.' }), hides('balance', price, 'Closed.'))
    const topicId = await aTopic(await forum.member(), tagId, { body })
    const [partId = ''] = partIds((await forum.visitor().call(thread, { topicId })).segments)
    return outcome(await who.tryCall(buyPart, { partId, price }, aKey()))
  },
  async 'a bounty'(who: Person, yuan: string) {
    return outcome(await asks(who, yuan))
  },
  async 'a membership card'(who: Person, yuan: string) {
    const { ids } = await aCard(forum.database, await aRole(forum.database, ['invite']), [{ cents: Math.round(Number(yuan) * 100) }])
    return outcome(await buys(who, ids[0] ?? '', { cash: yuan }))
  },
  async 'a red envelope'(who: Person, yuan: string) {
    return outcome(await gives(who, tagId, { envelopeKind: 'random', envelopeCash: yuan, envelopeQuantity: 2 }))
  },
  async 'a red envelope to a friend'(who: Person, yuan: string) {
    return outcome(await who.tryCall(giveEnvelope, { envelopeCash: yuan, envelopeReceiver: (await forum.member()).account }, aKey()))
  },
}
const names = Object.keys(spendings) as (keyof typeof spendings)[]

function asks(who: Person, bountyCash: string) {
  return who.tryCall(askQuestion, { tagId, tagIds: [], title: `Asked ${++keys}`, body: says('What now?'), bountyCash }, aKey())
}

function outcome({ status, error }: { status: number; error: object }): [number, string[]] {
  return [status, Object.keys(error ?? {})]
}

async function left(who: Person): Promise<number> {
  return Number((await who.call(wallet, {})).cny?.balance)
}

const fieldOf = {
  'a hidden part': 'amount',
  'a bounty': 'bountyCash',
  'a membership card': 'amount',
  'a red envelope': 'envelopeCash',
  'a red envelope to a friend': 'envelopeCash',
} as const

test.each(names)(
  'for %s a child and a youth spend up to their caps at once and within a day, an adult their whole balance',
  async (name) => {
    const spend = spendings[name]
    const refused = [422, [fieldOf[name]]]
    for (const [age, once, above, rest] of [
      [8, '10.00', '10.01', '5.01'],
      [15, '10.00', '10.01', '5.01'],
      [16, '20.00', '20.01', '10.01'],
      [17, '20.00', '20.01', '10.01'],
    ] as const) {
      const who = await aged(age)
      expect.soft(await spend(who, above), `${age} at once`).toEqual(refused)
      expect.soft((await spend(who, once))[0], `${age} as much as may be`).toBe(200)
      expect.soft(await spend(who, rest), `${age} in a day`).toEqual(refused)
      expect.soft(await left(who)).toBe(1_000 - Number(once))
    }
    for (const age of [18, null]) {
      const who = await aged(age)
      expect.soft((await spend(who, '99.00'))[0], `${age}`).toBe(200)
      expect.soft((await spend(who, '99.00'))[0], `${age}`).toBe(200)
    }
  },
)

test.each(names)('for %s a child under eight spends nothing', async (name) => {
  const who = await aged(7)
  expect(await spendings[name](who, '1.00')).toEqual([422, [fieldOf[name]]])
  expect(await left(who)).toBe(1_000)
})

test('a payment in one way counts in all others, and two purchases at once are not both let through', async () => {
  const who = await aged(12)
  expect((await spendings['a hidden part'](who, '6.00'))[0]).toBe(200)
  expect((await spendings['a bounty'](who, '4.00'))[0]).toBe(200)
  const both = await Promise.all([spendings['a hidden part'](who, '5.00'), spendings['a membership card'](who, '5.00')])
  expect(both.map(([status]) => status).toSorted()).toEqual([200, 422])
  expect(await left(who)).toBe(985)
})

test('points have no caps, and deductions by staff do not count', async () => {
  const who = await aged(10)
  await endow(forum.database, who.id, -900_00, 'cny')
  await endow(forum.database, who.id, 5_000)
  const { ids } = await aCard(forum.database, await aRole(forum.database, ['invite']), [{ points: 3_000 }])
  expect((await buys(who, ids[0] ?? '', { points: '3000' })).status).toBe(200)
  expect((await spendings['a bounty'](who, '10.00'))[0]).toBe(200)
})

test('a bounty is offered up to the cap, and raised to no more than that in all', async () => {
  const [child, infant, adult] = [await aged(9), await aged(5), await aged(30)]
  const most = async (who: Person) => (await who.call(bountyForm, {})).cash?.most
  expect([await most(child), await most(infant)]).toEqual(['10.00', undefined])
  expect(Number(await most(adult))).toBeGreaterThan(10)
  const { body } = await asks(child, '9.00')
  const raise = (bountyCash: string) => child.tryCall(raiseBounty, { questionId: body.questionId, bountyCash }, aKey())
  expect(outcome(await raise('10.01'))).toEqual([422, ['bountyCash']])
  expect((await raise('10.00')).status).toBe(200)
  expect(await left(child)).toBe(990)
})

test('a bounty above the cap when its question is published is not taken, and its asker is notified', async () => {
  const who = await aged(9)
  const chief = await aStaffer(forum)
  await change({ reviewQuestions: 'everybody' })
  const ids = [(await asks(who, '10.00')).body.questionId, (await asks(who, '10.00')).body.questionId]
  await change({ reviewQuestions: 'nobody' })
  for (const { id: reviewId, version } of (await chief.call(reviewQueue, {})).rows) await chief.call(approveReview, { reviewId, version })
  const standings = await Promise.all(ids.map((id) => standingOf(forum.database, id)))
  expect(standings.map(({ state }) => state).toSorted()).toEqual(['open', 'returned'])
  expect(await left(who)).toBe(990)
  const { notices } = await who.call(systemNotifyList, {})
  expect(notices.filter(({ says: { kind } }) => kind === 'bountyNotTaken')).toHaveLength(1)
})

test('a red envelope is offered up to the cap; several small ones count together, and one that is too much by the time its topic is published is not taken', async () => {
  const [child, infant, adult] = [await aged(9), await aged(5), await aged(30)]
  const most = async (who: Person) => (await who.call(envelopeForm, {})).cash?.most
  expect([await most(child), await most(infant)]).toEqual(['10.00', undefined])
  expect(Number(await most(adult))).toBeGreaterThan(10)
  for (let one = 0; one < 3; one++) expect((await spendings['a red envelope'](child, '4.00'))[0]).toBe(200)
  expect(await spendings['a red envelope'](child, '4.00')).toEqual([422, ['envelopeCash']])
  expect(await left(child)).toBe(988)
  const chief = await aStaffer(forum)
  await change({ reviewTopics: 'everybody' })
  const youth = await aged(16)
  for (let one = 0; one < 2; one++) expect((await spendings['a red envelope'](youth, '20.00'))[0]).toBe(200)
  await change({ reviewTopics: 'nobody' })
  for (const { id: reviewId, version } of (await chief.call(reviewQueue, {})).rows) await chief.call(approveReview, { reviewId, version })
  expect(await left(youth)).toBe(980)
  const { notices } = await youth.call(systemNotifyList, {})
  expect(notices.filter(({ says: { kind } }) => kind === 'envelopeNotTaken')).toHaveLength(1)
})

test('a returned envelope or bounty was not spent, and the shares kept by others were', async () => {
  const child = await aged(9)
  const halves = { envelopeKind: 'fixed', envelopeCash: '5.00', envelopeQuantity: 2 } as const
  const ended = async (openers: Person[]) => {
    const { status, body } = await gives(child, tagId, halves)
    expect(status).toBe(200)
    const envelopeId = await envelopeOf(forum, body.topicId)
    for (const who of openers) await opens(who, envelopeId)
    await payClaims(forum)
    await letEnd(forum, envelopeId)
  }
  await ended([])
  await ended([await forum.member()])
  const chief = await aStaffer(forum)
  const { body } = await asks(child, '4.00')
  await child.call(raiseBounty, { questionId: body.questionId, bountyCash: '10.00' }, aKey())
  expect(await spendings['a bounty'](child, '1.00')).toEqual([422, ['bountyCash']])
  await chief.call(removeTopicAsStaff, { topicId: body.questionId, reason: 'Asked before' })
  expect(await left(child)).toBe(995)
  expect((await spendings['a hidden part'](child, '10.00'))[0]).toBe(200)
  expect(await spendings['a bounty'](child, '1.00')).toEqual([422, ['bountyCash']])
})

test.each([
  [7, '1.00'],
  [8, '10.01'],
  [17, '20.01'],
])('at the age of %i no member tops up by ¥%s', async (age, amount) => {
  const { status, error } = await tops(await aged(age), amount)
  expect([status, Object.keys(error)]).toEqual([422, ['amount']])
})
