import { beforeAll, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { askQuestion } from '#question/contract.ts'
import * as contract from '#poll/contract.ts'
import { aPoll, ballotsIn, letPass, teas, topicWithPoll } from '#poll/testing/factories.ts'
import { EndsTooSoon, OptionsAlike, TooManyChoices, TooManyOptions } from '#poll/thread-part.ts'
import { FunctionClosed } from '#setting/contract.ts'
import type { Settings } from '#setting/contract.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { publishTopic, removeTopic, thread, topicMarkdown } from '#topic/contract.ts'
import { closeTopic } from '#content/contract.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let tagId: string
let [mei, tom, bo] = [] as unknown as [Person, Person, Person]

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
})
beforeEach(async () => {
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
})

async function change(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

/** The counts that this reader sees, in the order of the options; null where they see none. */
async function counts(who: { call: Person['call'] }, topicId: string): Promise<{ voters: number; votes: number[] } | null> {
  const { options, results } = await who.call(contract.showPoll, { topicId })
  if (!results) return null
  const votes = new Map(results.votes.map(({ optionId, count }) => [optionId, count]))
  return { voters: results.voters, votes: options.map(({ id }) => votes.get(id) ?? 0) }
}

test('a topic has a poll that is public with it, in its Markdown too', async () => {
  const { topicId, optionIds } = await aPoll(mei, tagId, { title: 'Which tea?' })
  const { poll } = (await forum.visitor().call(thread, { topicId })).parts
  expect(poll).toEqual({
    title: 'Which tea?',
    options: teas.map((label, index) => ({ id: optionIds[index], label })),
    maxChoices: 1,
    endsAt: null,
    isEnded: false,
    isPublic: false,
    showsResults: 'always',
    version: 1,
  })
  const { markdown } = await forum.visitor().call(topicMarkdown, { topicId })
  expect(markdown).toContain('Poll: Which tea?')
  expect(markdown).toContain('- Oolong')
  expect(await counts(forum.visitor(), topicId)).toEqual({ voters: 0, votes: [0, 0, 0] })
})

test('a question comes with one, too; a topic without one shows none', async () => {
  const draft = { tagId, tagIds: [], title: 'Which one?', body: says('I cannot decide.'), parts: { poll: { options: ['This', 'That'] } } }
  const { questionId } = await mei.call(askQuestion, draft)
  expect((await forum.visitor().call(thread, { topicId: questionId })).parts.poll?.options).toHaveLength(2)
  const { topicId } = await mei.call(publishTopic, { tagId, title: 'Without', body: says('None.') })
  expect((await forum.visitor().call(thread, { topicId })).parts).toEqual({})
  expect((await tom.tryCall(contract.showPoll, { topicId })).status).toBe(404)
})

test('members vote once and change their vote; the counts are public', async () => {
  const { topicId, optionIds } = await aPoll(mei, tagId)
  const [green = '', black = ''] = optionIds
  await tom.call(contract.vote, { topicId, optionIds: [green] })
  await tom.call(contract.vote, { topicId, optionIds: [green] })
  await bo.call(contract.vote, { topicId, optionIds: [black] })
  expect(await counts(forum.visitor(), topicId)).toEqual({ voters: 2, votes: [1, 1, 0] })
  await tom.call(contract.vote, { topicId, optionIds: [black] })
  expect(await counts(mei, topicId)).toEqual({ voters: 2, votes: [0, 2, 0] })
  expect((await tom.call(contract.showPoll, { topicId })).mine).toEqual([black])
  expect((await mei.call(contract.showPoll, { topicId })).mine).toEqual([])
})

test('a voter takes at most the maximum of a poll, among its options', async () => {
  const { topicId, optionIds } = await aPoll(mei, tagId, { maxChoices: 2 })
  const [green = '', black = ''] = optionIds
  await tom.call(contract.vote, { topicId, optionIds: [green, black] })
  expect(await counts(bo, topicId)).toEqual({ voters: 1, votes: [1, 1, 0] })
  expect(await tom.isRefused(contract.vote, { topicId, optionIds }, contract.TooManyChosen)).toBe(true)
  const other = await aPoll(mei, tagId)
  for (const stranger of [other.optionIds[0] ?? '', '999999'])
    expect(await tom.isRefused(contract.vote, { topicId, optionIds: [green, stranger] }, contract.OptionGone)).toBe(true)
  // One option, named twice, is one vote.
  await tom.call(contract.vote, { topicId, optionIds: [black, black] })
  expect(await ballotsIn(forum.database, topicId)).toEqual([{ memberId: tom.id, optionIds: [black] }])
})

test('an invalid poll is refused at its field, together with the topic', async () => {
  const cases = [
    [{ options: ['One', 'One'] }, OptionsAlike],
    [{ options: ['１０ 元', '10\u3000元'] }, OptionsAlike],
    [{ maxChoices: 4 }, TooManyChoices],
    [{ options: Array.from({ length: 11 }, (_, number) => `Option ${number}`) }, TooManyOptions],
    [{ endsAt: new Date(Date.now() - 60_000).toISOString() }, EndsTooSoon],
  ] as const
  for (const [draft, kind] of cases) {
    const { options, ...rest } = { options: teas, ...draft }
    expect(await mei.isRefused(publishTopic, topicWithPoll(tagId, { ...rest, options: [...options] }), kind)).toBe(true)
  }
  const { error } = await mei.tryCall(publishTopic, topicWithPoll(tagId, { options: ['Alone'] }))
  expect(Object.keys(error)).toEqual(['parts.poll.options'])
})

test('with the setting at 0 no poll is added, and none takes votes', async () => {
  const { topicId, optionIds } = await aPoll(mei, tagId)
  expect(await mei.call(contract.pollForm, {})).toEqual({ maxOptions: 10 })
  await change({ maxPollOptions: 0 })
  expect(await mei.call(contract.pollForm, {})).toEqual({ maxOptions: 0 })
  expect(await mei.isRefused(publishTopic, topicWithPoll(tagId), FunctionClosed)).toBe(true)
  expect(await tom.isRefused(contract.vote, { topicId, optionIds: optionIds.slice(0, 1) }, FunctionClosed)).toBe(true)
  expect(await tom.call(contract.showPoll, { topicId })).toMatchObject({ takesVotes: false, may: { vote: false } })
  await change({ maxPollOptions: 3 })
  expect(await mei.isRefused(publishTopic, topicWithPoll(tagId, { options: ['1', '2', '3', '4'] }), TooManyOptions)).toBe(true)
  await change({ maxPollOptions: 10 })
})

test('a poll that is over, in a closed thread, or in a removed one takes no votes', async () => {
  const chief = await aStaffer(forum)
  const [over, closed, gone] = [await aPoll(mei, tagId), await aPoll(mei, tagId), await aPoll(mei, tagId)]
  const votes = ({ topicId, optionIds }: typeof over) => ({ topicId, optionIds: optionIds.slice(0, 1) })
  await letPass(forum.database, over.topicId)
  expect(await tom.isRefused(contract.vote, votes(over), contract.PollEnded)).toBe(true)
  await chief.call(closeTopic, { topicId: closed.topicId })
  expect(await tom.isRefused(contract.vote, votes(closed), contract.ThreadClosed)).toBe(true)
  expect(await tom.call(contract.showPoll, { topicId: closed.topicId })).toMatchObject({ takesVotes: false, isEnded: false })
  await mei.call(removeTopic, { topicId: gone.topicId })
  expect((await tom.tryCall(contract.vote, votes(gone))).status).toBe(404)
  for (const { topicId } of [over, closed, gone]) expect(await ballotsIn(forum.database, topicId)).toEqual([])
})
