import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { runs } from '#base/testing/extent.ts'
import { listComments } from '#comment/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let topicId: string
let commentIds: string[]
let byAuthor: number[]

const commentCount = 47
const orders = ['asc', 'desc'] as const

// Three people comment in turn, the topic's author among them; two comments are removed.
beforeAll(async () => {
  forum = await aForum()
  const { database } = forum
  const people = [await forum.member(), await forum.member(), await forum.member()]
  const [author] = people
  if (!author) throw new Error('nobody came')
  topicId = await aTopic(author, await aTag(database))
  const floors = Array.from({ length: commentCount }, (_, index) => index + 1)
  byAuthor = floors.filter((floor) => floor % 3 === 1)
  const body = JSON.stringify(says('words'))
  const rows = floors.map((floor) => ({
    topic_id: topicId,
    author_id: people[(floor - 1) % 3]?.id ?? '',
    floor,
    body,
    segments: '[]',
    text: 'words',
    author_floor: byAuthor.includes(floor) ? byAuthor.indexOf(floor) + 1 : null,
    ...((floor === 4 || floor === 20) && { status: 'deleted' as const, deleted_by: 'author' as const }),
  }))
  commentIds = (await database.app.insertInto('comment').values(rows).returning('id').execute()).map((row) => row.id)
  await database.app
    .updateTable('topic')
    .set({ floors: commentCount, author_floors: byAuthor.length, comment_count: commentCount - 2 })
    .where('id', '=', topicId)
    .execute()
})

test('every floor appears exactly once over all pages, in any order, page length and filter by author', async () => {
  for (const perPage of [5, 7, 16, 47, 100]) {
    await pageLength(perPage)
    for (const order of orders) {
      for (const onlyAuthor of [false, true]) {
        const floors = onlyAuthor ? byAuthor : Array.from({ length: commentCount }, (_, index) => index + 1)
        expect(await allFloors({ order, onlyAuthor })).toEqual(order === 'asc' ? floors : [...floors].reverse())
      }
    }
  }
})

test('a link to a comment leads to the page that holds it', async () => {
  await pageLength(6)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...orders), fc.integer({ min: 1, max: commentCount }), async (order, floor) => {
      const answer = await forum.visitor().call(listComments, { topicId, order, commentId: commentIds[floor - 1] })
      expect(answer.comments.map((comment) => comment.floor)).toContain(floor)
      const again = await forum.visitor().call(listComments, { topicId, order, page: answer.page })
      expect(again.comments).toEqual(answer.comments)
    }),
    { numRuns: runs(30) },
  )
})

test('with the filter by author, a link to another author’s comment is missing', async () => {
  const visitor = forum.visitor()
  expect(
    (await visitor.call(listComments, { topicId, onlyAuthor: true, commentId: commentIds[3] })).comments.map((one) => one.floor),
  ).toContain(4)
  expect((await visitor.tryCall(listComments, { topicId, onlyAuthor: true, commentId: commentIds[1] })).status).toBe(404)
  expect((await visitor.tryCall(listComments, { topicId, commentId: '999999' })).status).toBe(404)
  expect((await visitor.tryCall(listComments, { topicId, page: 1000 })).status).toBe(404)
})

async function allFloors(input: { order: 'asc' | 'desc'; onlyAuthor: boolean }): Promise<number[]> {
  const first = await forum.visitor().call(listComments, { topicId, ...input })
  const floors = first.comments.map((comment) => comment.floor)
  for (let page = 2; page <= first.pages; page++) {
    const { comments } = await forum.visitor().call(listComments, { topicId, page, ...input })
    floors.push(...comments.map((comment) => comment.floor))
  }
  return floors
}

async function pageLength(perPage: number): Promise<void> {
  const { database } = forum
  await database.app.transaction().execute((tx) => setting.change(tx, 'commentsPerPage', perPage, 'test'))
  database.invalidations.announce(new Set(['setting', 'everything']))
}
