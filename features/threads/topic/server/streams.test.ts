import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { eventListener, type EventListener } from '#base/testing/listen.ts'
import { aComment } from '#comment/testing/factories.ts'
import { aQuestion } from '#question/testing/factories.ts'
import { aClosedTag, aTag, closedTags } from '#tag/testing/factories.ts'
import { publishTopic, removeTopic } from '#topic/contract.ts'
import { maxNews, type NewTopicView } from '#topic/news-contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let url: string
let mei: Person
let tagId: string
const open: EventListener[] = []

beforeAll(async () => {
  forum = await aForum()
  url = await forum.app.listen({ port: 0, host: '127.0.0.1' })
})

beforeEach(async () => {
  mei = await forum.member()
  tagId = await aTag(forum.database)
})

afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

async function listen(of: { tagId?: string }, as?: Person): Promise<EventListener> {
  const listener = await eventListener(
    (how) => fetch(`${url}/api/topic/news?${new URLSearchParams(of)}`, how),
    as?.pair ? { authorization: `Bearer ${as.pair.accessToken},${as.pair.refreshToken}` } : {},
  )
  open.push(listener)
  return listener
}

const topicsIn = (data: string) => (JSON.parse(data) as { topics: NewTopicView[] }).topics
const newTopics = (listener: EventListener) => topicsIn(listener.events().at(-1)?.data ?? '{"topics":[]}')
const ids = (listener: EventListener) => newTopics(listener).map(({ id }) => id)
/** Every topic that was ever told. */
const told = (listener: EventListener) => listener.events().flatMap(({ data }) => topicsIn(data).map(({ id }) => id))

test('a reader of a list hears of a new topic or question, and no more of a removed one', async () => {
  const [everywhere, here] = [await listen({}), await listen({ tagId })]
  const first = await aTopic(mei, tagId)
  await expect.poll(() => [ids(everywhere)[0], ids(here)]).toEqual([first, [first]])
  const second = await aQuestion(mei, tagId)
  await expect
    .poll(() => newTopics(here).map(({ id, kind }) => [id, kind]))
    .toEqual([
      [second, 'question'],
      [first, 'topic'],
    ])
  await mei.call(removeTopic, { topicId: first })
  await expect.poll(() => ids(here)).toEqual([second])
  await expect.poll(() => ids(everywhere)).not.toContain(first)
})

test('a topic is announced under each of its tags, as far as it is public', async () => {
  const [above, room] = [await aTag(forum.database), await aClosedTag(forum.database)]
  const [near, far] = [await aTag(forum.database, { under: above }), await aTag(forum.database)]
  const lin = await forum.member()
  await room.admit(lin.id)
  const [group, beside] = [await listen({ tagId: above }), await listen({ tagId: far })]
  const titled = (title: string) => ({ title, body: says(`What ${title} says.`) })
  const { topicId } = await lin.call(publishTopic, { tagId, tagIds: [near, far], ...titled('In the open') })
  await expect.poll(() => [ids(group), ids(beside)]).toEqual([[topicId], [topicId]])
  const { topicId: secret } = await lin.call(publishTopic, { tagId: room.tagId, tagIds: [far], ...titled('In the room') })
  const { topicId: next } = await lin.call(publishTopic, { tagId: far, tagIds: [tagId], ...titled('In the open too') })
  await expect.poll(() => ids(beside)).toEqual([next, topicId])
  expect(told(beside)).not.toContain(secret)
})

test('a comment is no news of a list', async () => {
  const own = await aTag(forum.database)
  const topicId = await aTopic(mei, own)
  const listener = await listen({ tagId: own })
  await aComment(mei, topicId)
  const next = await aTopic(mei, own)
  await expect.poll(() => ids(listener)).toEqual([next, topicId])
  expect(listener.events().length).toBe(2)
})

test.each(closedTags)('a topic in a tag %s reaches only listeners with access', async (_, close) => {
  const { tagId: closed, admit } = await close(forum.database)
  const insider = await forum.member()
  await admit(insider.id)
  const [everywhere, visitor, stranger, within] = [
    await listen({}),
    await listen({ tagId: closed }),
    await listen({ tagId: closed }, mei),
    await listen({ tagId: closed }, insider),
  ]
  expect([visitor.status, stranger.status, within.status]).toEqual([404, 404, 200])
  const secret = await aTopic(insider, closed)
  await expect.poll(() => ids(within)).toEqual([secret])
  const known = await aTopic(mei, tagId)
  await expect.poll(() => ids(everywhere)[0]).toBe(known)
  expect(told(everywhere)).not.toContain(secret)
})

test('the twenty newest are announced, however many there are', async () => {
  const own = await aTag(forum.database)
  const topicIds: string[] = []
  for (let one = 0; one <= maxNews; one++) topicIds.push(await aTopic(await forum.member(), own))
  const listener = await listen({ tagId: own })
  await expect.poll(() => ids(listener)).toEqual(topicIds.slice(1).toReversed())
})
