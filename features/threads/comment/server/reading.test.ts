import { beforeAll, beforeEach, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { listComments, myThread } from '#comment/contract.ts'
import { freshCounts, markAllRead, markRead, timeline, undoAllRead } from '#comment/reading-contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import { sampleFloors } from '#comment/server/timeline.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

let forum: Forum
let tagId: string
let mei: Person
let tom: Person
let topicId: string

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
})

beforeEach(async () => {
  mei = await forum.member()
  tom = await forum.member()
  topicId = await aTopic(mei, tagId)
  for (let floor = 1; floor <= 3; floor++) await aComment(mei, topicId)
})

const readTo = async (who: Person) => (await who.call(myThread, { topicId })).readTo

test('the last read floor is stored, and never goes back, whichever device reports last', async () => {
  expect(await readTo(tom)).toBeNull()
  await tom.call(markRead, { topicId, floor: 2 })
  await tom.call(markRead, { topicId, floor: 1 })
  expect(await readTo(tom)).toBe(2)
  await Promise.all([3, 1, 2].map((floor) => tom.call(markRead, { topicId, floor })))
  expect(await readTo(tom)).toBe(3)
  expect(await readTo(await forum.member())).toBeNull()
})

test('the last read floor ends at the last floor of the topic', async () => {
  await tom.call(markRead, { topicId, floor: 900 })
  expect(await readTo(tom)).toBe(3)
  expect((await tom.tryCall(markRead, { topicId, floor: -1 })).status).toBe(422)
})

const standing = async (...topicIds: string[]) => {
  const { topics } = await tom.call(freshCounts, { topicIds })
  return topicIds.map((id) => topics.find((one) => one.topicId === id))
}

test('a list shows the comments since the last visit, and marks a topic never visited as unread', async () => {
  const own = await aTopic(tom, tagId)
  const unread = await aTopic(mei, tagId)
  await tom.call(markRead, { topicId, floor: 1 })
  expect(await standing(topicId, own, unread, '999999')).toEqual([
    // Two comments were never seen, and none of them is new.
    { topicId, readTo: 1, fresh: 0, isUnread: false },
    { topicId: own, readTo: 0, fresh: 0, isUnread: false },
    { topicId: unread, readTo: 0, fresh: 0, isUnread: true },
    undefined,
  ])
  await aComment(mei, topicId)
  await aComment(tom, topicId)
  await aComment(mei, topicId)
  // A comment of one's own counts as a visit.
  expect(await standing(topicId)).toEqual([{ topicId, readTo: 5, fresh: 1, isUnread: false }])
  expect(await tom.call(freshCounts, { topicIds: [] })).toEqual({ topics: [] })
})

test('a marking as read covers the present posts, and can be undone', async () => {
  const never = await aTopic(mei, tagId)
  await tom.call(markRead, { topicId, floor: 3 })
  await aComment(mei, topicId)
  const before = await standing(topicId, never)
  expect(before).toMatchObject([
    { fresh: 1, isUnread: false },
    { fresh: 0, isUnread: true },
  ])
  const read = [
    { topicId, readTo: 3, fresh: 0, isUnread: false },
    { topicId: never, readTo: 0, fresh: 0, isUnread: false },
  ]
  const first = await tom.call(markAllRead, {})
  expect(await standing(topicId, never)).toEqual(read)
  const second = await tom.call(markAllRead, {})
  await tom.call(undoAllRead, { at: second.at })
  // The undo restores the former mark; a second undo has no effect.
  await tom.call(undoAllRead, { at: second.at })
  expect(await standing(topicId, never)).toEqual(read)
  await tom.call(undoAllRead, { at: first.at })
  expect(await standing(topicId, never)).toEqual(before)
  await tom.call(markAllRead, {})
  await aComment(mei, topicId)
  await aComment(mei, never)
  expect(await standing(topicId, never)).toMatchObject([
    { fresh: 1, isUnread: false },
    { fresh: 0, isUnread: true },
  ])
})

test('a tag is read with its child tags, and no other; a tag without access has nothing to read', async () => {
  const above = await aTag(forum.database)
  const below = await aTag(forum.database, { under: above })
  const [there, elsewhere] = [await aTopic(mei, below), await aTopic(mei, tagId)]
  const { at } = await tom.call(markAllRead, { tagId: above })
  expect(await standing(there, elsewhere)).toMatchObject([{ isUnread: false }, { isUnread: true }])
  expect((await mei.call(freshCounts, { topicIds: [there] })).topics).toMatchObject([{ isUnread: false }])
  expect((await (await forum.member()).call(freshCounts, { topicIds: [there] })).topics).toMatchObject([{ isUnread: true }])
  await tom.call(undoAllRead, { tagId: above, at })
  expect(await standing(there)).toMatchObject([{ isUnread: true }])
  const { tagId: closed } = await aClosedTag(forum.database)
  expect((await tom.tryCall(markAllRead, { tagId: closed })).status).toBe(404)
  expect((await forum.visitor().tryCall(markAllRead, {})).status).toBe(401)
})

test('visitors have no last read floor, nor has a member in a topic without access', async () => {
  const visitor = forum.visitor()
  expect((await visitor.tryCall(markRead, { topicId, floor: 1 })).status).toBe(401)
  expect((await visitor.tryCall(freshCounts, { topicIds: [topicId] })).status).toBe(401)

  const { tagId: closed, admit } = await aClosedTag(forum.database)
  await admit(mei.id)
  const hidden = await aTopic(mei, closed)
  expect((await tom.tryCall(markRead, { topicId: hidden, floor: 0 })).status).toBe(404)
  expect((await tom.tryCall(timeline, { topicId: hidden })).status).toBe(404)

  await admit(tom.id)
  await tom.call(markRead, { topicId: hidden, floor: 0 })
  expect((await tom.call(freshCounts, { topicIds: [hidden] })).topics).toHaveLength(1)
  await mei.call(removeTopic, { topicId: hidden })
  expect((await tom.call(freshCounts, { topicIds: [hidden] })).topics).toEqual([])
})

test('a tag that closes hides its new comments', async () => {
  const { tagId: closed, admit } = await aClosedTag(forum.database)
  await admit(mei.id)
  const hidden = await aTopic(mei, closed)
  const { id: member_id } = tom
  await forum.database.app.insertInto('topic_read_position').values({ member_id, topic_id: hidden, floor: 0 }).execute()
  await aComment(mei, hidden)
  expect((await tom.call(freshCounts, { topicIds: [hidden] })).topics).toEqual([])
})

test('a floor leads to the page that holds it, and one beyond the last to the last', async () => {
  const visitor = forum.visitor()
  expect(await visitor.call(listComments, { topicId, floor: 2 })).toMatchObject({ page: 1, from: 1, to: 3, total: 3 })
  expect(await visitor.call(listComments, { topicId, floor: 4000 })).toMatchObject({ page: 1, from: 1, to: 3 })
  const empty = await aTopic(mei, tagId)
  expect(await visitor.call(listComments, { topicId: empty, floor: 4 })).toMatchObject({ page: 1, pages: 1, comments: [] })
  expect((await visitor.tryCall(listComments, { topicId, floor: 0 })).status).toBe(400)
})

test('the timeline of a topic without comments has no marks', async () => {
  expect(await forum.visitor().call(timeline, { topicId: await aTopic(tom, tagId) })).toEqual({ marks: [] })
})

test('the timeline says when comments were written, from the first to the last', async () => {
  const { marks } = await forum.visitor().call(timeline, { topicId })
  expect(marks.map(({ floor }) => floor)).toEqual([1, 2, 3])
  expect(sampleFloors(0)).toEqual([])
  expect(sampleFloors(1)).toEqual([1])
  const many = sampleFloors(100_000)
  expect([many.length, many[0], many.at(-1), new Set(many).size]).toEqual([100, 1, 100_000, 100])
})
