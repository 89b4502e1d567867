import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { KeyMissing } from '#base/server/idempotency.ts'
import { endow } from '#bounty/server/example.ts'
import { adoptAnswer, askQuestion, question as questionCall } from '#question/contract.ts'
import { anAnswer } from '#question/server/example.ts'
import { wallet } from '#wallet/log-contract.ts'
import { aTag } from '#tag/server/example.ts'
import { says } from '#writing/server/example.ts'

let forum: Forum
let tagId = ''
let keys = 0

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
})

const key = () => ({ 'idempotency-key': `a-key-for-a-bounty-${++keys}` })

async function anAsker(points = 100): Promise<Person> {
  const asker = await forum.member()
  await endow(forum.database, asker.id, points)
  return asker
}

async function pointsOf(person: Person): Promise<number> {
  return Number((await person.call(wallet, {})).points.balance)
}

const draft = (title = 'How long does it steep?') => ({ tagId, title, body: says('I want to know.') })

test('what is offered is taken when the question is asked, and paid to the answer that is accepted', async () => {
  const [asker, tom] = [await anAsker(), await forum.member()]
  const { questionId } = await asker.call(askQuestion, { ...draft(), bountyPoints: '50' }, key())
  const before = await pointsOf(asker)
  expect((await tom.call(questionCall, { questionId })).bounty).toMatchObject({ state: 'open', points: '50', cash: null, shares: [] })
  const commentId = await anAnswer(tom, questionId)
  const earned = await pointsOf(tom)
  await asker.call(adoptAnswer, { questionId, commentId })
  expect([before, (await pointsOf(tom)) - earned]).toEqual([60, 60])
  expect((await tom.call(questionCall, { questionId })).bounty).toMatchObject({
    state: 'paid',
    shares: [{ commentId, member: { id: tom.id }, points: '50', cash: null }],
  })
})

test('a question with a bounty demands a key, and one without does not', async () => {
  const asker = await anAsker()
  expect(await asker.isRefused(askQuestion, { ...draft(), bountyPoints: '50' }, KeyMissing)).toBe(true)
  expect((await asker.call(askQuestion, draft())).isPending).toBe(false)
})
