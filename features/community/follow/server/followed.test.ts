import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { markAllRead, markRead } from '#comment/reading-contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import { addFollow, block, removeFollow } from '#follow/contract.ts'
import { aQuestion, anAnswer } from '#question/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { followedThreads } from '#topic/followed-contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let [near, far] = ['', '']
let [mei, tom, bo] = [] as unknown as [Person, Person, Person]

beforeAll(async () => {
  forum = await aForum()
})
beforeEach(async () => {
  ;[near, far] = [await aTag(forum.database), await aTag(forum.database)]
  ;[mei, tom, bo] = [await forum.member(), await forum.member(), await forum.member()]
})

async function newFor(who: Person, input: { onlyQuestions?: boolean } = {}): Promise<string[][]> {
  const { threads } = await who.call(followedThreads, input)
  return threads.map(({ topic, why }) => [topic.id, why])
}

test('the feed has threads of followed members, newest first, and none of others', async () => {
  await tom.call(addFollow, { of: 'member', id: mei.id })
  const [topicId, questionId] = [await aTopic(mei, near), await aQuestion(mei, far)]
  await aTopic(bo, near)
  expect(await newFor(tom)).toEqual([
    [questionId, 'member'],
    [topicId, 'member'],
  ])
  expect(await newFor(tom, { onlyQuestions: true })).toEqual([[questionId, 'member']])
  expect(await newFor(bo)).toEqual([])
  await tom.call(removeFollow, { of: 'member', id: mei.id })
  expect(await newFor(tom)).toEqual([])
  expect((await forum.visitor().tryCall(followedThreads, {})).status).toBe(401)
})

test('a followed tag brings the threads in it and below it, further tags of questions too, latest activity first', async () => {
  const group = await aTag(forum.database)
  const below = await aTag(forum.database, { under: group })
  for (const id of [near, group]) await tom.call(addFollow, { of: 'tag', id })
  const topicId = await aTopic(mei, near)
  const [further, deep] = [await aQuestion(mei, far, { tagIds: [near] }), await aTopic(bo, below)]
  await aTopic(mei, far)
  expect(await newFor(tom)).toEqual([deep, further, topicId].map((id) => [id, 'tag']))
  await aComment(bo, topicId)
  expect(await newFor(tom)).toEqual([topicId, deep, further].map((id) => [id, 'tag']))
  expect(await newFor(tom, { onlyQuestions: true })).toEqual([[further, 'tag']])
  await sql`update topic set pin = 1 where id = ${deep}`.execute(forum.database.app)
  expect(await newFor(tom)).toEqual([topicId, deep, further].map((id) => [id, 'tag']))
})

test('a thread is there while it has new posts, until they are read', async () => {
  const [topicId, questionId] = [await aTopic(mei, near), await aQuestion(mei, near)]
  for (const id of [topicId, questionId]) await tom.call(addFollow, { of: 'topic', id })
  expect(await newFor(tom)).toEqual([])
  await anAnswer(bo, questionId)
  await aComment(bo, topicId)
  expect(await newFor(tom)).toEqual([
    [topicId, 'thread'],
    [questionId, 'thread'],
  ])
  await tom.call(markRead, { topicId, floor: 1 })
  expect(await newFor(tom)).toEqual([[questionId, 'thread']])
})

test('a thread marked as read with all others is there again after a new comment', async () => {
  const topicId = await aTopic(mei, near)
  await tom.call(addFollow, { of: 'topic', id: topicId })
  await aComment(bo, topicId)
  await tom.call(markAllRead, { tagId: near })
  expect(await newFor(tom)).toEqual([])
  await aComment(bo, topicId)
  expect(await newFor(tom)).toEqual([[topicId, 'thread']])
})

test('a thread with several reasons is listed once, on every page', async () => {
  await forum.database.app.transaction().execute((tx) => applySettings(tx, { topicsPerPage: 10 }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
  const ids: string[] = []
  const authors = [mei, bo, await forum.member(), await forum.member()]
  for (const author of [...authors, ...authors])
    ids.push(await aTopic(author, near), await aQuestion(author, far, { tagIds: [near] }), await aTopic(author, far))
  for (const [of, id] of [
    ...authors.map(({ id }) => ['member', id] as const),
    ['tag', near],
    ...ids.slice(0, 9).map((id) => ['topic', id] as const),
  ] as const)
    await tom.call(addFollow, { of, id })
  for (const [number, id] of ids.slice(0, 9).entries()) await (number % 3 === 1 ? anAnswer(bo, id) : aComment(bo, id))
  const seen: string[] = []
  let before: string | undefined
  do {
    const { threads, next } = await tom.call(followedThreads, { ...(before && { before }) })
    const times = threads.map(({ at }) => at)
    expect(times).toEqual(times.toSorted().toReversed())
    seen.push(...threads.map(({ topic }) => topic.id))
    before = next ?? undefined
  } while (before)
  expect(seen.toSorted()).toEqual(ids.toSorted())
  for (const place of ['x', '1', '1.2.3', '-1.1', '99999999999999999999.1'])
    expect((await tom.tryCall(followedThreads, { before: place })).status).toBe(400)
})

test('the feed has no thread without access, removed, or of a muted member', async () => {
  const { tagId: closed, admit } = await aClosedTag(forum.database)
  for (const who of [mei, tom]) await admit(who.id)
  await tom.call(addFollow, { of: 'tag', id: closed })
  await tom.call(addFollow, { of: 'member', id: mei.id })
  await bo.call(addFollow, { of: 'member', id: mei.id })
  const [hidden, open] = [await aTopic(mei, closed), await aTopic(mei, near)]
  await tom.call(addFollow, { of: 'topic', id: hidden })
  expect(await newFor(tom)).toEqual([
    [open, 'member'],
    [hidden, 'tag'],
  ])
  expect(await newFor(bo)).toEqual([[open, 'member']])
  await sql`delete from role_holding where member_id = ${tom.id}`.execute(forum.database.app)
  expect(await newFor(await again(tom))).toEqual([[open, 'member']])
  await mei.call(removeTopic, { topicId: open })
  expect(await newFor(bo)).toEqual([])
  const third = await aTopic(mei, near)
  expect(await newFor(bo)).toEqual([[third, 'member']])
  await bo.call(block, { userId: mei.id, way: 'muted' })
  expect(await newFor(bo)).toEqual([])
})

/** The same person with their rights read again. */
async function again(person: Person): Promise<Person> {
  forum.database.invalidations.announce(new Set(['role', 'everything', `member:${person.id}`]))
  return person
}
