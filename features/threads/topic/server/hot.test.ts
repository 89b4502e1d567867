import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { removeRemark } from '#comment/contract.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { settings } from '#setting/staff-contract.ts'
import { aTag } from '#tag/testing/factories.ts'
import { hotTopics, listTopics } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { welcome } from '#about/contract.ts'
import { recommended } from '#topic/server/heat.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let tagId: string
let author: Person
let others: Person[]

beforeAll(async () => {
  forum = await aForum()
  others = await Promise.all(Array.from({ length: 4 }, () => forum.member()))
})

beforeEach(async () => {
  author = await forum.member()
  tagId = await aTag(forum.database)
})

const enough = settings.minHeatPeople.default

async function talkedOf(by: readonly Person[], { hoursAgo = 0 } = {}): Promise<string> {
  const topicId = await aTopic(author, tagId)
  if (hoursAgo > 0)
    await forum.database.app
      .updateTable('topic')
      .set({ published_at: sql<Date>`now() - make_interval(hours => ${hoursAgo})` })
      .where('id', '=', topicId)
      .execute()
  for (const one of by) await aComment(one, topicId)
  return topicId
}

const hot = async () => (await forum.visitor().call(listTopics, { tagId, sort: 'hot' })).topics.map(({ id }) => id)
const heatOf = async (topicId: string) =>
  (await forum.database.app.selectFrom('topic').select('heat').where('id', '=', topicId).executeTakeFirstOrThrow()).heat

test('neither one comment nor many of one member rank a new topic above a discussed one', async () => {
  const [one = author, two = author, three = author] = others
  const talk = await talkedOf([one, two, three], { hoursAgo: 20 })
  const single = await talkedOf([one])
  const monologue = await talkedOf(Array.from({ length: 12 }, () => author))
  const pair = await talkedOf([one, two, one, two, author, one])
  const [first, ...rest] = await hot()
  expect(first).toBe(talk)
  expect(new Set(rest)).toEqual(new Set([single, monologue, pair]))
})

test('one more participant makes a topic hot, by a comment as by a reply, and its author does not count', async () => {
  for (const way of ['comment', 'reply'] as const) {
    const topicId = await talkedOf(others.slice(0, enough - 1))
    const commentId = await aComment(author, topicId)
    const before = await heatOf(topicId)
    const last = others[enough - 1] ?? author
    await (way === 'comment' ? aComment(last, topicId) : aReply(last, commentId))
    expect(await heatOf(topicId)).toBeGreaterThan(before * 50)
  }
})

test('a topic is not hot for being new', async () => {
  const people = others.slice(0, enough)
  const [fresh, older] = [await talkedOf(people), await talkedOf(people, { hoursAgo: settings.minHeatHours.default - 1 })]
  expect(await heatOf(fresh)).toBeCloseTo(await heatOf(older), 6)
  const yesterday = await talkedOf(people, { hoursAgo: 24 })
  expect(await heatOf(yesterday)).toBeLessThan((await heatOf(fresh)) / 2)
})

test('a conversation removed from the page takes its members out of the count, too', async () => {
  const topicId = await talkedOf(others.slice(0, enough))
  const warm = await heatOf(topicId)
  const [first] = others
  const { id } = await forum.database.app
    .selectFrom('comment')
    .select('id')
    .where('topic_id', '=', topicId)
    .where('floor', '=', 1)
    .executeTakeFirstOrThrow()
  await first?.call(removeRemark, { kind: 'comment', id })
  expect(await heatOf(topicId)).toBeLessThan(warm / 50)
})

test('three good topics to begin with are featured ones, and hot ones where fewer are featured', async () => {
  const featured = await talkedOf([])
  for (let times = 0; times < 2; times++) await talkedOf(others.slice(0, enough))
  await forum.database.app.updateTable('topic').set({ featured_at: new Date() }).where('id', '=', featured).execute()
  const viewer = { id: null, may: () => true, where: () => ({ except: [] }), audience: '' }
  const topics = await recommended(forum.database.reader, viewer)
  expect(topics).toHaveLength(3)
  expect(topics[0]?.id).toBe(featured)
  expect(new Set(topics.map(({ id }) => id)).size).toBe(3)
  expect((await forum.visitor().call(hotTopics, {})).topics.map(({ id }) => id)).toEqual(expect.arrayContaining([topics[1]?.id]))
})

test('good topics in the reader’s language come first, and others if there are too few', async () => {
  const texts = [
    ['冷泡茶的做法', '放在冰箱里，过一夜再喝。', 30],
    ['How to steep tea cold', 'Leave it in the fridge for a night.', 20],
    ['Tea for a long flight', 'Take some leaves with you, and ask for hot water.', 10],
  ] as const
  const ids = []
  for (const [title, text, heat] of texts) {
    const id = await aTopic(author, tagId, { title, body: says(text) })
    ids.push(id)
    await forum.database.app
      .updateTable('topic')
      .set({ featured_at: new Date(), heat: heat * 1e6 })
      .where('id', '=', id)
      .execute()
  }
  const [chinese, english, last] = ids
  const listFor = async (language?: 'zh' | 'en') =>
    (await forum.visitor().call(welcome, language ? { language } : {})).topics.map(({ id }) => id)
  expect(await listFor()).toEqual([chinese, english, last])
  expect(await listFor('en')).toEqual([english, last, expect.anything()])
  expect((await listFor('zh'))[0]).toBe(chinese)
})
