import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import type { Endpoint, RawInput } from '#base/contract.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { runs } from '#base/testing/extent.ts'
import { addComment, removeRemark } from '#comment/contract.ts'
import { removeRemarkAsStaff, removeTopicAsStaff, restoreRemark, restoreTopic } from '#content/contract.ts'
import * as hidden from '#hidden-part/contract.ts'
import { refundUnlock } from '#hidden-part/refund-contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import { refundDue } from '#hidden-part/server/refund-due.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as topic from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import * as desk from '#wallet/adjust-contract.ts'
import { toMinor, NotEnoughPoints, OwesPoints } from '#wallet/contract.ts'
import { freeKinds } from '#wallet/testing/factories.ts'
import * as wallet from '#wallet/server/wallet.ts'
import { documentWith, says } from '#writing/testing/factories.ts'

// Random actions of four members through the public calls, each mirrored by a small model; the ledger is checked after each.
const actions = [
  'comment',
  'comment',
  'remove',
  'restore',
  'unlock',
  'unlock',
  'refund',
  'add',
  'take',
  'reverse',
  'hold',
  'pay',
  'giveBack',
  'merge',
  'removeTopic',
] as const
type Action = { does: (typeof actions)[number]; who: number; whom: number; amount: number }

const reward = 5
const share = 10
const prices = [7, 20, 45]

class Purse {
  balance = 0
  owed = 0
  earned = 0
  /** Hundredths of a point that the site has not taken from sales yet. */
  rest = 0
  plus(amount: number): void {
    const pays = Math.min(amount, this.owed)
    this.owed -= pays
    this.balance += amount - pays
  }
  minus(amount: number): void {
    const takes = Math.min(amount, this.balance)
    this.balance -= takes
    this.owed += amount - takes
  }
  /** Points from the forum count for the level. */
  earns(amount: number): void {
    if (amount < 0) this.minus(-amount)
    else this.plus(amount)
    this.earned += amount
  }
}

type Member = { person: Person; purse: Purse; into: Member | null; topicId: string; parts: string[] }
type Bought = { by: Member; from: Member; part: string; price: number; taken: number; isRefunded: boolean; id: string }

type World = {
  members: Member[]
  comments: { id: string; by: Member; isThere: boolean }[]
  bought: Bought[]
  adjusted: { id: string; of: Member; amount: number }[]
  held: { id: string; of: Member; amount: number }[]
}

let forum: Forum
let chief: Staffer
let tagId: string
let keys = 0

beforeAll(async () => {
  forum = await aForum()
  const unlimited = { topicPoints: 0, commentPoints: reward, commentPointsPerDay: 0, pointsPerDay: 0, hiddenSharePoints: share }
  await transact(forum.database, (tx) =>
    applySettings(tx, { ...unlimited, approvalThresholdPoints: 1_000_000, dailyApprovalThresholdPoints: 10_000_000 }),
  )
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
})

const living = (member: Member): Member => (member.into ? living(member.into) : member)
const tries = <E extends Endpoint>(who: Visitor, endpoint: E, input: RawInput<E>) =>
  who.tryCall(endpoint, input, { 'idempotency-key': `a-key-of-the-model-${++keys}` })

async function aWorld(): Promise<World> {
  const members: Member[] = []
  for (let n = 0; n < 4; n++) {
    const person = await forum.member()
    const body = documentWith(...prices.map((price) => hides('points', String(price), `for ${price}`)))
    const topicId = await aTopic(person, tagId, { body })
    const parts = partIds((await forum.visitor().call(topic.thread, { topicId })).segments)
    members.push({ person, purse: new Purse(), into: null, topicId, parts })
  }
  return { members, comments: [], bought: [], adjusted: [], held: [] }
}

type Acts = Record<Action['does'], (world: World, action: { who: Member; whom: Member; amount: number }) => Promise<void>>

const acts: Acts = {
  async comment(world, { who, whom }) {
    const { body } = await tries(who.person, addComment, { topicId: whom.topicId, body: says(`Number ${++keys}`) })
    world.comments.push({ id: body.commentId, by: who, isThere: true })
    who.purse.earns(reward)
  },
  async remove({ comments }, { who }) {
    const its = comments.find(({ by, isThere }) => isThere && living(by) === who)
    if (!its) return
    const removed = its.id.endsWith('1')
      ? await tries(who.person, removeRemark, { kind: 'comment', id: its.id })
      : await tries(chief, removeRemarkAsStaff, { kind: 'comment', id: its.id, reason: 'Off topic' })
    expect(removed.status).toBe(200)
    its.isThere = false
    who.purse.earns(-reward)
  },
  async restore({ comments }, { who }) {
    const its = comments.find(({ by, isThere }) => !isThere && living(by) === who)
    if (!its) return
    expect((await tries(chief, restoreRemark, { kind: 'comment', id: its.id, reason: 'It was on topic' })).status).toBe(200)
    its.isThere = true
    who.purse.earns(reward)
  },
  async unlock(world, { who, whom, amount }) {
    const place = amount % prices.length
    const [part = '', price = 0] = [whom.parts[place], prices[place]]
    const isOpen = world.bought.some((one) => living(one.by) === who && one.part === part && !one.isRefunded)
    const { status, body } = await tries(who.person, hidden.buyPart, { partId: part, price: String(price) })
    if (who === living(whom)) return expect(status).toBe(422)
    if (isOpen) return expect([status, body.isNew]).toEqual([200, false])
    if (who.purse.balance < price) return expect(status).toBe(422)
    expect([status, body.isNew]).toEqual([200, true])
    who.purse.balance -= price
    const seller = living(whom).purse
    const fee = Math.floor((price * share + seller.rest) / 100)
    seller.rest = (price * share + seller.rest) % 100
    seller.plus(price - fee)
    const { id } = await forum.database.app
      .selectFrom('hidden.unlock')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    world.bought.push({ by: who, from: whom, part, price, taken: fee, isRefunded: false, id })
  },
  async refund({ bought }, { who }) {
    const its = bought.find(({ by }) => living(by) === who)
    if (!its) return
    const { status } = await tries(chief, refundUnlock, { unlockId: its.id, reason: 'It was empty' })
    if (its.isRefunded) return expect(status).toBe(409)
    const forums = its.taken
    // A buyer who was merged with the seller gets back the forum's share, if any.
    const isOwn = living(its.from) === who
    if (isOwn && forums === 0) return expect(status).toBe(422)
    expect(status).toBe(200)
    its.isRefunded = true
    who.purse.plus(isOwn ? forums : its.price)
    if (!isOwn) living(its.from).purse.minus(its.price - forums)
  },
  // Removed by its author, so that buyers keep their purchases, or by staff, who refund them; then restored.
  async removeTopic({ bought, members }, { whom, amount }) {
    const its = members.find((one) => living(one) === whom && bought.some(({ from }) => from === one)) ?? whom
    const { topicId } = its
    const byStaff = amount % 2 === 0
    const removed = byStaff
      ? await tries(chief, removeTopicAsStaff, { topicId, reason: 'Not allowed here' })
      : await tries(whom.person, topic.removeTopic, { topicId })
    expect(removed.status).toBe(200)
    await refundDue(forum.database)
    expect((await tries(chief, restoreTopic, { topicId, reason: '' })).status).toBe(200)
    for (const one of bought)
      if (byStaff && one.from === its && living(one.by) !== whom && !one.isRefunded) {
        one.isRefunded = true
        living(one.by).purse.plus(one.price)
        whom.purse.minus(one.price - one.taken)
      }
  },
  add: (world, { who, amount }) => adjusts(world, who, amount),
  take: (world, { who, amount }) => adjusts(world, who, -amount),
  async reverse({ adjusted }) {
    const its = adjusted.pop()
    if (!its) return
    expect((await tries(chief, desk.reverseTransaction, { transactionId: its.id, reason: 'The wrong one' })).status).toBe(200)
    living(its.of).purse.earns(-its.amount)
  },
  async hold({ held }, { who, amount }) {
    const cause = { kind: freeKinds.hold, source: `model:${++keys}`, by: { kind: 'forum' } } as const
    const money = { from: who.person.id, currency: 'points', amount: toMinor(amount) } as const
    const holding = transact(forum.database, (tx) => wallet.hold(tx, { ...cause, ...money }))
    const lacks = who.purse.owed > 0 ? OwesPoints : NotEnoughPoints
    if (who.purse.balance < amount) return expect(holding).rejects.toMatchObject({ kind: lacks })
    held.push({ id: await holding, of: who, amount })
    who.purse.balance -= amount
  },
  async pay({ held }, { whom }) {
    const its = held.pop()
    if (!its) return
    const paid = Math.ceil(its.amount / 2)
    await release(its.id, [{ to: whom.person.id, amount: toMinor(paid) }])
    whom.purse.plus(paid)
    living(its.of).purse.plus(its.amount - paid)
  },
  async giveBack({ held }) {
    const its = held.pop()
    if (!its) return
    await release(its.id, [])
    living(its.of).purse.plus(its.amount)
  },
  async merge({ members, comments }, { who, whom }) {
    if (who === whom || members.filter(({ into }) => into === null).length < 3) return
    const input = { memberId: who.person.id, account: who.person.account, into: whom.person.account, reason: 'One and the same' }
    expect((await tries(chief, mergeMembers, input)).status).toBe(200)
    await resume(forum.database)
    const handed = comments.filter(({ by, isThere }) => isThere && living(by) === who).length * reward
    who.purse.earns(-handed)
    whom.purse.earns(handed)
    const { earned } = who.purse
    who.purse.earns(-earned)
    whom.purse.earns(earned)
    whom.purse.plus(who.purse.balance)
    whom.purse.minus(who.purse.owed)
    who.purse = new Purse()
    who.into = whom
  },
}

async function adjusts({ adjusted }: World, who: Member, amount: number): Promise<void> {
  const wish = { memberId: who.person.id, way: amount > 0 ? 'add' : 'take', amount: String(Math.abs(amount)), reason: 'A present' } as const
  const { status } = await tries(chief, desk.adjustPoints, wish)
  if (who.purse.balance + amount < 0) return expect(status).toBe(422)
  expect(status).toBe(200)
  who.purse.balance += amount < 0 ? amount : 0
  if (amount > 0) who.purse.plus(amount)
  who.purse.earned += amount
  const { id } = await forum.database.app
    .selectFrom('ledger.transaction')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  adjusted.push({ id, of: who, amount })
}

async function release(holdId: string, pays: { to: string; amount: ReturnType<typeof toMinor> }[]): Promise<void> {
  const cause = { kind: freeKinds.release, source: `model:${++keys}`, by: { kind: 'forum' } } as const
  await transact(forum.database, (tx) => wallet.release(tx, holdId, { ...cause, pays }))
}

async function purseOf({ person: { id } }: Member) {
  const { reader } = forum.database
  const { points } = await wallet.accountsOf(reader, id)
  const row = await reader.selectFrom('member').select('points_earned').where('id', '=', id).executeTakeFirstOrThrow()
  return { balance: Number(points.balance), owed: Number(points.owed), earned: Number(row.points_earned) }
}

const action = fc.record<Action>({
  does: fc.constantFrom(...actions),
  who: fc.nat(3),
  whom: fc.nat(3),
  amount: fc.integer({ min: 1, max: 60 }),
})

test('after any actions of members and staff every account equals a model of a few lines, and the books are right', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 40 }), async (all) => {
      const began = new Date()
      const world = await aWorld()
      const member = (n: number) => living(world.members[n] as Member)
      for (const [step, { does, who, whom, amount }] of all.entries()) {
        await acts[does](world, { who: member(who), whom: does === 'unlock' ? (world.members[whom] as Member) : member(whom), amount })
        const has = await Promise.all(world.members.map(purseOf))
        expect([step, does, has]).toEqual([
          step,
          does,
          world.members.map(({ purse: { balance, owed, earned } }) => ({ balance, owed, earned })),
        ])
        expect([step, does, await wallet.breachesIn(forum.database, bookChecks, began)]).toEqual([step, does, []])
      }
    }),
    { numRuns: runs(6), endOnFailure: true },
  )
})

test('the balance of a merged account pays the debt of the other', async () => {
  const [mei, tom] = [await forum.member(), await forum.member()]
  const cause = { currency: 'cny', kind: freeKinds.gift, account: 'adjustment', by: { kind: 'forum' } } as const
  await transact(forum.database, async (tx) => {
    await wallet.debit(tx, { ...cause, source: 'model:owed', from: mei.id, amount: toMinor(5), owes: true })
    await wallet.credit(tx, { ...cause, source: 'model:given', to: tom.id, amount: toMinor(30) })
  })
  await chief.call(mergeMembers, { memberId: tom.id, account: tom.account, into: mei.account, reason: 'One and the same' })
  await resume(forum.database)
  const { cny } = await wallet.accountsOf(forum.database.reader, mei.id)
  expect(cny).toMatchObject({ balance: toMinor(25), owed: toMinor(0) })
})
