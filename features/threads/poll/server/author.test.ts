import { beforeAll, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { moveTopic } from '#content/contract.ts'
import { banMember } from '#member/contract.ts'
import { notificationList } from '#notification/notification-contract.ts'
import * as contract from '#poll/contract.ts'
import { endDue } from '#poll/server/end.ts'
import { aPoll, letEnd, teas, topicWithPoll } from '#poll/testing/factories.ts'
import { Banned } from '#role/contract.ts'
import { WordsInField } from '#sensitive-word/contract.ts'
import { aList } from '#sensitive-word/testing/factories.ts'
import type { Settings } from '#setting/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { publishTopic } from '#topic/contract.ts'

let forum: Forum
let chief: Staffer
let tagId: string
let [mei, tom, bo] = [] as unknown as [Person, Person, Person]

beforeAll(async () => {
  forum = await aForum()
  chief = await aStaffer(forum)
  tagId = await aTag(forum.database)
})
beforeEach(async () => {
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
})

async function change(values: Partial<Settings>): Promise<void> {
  await transact(forum.database, (tx) => applySettings(tx, values))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
}

type Written = { id?: string; label: string }

const labelsOf = async (topicId: string) => (await tom.call(contract.showPoll, { topicId })).options.map(({ label }) => label)

async function writtenIn(topicId: string): Promise<Written[]> {
  return (await mei.call(contract.showPoll, { topicId })).options
}

test('the author adds options, puts them in order, and renames or removes those without votes', async () => {
  const { topicId } = await aPoll(mei, tagId)
  const [green, black, oolong] = (await writtenIn(topicId)) as [Written, Written, Written]
  await tom.call(contract.vote, { topicId, optionIds: [black.id ?? ''] })
  await mei.call(contract.editPoll, { topicId, options: [{ label: 'White' }, black, { ...green, label: 'Jasmine' }] })
  expect(await labelsOf(topicId)).toEqual(['White', 'Black', 'Jasmine'])
  expect((await tom.call(contract.showPoll, { topicId })).mine).toEqual([black.id])
  const refused = [
    [[green, { ...black, label: 'Red' }], contract.OptionHasVotes],
    [[green, { label: 'Yellow' }], contract.OptionHasVotes],
    [[green, black, { label: 'Black' }], contract.AlikeAfterEdit],
    [Array.from({ length: 11 }, (_, number) => ({ label: `Option ${number}` })), contract.TooManyAfterEdit],
  ] as const
  for (const [options, kind] of refused)
    expect(await mei.isRefused(contract.editPoll, { topicId, options: [...options] }, kind), kind.code).toBe(true)
  // An option that went, and one of another poll.
  const other = await aPoll(mei, tagId)
  for (const stranger of [oolong, { id: other.optionIds[0] ?? '', label: 'Theirs' }])
    expect((await mei.tryCall(contract.editPoll, { topicId, options: [black, stranger] })).status).toBe(404)
  expect(await labelsOf(topicId)).toEqual(['White', 'Black', 'Jasmine'])
})

test('two options change names', async () => {
  const { topicId } = await aPoll(mei, tagId)
  const [green, black, oolong] = (await writtenIn(topicId)) as [Written, Written, Written]
  await mei.call(contract.editPoll, { topicId, options: [{ ...green, label: 'Black' }, { ...black, label: 'Green' }, oolong] })
  expect(await labelsOf(topicId)).toEqual(['Black', 'Green', 'Oolong'])
})

test('with fewer options than choices, a voter chooses fewer', async () => {
  const { topicId } = await aPoll(mei, tagId, { maxChoices: 3 })
  await mei.call(contract.editPoll, { topicId, options: (await writtenIn(topicId)).slice(0, 2) })
  expect((await tom.call(contract.showPoll, { topicId })).maxChoices).toBe(2)
})

test('a poll that has ended is not edited, and does not end again', async () => {
  const { topicId } = await aPoll(mei, tagId)
  const options = await writtenIn(topicId)
  await mei.call(contract.endPoll, { topicId })
  expect(await mei.isRefused(contract.editPoll, { topicId, options }, contract.PollEnded)).toBe(true)
  expect(await mei.isRefused(contract.endPoll, { topicId }, contract.PollEnded)).toBe(true)
  expect(await mei.call(contract.showPoll, { topicId })).toMatchObject({ isEnded: true, may: { vote: false, edit: false, end: false } })
})

test('others can neither edit nor end it; visitors cannot vote', async () => {
  const { topicId, optionIds } = await aPoll(mei, tagId)
  const options = await writtenIn(topicId)
  expect((await tom.tryCall(contract.editPoll, { topicId, options })).status).toBe(403)
  expect((await tom.tryCall(contract.endPoll, { topicId })).status).toBe(403)
  expect((await tom.call(contract.showPoll, { topicId })).may).toEqual({ vote: true, edit: false, end: false })
  const visitor = forum.visitor()
  expect((await visitor.call(contract.showPoll, { topicId })).may).toEqual({ vote: false, edit: false, end: false })
  expect((await visitor.tryCall(contract.vote, { topicId, optionIds: optionIds.slice(0, 1) })).status).toBe(401)
  expect((await visitor.tryCall(contract.editPoll, { topicId, options })).status).toBe(401)
  expect((await visitor.tryCall(contract.endPoll, { topicId })).status).toBe(401)
  expect((await visitor.tryCall(contract.pollForm, {})).status).toBe(401)
})

test('a poll is added and voted in with the right to it', async () => {
  const inside = await aClosedTag(forum.database)
  for (const who of [mei, tom]) await inside.admit(who.id)
  expect((await mei.tryCall(publishTopic, topicWithPoll(inside.tagId))).status).toBe(403)
  const { topicId, optionIds } = await aPoll(mei, tagId)
  await chief.call(moveTopic, { topicId, tagId: inside.tagId })
  expect((await tom.tryCall(contract.vote, { topicId, optionIds: optionIds.slice(0, 1) })).status).toBe(403)
  expect((await mei.tryCall(contract.editPoll, { topicId, options: teas.map((label) => ({ label })) })).status).toBe(403)
  expect((await mei.call(contract.showPoll, { topicId })).may).toEqual({ vote: false, edit: false, end: true })
})

test('a member banned from polls adds none and votes in none, but can end their own', async () => {
  const { topicId, optionIds } = await aPoll(mei, tagId)
  await chief.call(banMember, { memberId: mei.id, from: ['poll'], reason: 'Stuffing ballots' })
  expect((await mei.call(contract.pollForm, {})).maxOptions).toBe(0)
  expect(await mei.isRefused(publishTopic, topicWithPoll(tagId), Banned)).toBe(true)
  expect(await mei.isRefused(contract.vote, { topicId, optionIds: optionIds.slice(0, 1) }, Banned)).toBe(true)
  expect(await mei.isRefused(contract.editPoll, { topicId, options: await writtenIn(topicId) }, Banned)).toBe(true)
  await mei.call(contract.endPoll, { topicId })
})

const notificationsOf = async (who: Person) => (await who.call(notificationList, {})).notifications.map(({ kind }) => kind)

test('voters and the author are notified once that a poll ended', async () => {
  const { topicId, optionIds } = await aPoll(mei, tagId)
  for (const who of [tom, mei]) await who.call(contract.vote, { topicId, optionIds: optionIds.slice(0, 1) })
  await endDue(forum.database)
  expect(await notificationsOf(tom)).toEqual([])
  for (let time = 0; time < 2; time++) await letEnd(forum.database, topicId)
  for (const who of [tom, mei]) expect(await notificationsOf(who)).toEqual(['pollEnded'])
  expect(await notificationsOf(bo)).toEqual([])
})

test('an author who ends a poll is not notified; if staff end it, the author is', async () => {
  const [own, other] = [await aPoll(mei, tagId), await aPoll(mei, tagId)]
  for (const { topicId, optionIds } of [own, other]) await tom.call(contract.vote, { topicId, optionIds: optionIds.slice(0, 1) })
  await mei.call(contract.endPoll, { topicId: own.topicId })
  await endDue(forum.database)
  expect([await notificationsOf(mei), await notificationsOf(tom)]).toEqual([[], ['pollEnded']])
  await chief.call(contract.endPollAsStaff, { topicId: other.topicId, reason: 'Over.' })
  await endDue(forum.database)
  expect([await notificationsOf(mei), await notificationsOf(tom)]).toEqual([['pollEnded'], ['pollEnded', 'pollEnded']])
})

test('sensitive words in a new poll are reviewed or refused with its thread; an edit with any is refused', async () => {
  await aList(chief, 'review', 'gunpowder')
  await aList(chief, 'refuse', 'dynamite')
  const { isPending } = await mei.call(publishTopic, topicWithPoll(tagId, { options: ['Green', 'Gunpowder'] }))
  expect(isPending).toBe(true)
  const refused = await mei.tryCall(publishTopic, topicWithPoll(tagId, { options: ['Green', 'Dynamite'] }))
  expect(Object.keys(refused.error)).toEqual(['parts.poll.options'])
  const { topicId } = await aPoll(mei, tagId)
  const options = [...(await writtenIn(topicId)), { label: 'gunpowder' }]
  const { status, error } = await mei.tryCall(contract.editPoll, { topicId, options })
  expect([status, Object.keys(error)]).toEqual([WordsInField.status, ['options']])
})

test('with review of topics, options of a published poll keep their labels; their order can change', async () => {
  const { topicId } = await aPoll(mei, tagId)
  const options = await writtenIn(topicId)
  await change({ reviewTopics: 'everybody' })
  expect(await mei.isRefused(contract.editPoll, { topicId, options: [...options, { label: 'White' }] }, contract.OptionsReviewed)).toBe(
    true,
  )
  await mei.call(contract.editPoll, { topicId, options: options.toReversed() })
  expect(await labelsOf(topicId)).toEqual(teas.toReversed())
  await change({ reviewTopics: 'words' })
})
