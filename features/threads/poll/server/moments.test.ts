import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { purgeTopic, removeTopicAsStaff, restoreTopic, topicForStaff } from '#content/contract.ts'
import { mergeTopics } from '#content/move-contract.ts'
import { leave } from '#leaving/contract.ts'
import { eraseDue } from '#leaving/server/erase.ts'
import { mergeMembers } from '#member-cleanup/contract.ts'
import { resume } from '#member-cleanup/server/merge.ts'
import * as contract from '#poll/contract.ts'
import { archive } from '#poll/server/archive-parts.ts'
import { aPoll, ballotsIn, topicWithPoll } from '#poll/testing/factories.ts'
import { askQuestion, restoreQuestion } from '#question/contract.ts'
import { anAnswer } from '#question/testing/factories.ts'
import { approveReview, openReview, reviewQueue } from '#review/contract.ts'
import { aStaffer, type Staffer } from '#staff/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { publishTopic, removeTopic, thread } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

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

const resultsOf = async (topicId: string) => (await forum.visitor().call(contract.showPoll, { topicId })).results

test('the votes of two merged accounts count once: the vote of the remaining one counts', async () => {
  const [both, one] = [await aPoll(mei, tagId), await aPoll(mei, tagId)]
  const [green = '', black = ''] = both.optionIds
  await tom.call(contract.vote, { topicId: both.topicId, optionIds: [green] })
  await bo.call(contract.vote, { topicId: both.topicId, optionIds: [black] })
  await tom.call(contract.vote, { topicId: one.topicId, optionIds: one.optionIds.slice(0, 1) })
  await chief.call(mergeMembers, { memberId: tom.id, account: tom.account, into: bo.account, reason: 'one and the same' })
  await resume(forum.database)
  expect(await ballotsIn(forum.database, both.topicId)).toEqual([{ memberId: bo.id, optionIds: [black] }])
  expect(await ballotsIn(forum.database, one.topicId)).toEqual([{ memberId: bo.id, optionIds: one.optionIds.slice(0, 1) }])
  expect(await resultsOf(both.topicId)).toEqual({ voters: 1, votes: [{ optionId: black, count: 1 }] })
})

test('the votes of an erased member go', async () => {
  const { topicId, optionIds } = await aPoll(mei, tagId)
  for (const who of [tom, bo]) await who.call(contract.vote, { topicId, optionIds: optionIds.slice(0, 1) })
  await tom.call(leave, { way: 'erase', posts: 'stay', givesUp: true })
  await sql`update account_deletion set erase_at = erase_at - interval '8 days' where member_id = ${tom.id}`.execute(forum.database.app)
  await eraseDue(forum.database)
  expect(await resultsOf(topicId)).toMatchObject({ voters: 1 })
  expect((await ballotsIn(forum.database, topicId)).map(({ memberId }) => memberId)).toEqual([bo.id])
})

test('a poll comes back with its restored thread, and goes with an erased one', async () => {
  const { topicId, optionIds } = await aPoll(mei, tagId)
  await tom.call(contract.vote, { topicId, optionIds: optionIds.slice(0, 1) })
  await chief.call(removeTopicAsStaff, { topicId, reason: 'Not here' })
  expect((await tom.tryCall(contract.showPoll, { topicId })).status).toBe(404)
  await chief.call(restoreTopic, { topicId })
  expect(await resultsOf(topicId)).toMatchObject({ voters: 1 })
  await chief.call(removeTopicAsStaff, { topicId, reason: 'Not here' })
  await chief.call(purgeTopic, { topicId, reason: '' })
  const { rows } =
    await sql`select topic_id from poll where topic_id = ${topicId} union all select topic_id from poll_option where topic_id = ${topicId}`.execute(
      forum.database.app,
    )
  expect(rows).toEqual([])
  expect(await ballotsIn(forum.database, topicId)).toEqual([])
})

test('a poll stays with a merged thread, where it takes no votes', async () => {
  const { topicId, optionIds } = await aPoll(mei, tagId)
  await tom.call(contract.vote, { topicId, optionIds: optionIds.slice(0, 1) })
  await chief.call(mergeTopics, { topicIds: [topicId], to: await aTopic(bo, tagId), reason: '' })
  expect((await tom.tryCall(contract.vote, { topicId, optionIds: optionIds.slice(1, 2) })).status).toBe(404)
  expect(await ballotsIn(forum.database, topicId)).toHaveLength(1)
})

test('a poll is hidden while its asker has withdrawn the question', async () => {
  const poll = { options: ['This', 'That'] }
  const { questionId: topicId } = await mei.call(askQuestion, {
    tagId,
    tagIds: [],
    title: 'Which?',
    body: says('Tell me.'),
    parts: { poll },
  })
  const { options } = await tom.call(contract.showPoll, { topicId })
  const vote = { topicId, optionIds: [options[0]?.id ?? ''] }
  await tom.call(contract.vote, vote)
  await anAnswer(bo, topicId)
  await mei.call(removeTopic, { topicId })
  expect((await bo.call(thread, { topicId })).parts).toEqual({})
  expect((await bo.tryCall(contract.showPoll, { topicId })).status).toBe(404)
  expect(await bo.isRefused(contract.vote, vote, contract.ThreadClosed)).toBe(true)
  await mei.call(restoreQuestion, { questionId: topicId })
  expect(await resultsOf(topicId)).toMatchObject({ voters: 1 })
})

test('staff review a poll with its thread, which takes votes once it is published', async () => {
  await transact(forum.database, (tx) => applySettings(tx, { reviewTopics: 'everybody' }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
  const { topicId, isPending } = await mei.call(publishTopic, topicWithPoll(tagId, { title: 'Which tea?' }))
  await transact(forum.database, (tx) => applySettings(tx, { reviewTopics: 'nobody' }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
  expect(isPending).toBe(true)
  const { options } = await mei.call(contract.showPoll, { topicId })
  const vote = { topicId, optionIds: [options[0]?.id ?? ''] }
  for (const who of [mei, tom]) expect((await who.tryCall(contract.vote, vote)).status).toBe(404)
  const [waiting] = (await chief.call(reviewQueue, { size: 200 })).rows.filter((row) => row.topicId === topicId)
  const { parts, version } = await chief.call(openReview, { reviewId: waiting?.id ?? '' })
  expect(parts.poll).toMatchObject({ title: 'Which tea?', options })
  await chief.call(approveReview, { reviewId: waiting?.id ?? '', version })
  await tom.call(contract.vote, vote)
})

test('staff with the right end a poll or remove it, with an entry in the log; others do not', async () => {
  const [first, second] = [await aPoll(mei, tagId), await aPoll(mei, tagId, { title: 'Which tea?' })]
  await tom.call(contract.vote, { topicId: second.topicId, optionIds: second.optionIds.slice(0, 1) })
  const reader = await aStaffer(forum, ['content.view'])
  const reason = 'An advertisement.'
  for (const call of [contract.endPollAsStaff, contract.removePollAsStaff]) {
    expect((await reader.tryCall(call, { topicId: first.topicId, reason })).status).toBe(403)
    expect((await mei.tryCall(call, { topicId: first.topicId, reason })).status).toBe(401)
  }
  expect((await reader.call(contract.pollForStaff, { topicId: second.topicId })).results.voters).toBe(1)
  await chief.call(contract.endPollAsStaff, { topicId: first.topicId, reason })
  expect(await chief.isRefused(contract.endPollAsStaff, { topicId: first.topicId, reason }, contract.PollEnded)).toBe(true)
  await chief.call(contract.removePollAsStaff, { topicId: second.topicId, reason })
  expect((await tom.tryCall(contract.showPoll, { topicId: second.topicId })).status).toBe(404)
  expect((await chief.call(topicForStaff, { topicId: second.topicId })).parts).toEqual({})
  const entries = await forum.database.app
    .selectFrom('audit_log')
    .select(['action', 'about', 'reason', 'before'])
    .where('action', 'like', 'poll.%')
    .orderBy('id')
    .execute()
  expect(entries).toMatchObject([
    { action: 'poll.end', about: `topic ${first.topicId}`, reason },
    {
      action: 'poll.remove',
      about: `topic ${second.topicId}`,
      reason,
      before: { title: 'Which tea?', options: ['Green', 'Black', 'Oolong'] },
    },
  ])
})

test('the archive of a member has their polls and their votes, and only accessible results', async () => {
  const [open, hidden] = [await aPoll(mei, tagId), await aPoll(mei, tagId, { showsResults: 'ended' })]
  for (const { topicId, optionIds } of [open, hidden]) await tom.call(contract.vote, { topicId, optionIds: optionIds.slice(0, 1) })
  const rowsOf = async (name: string, memberId: string) => {
    const part = archive.find((one) => one.name === name)
    if (!part || !('rows' in part)) throw new Error(`There is no part ${name}`)
    return (await part.rows(memberId).execute(forum.database.app)).rows
  }
  expect(await rowsOf('polls', mei.id)).toMatchObject([
    { topicId: open.topicId, results: { voters: 1 } },
    { topicId: hidden.topicId, results: null },
  ])
  expect(await rowsOf('votes', tom.id)).toMatchObject([
    { topicId: open.topicId, options: ['Green'] },
    { topicId: hidden.topicId, options: ['Green'] },
  ])
  expect(await rowsOf('votes', mei.id)).toEqual([])
})
