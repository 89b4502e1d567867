import { beforeAll, expect, test } from 'vitest'
import { routes } from '#apps/server/features.ts'
import { KeyMissing } from '#base/server/http/idempotency.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { raiseBounty } from '#bounty/contract.ts'
import { adoptAsStaff, unadoptAsStaff } from '#content/contract.ts'
import { buyPart } from '#hidden-part/contract.ts'
import { hides, partIds } from '#hidden-part/testing/factories.ts'
import { banMember } from '#member/contract.ts'
import { adoptAnswer, askQuestion } from '#question/contract.ts'
import { anAnswer } from '#question/testing/factories.ts'
import { Banned } from '#role/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { BooksFrozen } from '#wallet/contract.ts'
import { wallet } from '#wallet/log-contract.ts'
import { endow } from '#wallet/testing/factories.ts'
import { documentWith, says } from '#writing/testing/factories.ts'

let forum: Forum
let chief: Staffer

beforeAll(async () => {
  // One process coalesces concurrent copies of the same call.
  forum = await aForum({ isOneServer: true })
  chief = await aStaffer(forum)
})

test('every call that the frozen books refuse demands a key', () => {
  const moving = routes.filter(({ endpoint }) => endpoint.errors.includes(BooksFrozen) || endpoint.path === askQuestion.path)
  expect(moving.length).toBeGreaterThan(10)
  expect(moving.filter(({ requiresIdempotencyKey }) => !requiresIdempotencyKey).map(({ endpoint }) => endpoint.path)).toEqual([])
})

test('an answer is accepted, by its asker and by staff, with a key alone, and with one as often as it is sent is paid once', async () => {
  const [asker, tom, lin] = await Promise.all([forum.member(), forum.member(), forum.member()])
  await endow(forum.database, asker.id, 100)
  const draft = { tagId: await aTag(forum.database), title: 'How long does it steep?', body: says('I want to know.'), bountyPoints: '50' }
  const { questionId } = await asker.call(askQuestion, draft, newIdempotencyKey())
  const [commentId, other] = [await anAnswer(tom, questionId), await anAnswer(lin, questionId)]
  const points = async (who = tom) => Number((await who.call(wallet, {})).points.balance)
  const [before, lins] = [await points(), await points(lin)]

  expect(await asker.isRefused(adoptAnswer, { questionId, commentId }, KeyMissing)).toBe(true)
  expect(await points()).toBe(before)
  const key = newIdempotencyKey()
  const adopt = () => asker.call(adoptAnswer, { questionId, commentId }, key)
  expect(await Promise.all([adopt(), adopt()])).toEqual([{}, {}])
  expect(await adopt()).toEqual({})
  const paid = await points()
  expect(paid).toBeGreaterThanOrEqual(before + 50)

  const reason = 'The other one is right'
  expect(await chief.isRefused(adoptAsStaff, { commentId: other, reason }, KeyMissing)).toBe(true)
  expect(await points()).toBe(paid)
  const moving = newIdempotencyKey()
  for (let time = 0; time < 2; time++) await chief.call(adoptAsStaff, { commentId: other, reason }, moving)
  expect([await points(), await points(lin)]).toEqual([before, lins + paid - before])
  expect(await chief.isRefused(unadoptAsStaff, { commentId: other, reason }, KeyMissing)).toBe(true)
  await chief.call(unadoptAsStaff, { commentId: other, reason }, newIdempotencyKey())
  // Repeated by a browser that got no response: a reversal since then stays.
  await chief.call(adoptAsStaff, { commentId: other, reason }, moving)
  expect(await points(lin)).toBe(lins)
})

test('a member banned from money buys no part and offers or raises no bounty; nothing is taken, and they can still write', async () => {
  const [mei, tom] = await Promise.all([forum.member(), forum.member()])
  await endow(forum.database, mei.id, 200)
  const tagId = await aTag(forum.database)
  const topicId = await aTopic(tom, tagId, { body: documentWith(hides('points', '5', 'treasure')) })
  const [partId = ''] = partIds((await forum.visitor().call(thread, { topicId })).segments)
  const draft = { tagId, title: 'How long does it steep?', body: says('I want to know.') }
  const { questionId } = await mei.call(askQuestion, { ...draft, bountyPoints: '50' }, newIdempotencyKey())
  await chief.call(banMember, { memberId: mei.id, from: ['money'], reason: 'These points are not theirs' })
  const has = async () => (await mei.call(wallet, {})).points.balance
  const before = await has()
  expect(await mei.isRefused(buyPart, { partId, price: '5' }, Banned, newIdempotencyKey())).toBe(true)
  expect(await mei.isRefused(raiseBounty, { questionId, bountyPoints: '60' }, Banned, newIdempotencyKey())).toBe(true)
  expect(await mei.isRefused(askQuestion, { ...draft, bountyPoints: '50' }, Banned, newIdempotencyKey())).toBe(true)
  expect(await has()).toBe(before)
  await mei.call(askQuestion, { ...draft, title: 'And how hot?' })
  // The earlier offer continues, and is theirs to give.
  await mei.call(adoptAnswer, { questionId, commentId: await anAnswer(tom, questionId) }, newIdempotencyKey())
})
