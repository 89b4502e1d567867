import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { transact } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import * as setting from '#setting/server/setting.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as contract from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import * as posts from '#post/server/post.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let mei: Person
let tea: string
let green: string
let black: string
let elsewhere: string

// Tea has twelve topics in green and black, two of them pinned; six more lie elsewhere.
beforeAll(async () => {
  forum = await aForum()
  const { database } = forum
  mei = await forum.member()
  tea = await aTag(database)
  green = await aTag(database, { under: tea })
  black = await aTag(database, { under: tea })
  elsewhere = await aTag(database)
  for (let index = 0; index < 18; index++) {
    const author = index % 5 === 0 ? (mei = await forum.member()) : mei
    await aTopic(author, [green, black, elsewhere][index % 3] ?? '', { title: `Number ${index}` })
  }
  await database.app.updateTable('topic').set({ pin: 1 }).where('title', 'in', ['Number 1', 'Number 9']).execute()
  await database.app
    .updateTable('topic')
    .set({ featured_at: new Date() })
    .where('title', 'in', ['Number 1', 'Number 5', 'Number 6'])
    .execute()
  await pageLength(5)
})

test('newest first, pinned above the first page, and every topic exactly once over all pages', async () => {
  expect(await pagesOf({ sort: 'new' })).toEqual([[9, 1, 17, 16, 15, 14, 13], [12, 11, 10, 8, 7], [6, 5, 4, 3, 2], [0]])
})

test('a tag holds the topics of the tags below it', async () => {
  expect((await pagesOf({ sort: 'new', tagId: tea })).flat()).toEqual([9, 1, 16, 15, 13, 12, 10, 7, 6, 4, 3, 0])
  expect((await pagesOf({ sort: 'new', tagId: green })).flat()).toEqual([9, 15, 12, 6, 3, 0])
  const { total, place } = await forum.visitor().call(contract.listTopics, { tagId: tea })
  expect([total, place?.id]).toEqual([12, tea])
})

test('featured topics are listed by themselves', async () => {
  expect((await pagesOf({ sort: 'new', featured: true })).flat()).toEqual([6, 5, 1])
  expect((await pagesOf({ sort: 'new', featured: true, tagId: tea })).flat()).toEqual([6, 1])
})

test('a comment moves a topic to the top of the latest replies, and to the hot', async () => {
  const topicId = await idOf('Number 2')
  const other = await idOf('Number 0')
  const tom = await forum.member()
  await remark(other, tom)
  await remark(topicId, tom)
  await remark(topicId, tom)
  expect((await pagesOf({ sort: 'reply' })).flat().slice(0, 4)).toEqual([9, 1, 2, 0])
  expect((await pagesOf({ sort: 'hot' })).flat().slice(2, 4)).toEqual([2, 0])
  forum.database.invalidations.announce(new Set(['titles']))
  const { topics } = await forum.visitor().call(contract.hotTopics, {})
  expect(topics.map((topic) => topic.title)).toEqual(['Number 2', 'Number 0'])
})

test('a page that is not there is missing', async () => {
  for (const input of [{ page: 99 }, { page: 1_000_000 }, { tagId: '999999' }, { featured: true, page: 2 }]) {
    expect((await forum.visitor().tryCall(contract.listTopics, input)).status).toBe(404)
  }
  expect((await forum.visitor().tryCall(contract.listTopics, { page: 0 })).status).toBe(400)
})

async function pagesOf(input: { sort: 'reply' | 'new' | 'hot'; tagId?: string; featured?: boolean }): Promise<number[][]> {
  const visitor = forum.visitor()
  const first = await visitor.call(contract.listTopics, input)
  const pages = [first]
  for (let page = 2; page <= first.pages; page++) pages.push(await visitor.call(contract.listTopics, { ...input, page }))
  return pages.map(({ topics }) => topics.map((topic) => Number(topic.title.slice(7))))
}

let floors = 0

// The effect of a comment on a topic, without its text.
async function remark(topicId: string, by: Person): Promise<void> {
  const everybody: Viewer = { id: null, may: () => true, where: () => ({ except: [] }), audience: '' }
  await transact(forum.database, async (tx) => {
    const topic = await posts.lockThread(tx, everybody, topicId)
    const [body, text] = [JSON.stringify(says('Indeed')), 'Indeed']
    const row = { topic_id: topicId, author_id: by.id, floor: ++floors, body, segments: '[]', text }
    const { id } = await tx.insertInto('comment').values(row).returning('id').executeTakeFirstOrThrow()
    await posts.onPublished(tx, [{ kind: 'comment', id, authorId: by.id, commentId: id, thread: topic }])
  })
}

async function idOf(title: string): Promise<string> {
  const { id } = await forum.database.app.selectFrom('topic').select('id').where('title', '=', title).executeTakeFirstOrThrow()
  return id
}

async function pageLength(perPage: number): Promise<void> {
  const { database } = forum
  await database.app.transaction().execute((tx) => setting.change(tx, 'topicsPerPage', perPage, 'test'))
  database.invalidations.announce(new Set(['setting', 'everything']))
}
