import { afterEach, beforeAll, expect, test } from 'vitest'
import { bookChecks } from '#apps/server/features.ts'
import { transact } from '#base/server/database/database.ts'
import { KeyMissing } from '#base/server/http/idempotency.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { ageLogin } from '#base/testing/session.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { undoBatch } from '#batch/contract.ts'
import * as contract from '#bounty/contract.ts'
import { endDue } from '#bounty/server/due.ts'
import { letEnd, standingOf } from '#bounty/testing/factories.ts'
import { adoptAsStaff, doAtOnce, unadoptAsStaff } from '#content/contract.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import { adoptAnswer, askQuestion, listQuestions, myQuestion, OwnAnswer, question as questionCall } from '#question/contract.ts'
import { anAnswer, aQuestion } from '#question/testing/factories.ts'
import { ProveAgain, prove } from '#second-factor/contract.ts'
import type { Settings } from '#setting/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { NotReversible, OwesPoints, type Currency } from '#wallet/contract.ts'
import { reverseTransaction } from '#wallet/adjust-contract.ts'
import { balance, point, wallet } from '#wallet/log-contract.ts'
import { checkLedger } from '#wallet/server/check-ledger.ts'
import { endow } from '#wallet/testing/factories.ts'
import { ReasonNeeded } from '#writing/contract.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer
let tagId = ''

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
  await change({ allowCash: true, bountyShareCash: 10, questionPoints: 0, answerPoints: 0, adoptedPoints: 0 })
})
afterEach(async () => {
  const breaches = await checkLedger(forum.database, bookChecks, { isFull: true })
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches))
})

const reason = 'It was the right one'

async function change(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

async function anAsker(points = 100, cents = 1_000): Promise<Person> {
  const asker = await forum.member()
  await endow(forum.database, asker.id, points)
  await endow(forum.database, asker.id, cents, 'cny')
  return asker
}

async function balanceOf(person: Person, currency: Currency = 'points'): Promise<number> {
  const its = (await person.call(wallet, {}))[currency]
  return Number(its?.balance) - Number(its?.owed)
}

const draft = { tagId: '', title: 'How long does it steep?', body: says('I want to know.') }
type Offer = { bountyPoints?: string; bountyCash?: string; bountyDays?: number }
const askWithBounty = async (asker: Person, offer: Offer) =>
  (await asker.call(askQuestion, { ...draft, tagId, ...offer }, newIdempotencyKey())).questionId
const bountyOf = async (questionId: string) => (await forum.visitor().call(questionCall, { questionId })).bounty

test('a bounty is taken when the question is asked, and paid to the accepted answer, less a share of money', async () => {
  const [asker, tom] = [await anAsker(), await forum.member()]
  const questionId = await askWithBounty(asker, { bountyPoints: '50', bountyCash: '5.05' })
  expect([await balanceOf(asker), await balanceOf(asker, 'cny')]).toEqual([50, 4.95])
  expect(await bountyOf(questionId)).toMatchObject({ state: 'open', points: '50', cash: '5.05', shares: [] })
  const commentId = await anAnswer(tom, questionId)
  await asker.call(adoptAnswer, { questionId, commentId }, newIdempotencyKey())
  expect([await balanceOf(tom), await balanceOf(tom, 'cny'), await balanceOf(asker)]).toEqual([50, 4.55, 50])
  expect(await bountyOf(questionId)).toMatchObject({
    state: 'paid',
    shares: [{ commentId, member: { id: tom.id }, points: '50', cash: '4.55' }],
  })
})

test('a question with a bounty demands a key, and sent twice with one it is asked and paid for once', async () => {
  const asker = await anAsker()
  const offer = { ...draft, tagId, bountyPoints: '50' }
  expect(await asker.isRefused(askQuestion, offer, KeyMissing)).toBe(true)
  expect((await asker.call(askQuestion, { ...draft, tagId })).isPending).toBe(false)
  const same = newIdempotencyKey()
  const [one, other] = await Promise.all([asker.call(askQuestion, offer, same), asker.call(askQuestion, offer, same)])
  expect([one, await balanceOf(asker)]).toEqual([other, 50])
})

test.each<[string, Offer]>([
  ['nothing', { bountyPoints: '0' }],
  ['less than nothing', { bountyPoints: '-5' }],
  ['a part of a point', { bountyPoints: '10.5' }],
  ['no number', { bountyPoints: 'many' }],
  ['more than there is anywhere', { bountyPoints: '9999999999999' }],
  ['a part of a cent', { bountyCash: '1.005' }],
  ['too few points', { bountyPoints: '9' }],
  ['too many points', { bountyPoints: '10001' }],
  ['too little money', { bountyCash: '0.99' }],
  ['too much money', { bountyCash: '1000.01' }],
  ['points one does not have', { bountyPoints: '101' }],
  ['money one does not have', { bountyCash: '10.01' }],
  ['for too long', { bountyPoints: '50', bountyDays: 31 }],
])('an offer of %s is refused at its field, and nothing is asked or taken', async (_, offer) => {
  const asker = await anAsker()
  const { status, body } = await asker.tryCall(askQuestion, { ...draft, tagId, ...offer }, newIdempotencyKey())
  const at = Object.keys(offer).at(-1)
  expect([status, Object.keys('error' in body ? (body.error as object) : {})]).toEqual([422, [at]])
  expect([await balanceOf(asker), await balanceOf(asker, 'cny')]).toEqual([100, 10])
})

test('an asker sees the amount held and its questions, an answerer the amount earned and its question', async () => {
  const [asker, tom] = [await anAsker(), await forum.member()]
  const [questionId, other] = [
    await askWithBounty(asker, { bountyPoints: '50', bountyCash: '3' }),
    await askWithBounty(asker, { bountyPoints: '20' }),
  ]
  const holdsOf = async (who: Person) => {
    const [{ held: points }, { held: cash }] = [await who.call(point, {}), await who.call(balance, {})]
    return [points, cash].map(({ amount, for: its }) => [amount, its.map(({ id }) => id)])
  }
  expect(await holdsOf(asker)).toEqual([
    ['70', [other, questionId]],
    ['3.00', [questionId]],
  ])
  const into = await forum.member()
  await asker.call(adoptAnswer, { questionId, commentId: await anAnswer(tom, questionId) }, newIdempotencyKey())
  expect(await holdsOf(asker)).toEqual([
    ['20', [other]],
    ['0.00', []],
  ])
  const { rows } = (await tom.call(point, { kind: 'bountyPaid' })).log
  expect(rows.map(({ amount, rule, subject }) => [amount, rule, subject?.title])).toEqual([['50', null, draft.title]])
  await chief.call(mergeMembers, { memberId: asker.id, account: asker.account, into: into.account, reason })
  await resume(forum.database)
  expect(await holdsOf(into)).toEqual([
    ['20', [other]],
    ['0.00', []],
  ])
})

test('an asker offers more, or for longer, and never less', async () => {
  const [asker, tom] = [await anAsker(), await anAsker()]
  const questionId = await askWithBounty(asker, { bountyPoints: '50', bountyDays: 3 })
  const before = new Date((await bountyOf(questionId))?.endsAt ?? '').getTime()
  await asker.call(contract.raiseBounty, { questionId, bountyPoints: '70', bountyCash: '2', bountyDays: 4 }, newIdempotencyKey())
  expect([await balanceOf(asker), await balanceOf(asker, 'cny')]).toEqual([30, 8])
  const { log: its, held } = await asker.call(point, { kind: 'bountyChanged' })
  expect(held.amount).toBe('70')
  expect(its.rows.map(({ amount, subject }) => [amount, subject?.title])).toEqual([['-20', draft.title]])
  const raised = await bountyOf(questionId)
  expect(raised).toMatchObject({ points: '70', cash: '2.00' })
  expect(new Date(raised?.endsAt ?? '').getTime() - before).toBe(4 * 86_400_000)
  const refuses = (who: Person, wish: Offer, kind: Parameters<Person['isRefused']>[2]) =>
    who.isRefused(contract.raiseBounty, { questionId, ...wish }, kind, newIdempotencyKey())
  expect(await refuses(asker, { bountyPoints: '60' }, contract.PointsOutside)).toBe(true)
  expect(await refuses(asker, { bountyPoints: '101' }, contract.PointsShort)).toBe(true)
  expect(await refuses(asker, { bountyDays: 30 }, contract.DaysOutside)).toBe(true)
  expect(await refuses(tom, { bountyPoints: '80' }, contract.OnlyAsker)).toBe(true)
  const plain = await aQuestion(asker, tagId)
  expect(
    await asker.isRefused(contract.raiseBounty, { questionId: plain, bountyPoints: '20' }, contract.NotOpen, newIdempotencyKey()),
  ).toBe(true)
  await asker.call(adoptAnswer, { questionId, commentId: await anAnswer(tom, questionId) }, newIdempotencyKey())
  expect(await refuses(asker, { bountyPoints: '80' }, contract.NotOpen)).toBe(true)
})

test('offering money takes a recent login or proof of identity, offering points does not', async () => {
  const asker = await anAsker()
  await ageLogin(forum.database, asker)
  const questionId = await askWithBounty(asker, { bountyPoints: '50' })
  const [wish, raise] = [
    { ...draft, tagId, title: 'And how hot is it?', bountyCash: '5' },
    { questionId, bountyCash: '2' },
  ]
  const [asking, raising] = [newIdempotencyKey(), newIdempotencyKey()]
  expect(await asker.isRefused(askQuestion, { ...wish, bountyCash: '11' }, contract.CashShort, newIdempotencyKey())).toBe(true)
  expect((await asker.tryCall(askQuestion, wish, asking)).status).toBe(ProveAgain.status)
  expect((await asker.tryCall(contract.raiseBounty, raise, raising)).status).toBe(ProveAgain.status)
  await asker.call(contract.raiseBounty, { questionId, bountyPoints: '60', bountyDays: 1 }, newIdempotencyKey())
  expect([await balanceOf(asker), await balanceOf(asker, 'cny')]).toEqual([40, 10])
  await asker.call(prove, { password: asker.password })
  await asker.call(askQuestion, wish, asking)
  await asker.call(contract.raiseBounty, raise, raising)
  expect(await balanceOf(asker, 'cny')).toBe(3)
  await ageLogin(forum.database, asker)
  await asker.call(contract.raiseBounty, { questionId, bountyPoints: '61', bountyCash: '2' }, newIdempotencyKey())
})

test('a bounty is split between answers in whole units, and the accepted one gets the rest', async () => {
  const [asker, tom, eve, lin] = [await anAsker(), await forum.member(), await forum.member(), await forum.member()]
  const questionId = await askWithBounty(asker, { bountyPoints: '50', bountyCash: '1.00' })
  const [commentId, second, third, own] = [
    await anAnswer(tom, questionId),
    await anAnswer(eve, questionId),
    await anAnswer(lin, questionId),
    await anAnswer(asker, questionId),
  ]
  const part = (id: string, bountyPoints: string, bountyCash?: string) => ({
    commentId: id,
    bountyPoints,
    ...(bountyCash && { bountyCash }),
  })
  const wrong = [[part(second, '51')], [part(second, '50', '1.00')], [{ commentId: second }], [part(second, '1'), part(second, '2')]]
  for (const split of [...wrong, [part(commentId, '10')]])
    expect(await asker.isRefused(adoptAnswer, { questionId, commentId, split }, contract.SplitWrong, newIdempotencyKey())).toBe(true)
  expect(await asker.isRefused(adoptAnswer, { questionId, commentId, split: [part(own, '10')] }, OwnAnswer, newIdempotencyKey())).toBe(true)
  expect(await asker.isRefused(adoptAnswer, { questionId, commentId: own }, OwnAnswer, newIdempotencyKey())).toBe(true)
  await asker.call(adoptAnswer, { questionId, commentId, split: [part(second, '17'), part(third, '3', '0.33')] }, newIdempotencyKey())
  expect([await balanceOf(tom), await balanceOf(eve), await balanceOf(lin)]).toEqual([30, 17, 3])
  // The forum takes a tenth of the whole: seven cents of 0.67, and three of 0.33.
  expect([await balanceOf(tom, 'cny'), await balanceOf(lin, 'cny')]).toEqual([0.6, 0.3])
})

test('an asker cannot change a paid bounty; staff can move it, and the spent part is owed', async () => {
  const [asker, tom, eve] = [await anAsker(), await forum.member(), await forum.member()]
  const questionId = await askWithBounty(asker, { bountyPoints: '50', bountyCash: '1.00' })
  const [commentId, other] = [await anAnswer(tom, questionId), await anAnswer(eve, questionId)]
  await asker.call(adoptAnswer, { questionId, commentId }, newIdempotencyKey())
  expect(await asker.isRefused(adoptAnswer, { questionId, commentId: other }, contract.PaidStays, newIdempotencyKey())).toBe(true)
  expect(await asker.isRefused(adoptAnswer, { questionId }, contract.PaidStays, newIdempotencyKey())).toBe(true)
  expect((await asker.call(myQuestion, { questionId })).mayAdopt).toBe(false)
  await endow(forum.database, tom.id, -30)
  expect(await chief.isRefused(adoptAsStaff, { commentId: other }, ReasonNeeded, newIdempotencyKey())).toBe(true)
  await chief.call(adoptAsStaff, { commentId: other, reason }, newIdempotencyKey())
  expect([await balanceOf(tom), await balanceOf(tom, 'cny'), await balanceOf(eve), await balanceOf(eve, 'cny')]).toEqual([-30, 0, 50, 0.9])
  expect([await balanceOf(asker), await balanceOf(asker, 'cny')]).toEqual([50, 9])
  expect((await bountyOf(questionId))?.shares).toMatchObject([{ commentId: other, points: '50', cash: '0.90' }])
})

test('staff withdraw an acceptance: the bounty is offered again, and an answer can be accepted anew', async () => {
  const [asker, tom] = [await anAsker(), await forum.member()]
  const questionId = await askWithBounty(asker, { bountyPoints: '50' })
  const commentId = await anAnswer(tom, questionId)
  await asker.call(adoptAnswer, { questionId, commentId }, newIdempotencyKey())
  await chief.call(unadoptAsStaff, { commentId, reason }, newIdempotencyKey())
  expect([await balanceOf(tom), await balanceOf(asker), await standingOf(forum.database, questionId)]).toEqual([
    0,
    50,
    { state: 'open', held: 50 },
  ])
  await asker.call(adoptAnswer, { questionId, commentId }, newIdempotencyKey())
  expect(await balanceOf(tom)).toBe(50)
})

test('answers with a bounty are left out of a batch of acceptances, for staff to accept one by one', async () => {
  const [asker, tom] = [await anAsker(), await forum.member()]
  const [offering, plain] = [await askWithBounty(asker, { bountyPoints: '50' }), await aQuestion(asker, tagId)]
  const ids = [await anAnswer(tom, offering), await anAnswer(tom, plain)]
  const { batch } = await chief.call(doAtOnce, { action: 'comment.adopt', ids, reason })
  expect([batch.done, batch.faults, await balanceOf(tom), await standingOf(forum.database, offering)]).toEqual([
    1,
    1,
    0,
    { state: 'open', held: 50 },
  ])
  await chief.call(undoBatch, { batchId: batch.id })
})

test('an asker who owes cannot be made to offer a paid bounty again, so that it stays', async () => {
  const [asker, tom, eve] = [await anAsker(), await forum.member(), await forum.member()]
  const questionId = await askWithBounty(asker, { bountyPoints: '50' })
  const [commentId, other] = [await anAnswer(tom, questionId), await anAnswer(eve, questionId)]
  await asker.call(adoptAnswer, { questionId, commentId }, newIdempotencyKey())
  await endow(forum.database, asker.id, -60, 'points', true)
  expect(await chief.isRefused(adoptAsStaff, { commentId: other, reason }, contract.AskerOwes, newIdempotencyKey())).toBe(true)
  expect([await balanceOf(tom), await balanceOf(eve), await balanceOf(asker)]).toEqual([50, 0, -10])
})

test('an asker who owes is told the sum, and may offer in the other currency', async () => {
  const asker = await forum.member()
  await endow(forum.database, asker.id, 1_000, 'cny')
  await endow(forum.database, asker.id, -60, 'points', true)
  const offers = (offer: Offer) => asker.tryCall(askQuestion, { ...draft, tagId, ...offer }, newIdempotencyKey())
  expect((await offers({ bountyPoints: '20' })).error).toEqual({ bountyPoints: expect.stringContaining('60 points') })
  expect((await offers({ bountyCash: '5' })).status).toBe(200)
  await endow(forum.database, asker.id, -700, 'cny', true)
  expect((await offers({ bountyCash: '5' })).error).toEqual({ bountyCash: expect.stringContaining('¥2.00') })
})

test('a debt of the asker comes before the bounty: nothing is paid out until it is paid, and a returned bounty pays it', async () => {
  const [asker, tom] = [await anAsker(), await forum.member()]
  const questionId = await askWithBounty(asker, { bountyPoints: '50' })
  const commentId = await anAnswer(tom, questionId)
  await endow(forum.database, asker.id, -80, 'points', true)
  expect(await asker.isRefused(adoptAnswer, { questionId, commentId }, OwesPoints, newIdempotencyKey())).toBe(true)
  expect(await chief.isRefused(adoptAsStaff, { commentId, reason }, contract.AskerOwes, newIdempotencyKey())).toBe(true)
  expect([await balanceOf(tom), await balanceOf(asker)]).toEqual([0, -30])
  await letEnd(forum.database, questionId)
  await endDue(forum.database)
  expect([await balanceOf(tom), await balanceOf(asker)]).toEqual([0, 20])
})

test('staff set a wrong bounty right or return it, with a reason, which the log keeps; others do not', async () => {
  const asker = await anAsker()
  const topicId = await askWithBounty(asker, { bountyPoints: '50' })
  const helper = await aStaffer(forum, ['content.view', 'question.adopt'])
  expect((await helper.tryCall(contract.changeBounty, { topicId, bountyPoints: '20', reason }, newIdempotencyKey())).status).toBe(403)
  expect((await asker.tryCall(contract.changeBounty, { topicId, bountyPoints: '20', reason }, newIdempotencyKey())).status).toBe(401)
  expect(await chief.isRefused(contract.changeBounty, { topicId, bountyPoints: '20', reason: '' }, ReasonNeeded, newIdempotencyKey())).toBe(
    true,
  )
  await chief.call(contract.changeBounty, { topicId, bountyPoints: '20', bountyCash: '3', reason }, newIdempotencyKey())
  expect([await balanceOf(asker), await balanceOf(asker, 'cny')]).toEqual([80, 7])
  expect((await helper.call(contract.bountyForStaff, { topicId })).bounty).toMatchObject({ state: 'open', points: '20', cash: '3.00' })
  await chief.call(contract.changeBounty, { topicId, reason }, newIdempotencyKey())
  expect([await balanceOf(asker), await balanceOf(asker, 'cny'), await bountyOf(topicId)]).toEqual([100, 10, null])
  expect(await chief.isRefused(contract.changeBounty, { topicId, reason }, contract.NotOpen, newIdempotencyKey())).toBe(true)
  const actions = await forum.database.app.selectFrom('audit_log').select('action').where('about', '=', `topic ${topicId}`).execute()
  expect(actions.map(({ action }) => action)).toEqual(['topic.bounty', 'topic.bounty'])
})

test('staff without the right to move bounties cannot replace an accepted answer', async () => {
  const asker = await anAsker()
  const questionId = await askWithBounty(asker, { bountyPoints: '50' })
  const commentId = await anAnswer(await forum.member(), questionId)
  const helper = await aStaffer(forum, ['content.view', 'question.adopt'])
  expect((await helper.tryCall(adoptAsStaff, { commentId, reason }, newIdempotencyKey())).status).toBe(403)
  await asker.call(adoptAnswer, { questionId, commentId }, newIdempotencyKey())
  expect((await helper.tryCall(unadoptAsStaff, { commentId, reason }, newIdempotencyKey())).status).toBe(403)
})

test('a transaction of a bounty cannot be reversed by hand', async () => {
  const asker = await anAsker()
  const questionId = await askWithBounty(asker, { bountyPoints: '50' })
  await asker.call(adoptAnswer, { questionId, commentId: await anAnswer(await forum.member(), questionId) }, newIdempotencyKey())
  const { id: transactionId } = await forum.database.app
    .selectFrom('ledger.transaction')
    .select('id')
    .where('kind', '=', 'bountyPaid')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(await chief.isRefused(reverseTransaction, { transactionId, reason }, NotReversible, newIdempotencyKey())).toBe(true)
})

test('questions with points and with money have lists of their own, the highest first, anywhere or within a tag', async () => {
  const [asker, place, other] = [await anAsker(500, 5_000), await aTag(forum.database), await aTag(forum.database)]
  const ask = async (offer: Offer, in_ = place) =>
    (await asker.call(askQuestion, { ...draft, tagId: in_, ...offer }, newIdempotencyKey())).questionId
  const [low, high, both, cash, elsewhere] = [
    await ask({ bountyPoints: '10' }),
    await ask({ bountyPoints: '90' }),
    await ask({ bountyPoints: '40', bountyCash: '2' }),
    await ask({ bountyCash: '7' }),
    await ask({ bountyPoints: '200' }, other),
  ]
  await ask({})
  const listed = async (bounty: contract.BountyFilter, at?: string) =>
    (await forum.visitor().call(listQuestions, { bounty, ...(at && { tagId: at }) })).questions
  expect((await listed('points', place)).map(({ id }) => id)).toEqual([high, both, low])
  expect((await listed('cash', place)).map(({ id, bounty }) => [id, bounty])).toEqual([
    [cash, { points: null, cash: '7.00' }],
    [both, { points: '40', cash: '2.00' }],
  ])
  expect((await listed('points'))[0]?.id).toBe(elsewhere)
  expect(new Set((await listed('any', place)).map(({ id }) => id))).toEqual(new Set([high, both, low, cash]))
  const answer = await anAnswer(await forum.member(), high)
  await asker.call(adoptAnswer, { questionId: high, commentId: answer }, newIdempotencyKey())
  expect((await listed('points', place)).map(({ id }) => id)).toEqual([both, low])
})

test('a site without money shows and takes none, and pays bounties offered before', async () => {
  const [asker, tom] = [await anAsker(), await forum.member()]
  const questionId = await askWithBounty(asker, { bountyPoints: '20', bountyCash: '5' })
  const onlyCash = await askWithBounty(asker, { bountyCash: '2' })
  await change({ allowCash: false })
  try {
    expect([await bountyOf(questionId), await bountyOf(onlyCash)]).toMatchObject([{ points: '20', cash: null }, null])
    expect((await asker.call(contract.bountyForm, {})).cash).toBe(null)
    expect((await forum.visitor().tryCall(listQuestions, { bounty: 'cash' })).status).toBe(404)
    const { questions } = await forum.visitor().call(listQuestions, { bounty: 'any' })
    expect(questions.map(({ id }) => id)).not.toContain(onlyCash)
    expect(questions.map(({ id }) => id)).toContain(questionId)
    const offer = { ...draft, tagId, bountyCash: '1' }
    expect(await asker.isRefused(askQuestion, offer, contract.NoCashHere, newIdempotencyKey())).toBe(true)
    await asker.call(adoptAnswer, { questionId, commentId: await anAnswer(tom, questionId) }, newIdempotencyKey())
    expect((await bountyOf(questionId))?.shares).toMatchObject([{ points: '20', cash: null }])
  } finally {
    await change({ allowCash: true })
  }
  expect(await balanceOf(tom, 'cny')).toBe(4.5)
})
