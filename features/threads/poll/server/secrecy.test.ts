import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { eventListener, type EventListener } from '#base/testing/listen.ts'
import { closeTopic, moveTopic } from '#content/contract.ts'
import * as contract from '#poll/contract.ts'
import { aPoll, letEnd } from '#poll/testing/factories.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'

let forum: Forum
let url: string
let chief: Staffer
let tagId: string
let [mei, tom, bo] = [] as unknown as [Person, Person, Person]
const open: EventListener[] = []

beforeAll(async () => {
  forum = await aForum()
  url = await forum.app.listen({ port: 0, host: '127.0.0.1' })
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
})
beforeEach(async () => {
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
})
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

const resultsFor = async (who: { call: Person['call'] }, topicId: string) => (await who.call(contract.showPoll, { topicId })).results

async function listen(of: Record<string, string>, as?: Person): Promise<EventListener> {
  const listener = await eventListener(
    (how) => fetch(`${url}/api/poll/news?${new URLSearchParams(of)}`, how),
    as?.pair ? { authorization: `Bearer ${as.pair.accessToken},${as.pair.refreshToken}` } : {},
  )
  open.push(listener)
  return listener
}

const lastOf = (listener: EventListener) => JSON.parse(listener.events().at(-1)?.data ?? '{}') as Partial<contract.PollNews>

test('results that show after voting are sent to voters alone, its author no exception, and to all after the end', async () => {
  const { topicId, optionIds } = await aPoll(mei, tagId, { showsResults: 'voted', isPublic: true })
  const [green = ''] = optionIds
  await tom.call(contract.vote, { topicId, optionIds: [green] })
  expect(await resultsFor(tom, topicId)).toEqual({ voters: 1, votes: [{ optionId: green, count: 1 }] })
  for (const who of [mei, bo, forum.visitor()]) {
    expect(await who.call(contract.showPoll, { topicId })).toMatchObject({ results: null, resultsKey: null })
    expect((await who.tryCall(contract.pollVoters, { topicId, optionId: green })).status).toBe(404)
  }
  await letEnd(forum.database, topicId)
  expect(await resultsFor(forum.visitor(), topicId)).toMatchObject({ voters: 1 })
  expect((await bo.call(contract.pollVoters, { topicId, optionId: green })).total).toBe(1)
})

test.each(['voted', 'ended'] as const)('an edit shows its author no results that show when %s', async (showsResults) => {
  const { topicId, optionIds } = await aPoll(mei, tagId, { showsResults })
  const { options } = await mei.call(contract.showPoll, { topicId })
  const renamed = (ids: readonly string[]) => options.map((one) => (ids.includes(one.id) ? { ...one, label: `${one.label} tea` } : one))
  const answerTo = async (edited: { id?: string; label: string }[]) => {
    const { status, error } = await mei.tryCall(contract.editPoll, { topicId, options: edited })
    return [status, error]
  }
  await mei.call(contract.editPoll, { topicId, options: renamed(optionIds.slice(0, 1)) })
  await mei.call(contract.editPoll, { topicId, options })
  await tom.call(contract.vote, { topicId, optionIds: optionIds.slice(1, 2) })
  const answers = await Promise.all([
    ...optionIds.map((id) => answerTo(renamed([id]))),
    ...optionIds.map((id) => answerTo(options.filter((one) => one.id !== id))),
    answerTo(renamed(optionIds)),
  ])
  expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
  const text = JSON.stringify(answers[0])
  expect(text).toContain('votes')
  for (const { label } of options) expect(text).not.toContain(label)
  await bo.call(contract.vote, { topicId, optionIds: optionIds.slice(2, 3) })
  expect(JSON.stringify(await answerTo(renamed(optionIds)))).toBe(text)
  await mei.call(contract.editPoll, { topicId, options: [{ label: 'White' }, ...options.toReversed()] })
})

test('results that show at the end are in no answer before', async () => {
  const { topicId, optionIds } = await aPoll(mei, tagId, { showsResults: 'ended' })
  await tom.call(contract.vote, { topicId, optionIds: optionIds.slice(0, 1) })
  for (const who of [mei, tom, forum.visitor()]) expect(await resultsFor(who, topicId)).toBe(null)
  await mei.call(contract.endPoll, { topicId })
  expect(await resultsFor(forum.visitor(), topicId)).toMatchObject({ voters: 1 })
})

test('votes are secret, from staff and author too, unless the poll is public', async () => {
  const secret = await aPoll(mei, tagId)
  const open = await aPoll(mei, tagId, { isPublic: true })
  for (const { topicId, optionIds } of [secret, open]) await tom.call(contract.vote, { topicId, optionIds: optionIds.slice(0, 1) })
  for (const who of [mei, tom, bo, forum.visitor(), chief]) {
    expect((await who.tryCall(contract.pollVoters, { topicId: secret.topicId, optionId: secret.optionIds[0] ?? '' })).status).toBe(404)
    const { members, total } = await who.call(contract.pollVoters, { topicId: open.topicId, optionId: open.optionIds[0] ?? '' })
    expect([members.map(({ member }) => member.id), total]).toEqual([[tom.id], 1])
  }
  const { response } = await chief.tryCall(contract.pollForStaff, { topicId: secret.topicId })
  expect(response.json()).toEqual({ results: { voters: 1, votes: [{ optionId: secret.optionIds[0], count: 1 }] } })
})

test('the list of voters has pages, the newest first, and none for an option of another poll', async () => {
  const { topicId, optionIds } = await aPoll(mei, tagId, { isPublic: true })
  const [green = '', black = ''] = optionIds
  const voters = await Promise.all(Array.from({ length: 32 }, () => forum.member()))
  for (const one of voters) await one.call(contract.vote, { topicId, optionIds: [green] })
  const first = await bo.call(contract.pollVoters, { topicId, optionId: green })
  const second = await bo.call(contract.pollVoters, { topicId, optionId: green, page: 2 })
  expect([first.total, first.pages, first.members.length, second.members.length]).toEqual([32, 2, 30, 2])
  expect(first.members[0]?.member.id).toBe(voters.at(-1)?.id)
  expect((await bo.call(contract.pollVoters, { topicId, optionId: black })).members).toEqual([])
  const other = await aPoll(mei, tagId, { isPublic: true })
  expect((await bo.tryCall(contract.pollVoters, { topicId, optionId: other.optionIds[0] ?? '' })).status).toBe(404)
})

test('an open page hears of votes, of changed options and of the end', async () => {
  const { topicId, optionIds } = await aPoll(mei, tagId)
  const [green = '', black = ''] = optionIds
  const listener = await listen({ topicId })
  await expect.poll(() => lastOf(listener).results).toEqual({ voters: 0, votes: [] })
  await tom.call(contract.vote, { topicId, optionIds: [green] })
  await expect.poll(() => lastOf(listener).results).toEqual({ voters: 1, votes: [{ optionId: green, count: 1 }] })
  await mei.call(contract.editPoll, {
    topicId,
    options: [
      { id: green, label: 'Green' },
      { id: black, label: 'Red' },
    ],
  })
  await expect.poll(() => lastOf(listener).version).toBe(2)
  await mei.call(contract.endPoll, { topicId })
  await expect.poll(() => lastOf(listener)).toMatchObject({ isEnded: true, takesVotes: false })
})

test('with results for voters only, their key opens the stream of results, and others get no event of a vote', async () => {
  const { topicId, optionIds } = await aPoll(mei, tagId, { showsResults: 'voted' })
  await tom.call(contract.vote, { topicId, optionIds: optionIds.slice(0, 1) })
  const { resultsKey } = await tom.call(contract.showPoll, { topicId })
  const [voter, other] = [await listen({ topicId, resultsKey: resultsKey ?? '' }, tom), await listen({ topicId })]
  await expect.poll(() => lastOf(voter).results?.voters).toBe(1)
  await bo.call(contract.vote, { topicId, optionIds: optionIds.slice(1, 2) })
  await expect.poll(() => lastOf(voter).results?.voters).toBe(2)
  expect(other.events().map(({ id, data }) => [id, JSON.parse(data)])).toEqual([
    ['1-open', { version: 1, isEnded: false, takesVotes: true, results: null }],
  ])
  const wrong = await listen({ topicId, resultsKey: '7f8f2c0e-0000-4000-8000-000000000000' }, bo)
  expect(wrong.status).toBe(404)
})

test('the stream says that the thread was closed, and ends when readers may no longer see it', async () => {
  const closed = await aPoll(mei, tagId)
  const listener = await listen({ topicId: closed.topicId })
  await chief.call(closeTopic, { topicId: closed.topicId })
  await expect.poll(() => lastOf(listener).takesVotes).toBe(false)
  await mei.call(removeTopic, { topicId: closed.topicId })
  await expect.poll(() => listener.isClosed()).toBe(true)
  const moved = await aPoll(mei, tagId)
  const second = await listen({ topicId: moved.topicId })
  const { tagId: inside } = await aClosedTag(forum.database)
  await chief.call(moveTopic, { topicId: moved.topicId, tagId: inside })
  await expect.poll(() => second.isClosed()).toBe(true)
  expect((await tom.tryCall(contract.showPoll, { topicId: moved.topicId })).status).toBe(404)
  expect((await tom.tryCall(contract.vote, { topicId: moved.topicId, optionIds: moved.optionIds.slice(0, 1) })).status).toBe(404)
})
