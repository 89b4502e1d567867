import { beforeEach, expect, test } from 'vitest'
import { aForum, renderedFrontend, type Person } from '#base/testing/forum.ts'
import { transact } from '#base/server/database/database.ts'
import { until } from '#base/testing/waits.ts'
import { addComment, editRemark, listComments, removeRemark } from '#comment/contract.ts'
import { aComment } from '#comment/testing/factories.ts'
import * as setting from '#setting/server/setting.ts'
import { aTag } from '#tag/testing/factories.ts'
import { listTopics } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

const forum = await aForum({ openFrontend: renderedFrontend, isOneServer: true })
const [mei, lin] = [await forum.member(), await forum.member()]
const tagId = await aTag(forum.database)

let topicId: string
beforeEach(async () => {
  topicId = await aTopic(mei, tagId)
})

async function page(path: string, cookie = ''): Promise<string> {
  return (await forum.app.inject({ url: path, headers: { 'accept-language': 'en-US', ...(cookie && { cookie }) } })).body
}

/** Posts a comment, and returns the cookies that the browser gets. */
async function post(author: Person, text: string): Promise<string> {
  const { status, response } = await author.tryCall(addComment, { topicId, body: says(text) })
  expect(status).toBe(200)
  return [response.headers['set-cookie']]
    .flat()
    .map((cookie) => String(cookie).split(';')[0])
    .join('; ')
}

test('a visitor gets the page without a new comment for a second at most, and its author never', async () => {
  const thread = `/thread?topicId=${topicId}`
  await page(thread)
  const cookie = await post(lin, 'A first flush')
  expect(await page(thread)).not.toContain('A first flush')
  await until(async () => (await page(thread)).includes('A first flush'))
  await post(mei, 'A second flush')
  expect(await page(thread, cookie)).toContain('A second flush')
})

test('calls answer with a new comment at once, for any reader', async () => {
  await forum.visitor().call(listComments, { topicId })
  await post(lin, 'A first flush')
  expect((await forum.visitor().call(listComments, { topicId })).total).toBe(1)
})

test('an edited or removed comment is in no page, however late the page is for additions', async () => {
  const thread = `/thread?topicId=${topicId}`
  const [edited, removed] = [await aComment(lin, topicId, { body: says('Mouldy') }), await aComment(lin, topicId, { body: says('Bitter') })]
  expect(await page(thread)).toContain('Bitter')
  await post(mei, 'Fresh')
  await lin.call(removeRemark, { kind: 'comment', id: removed })
  expect(await page(thread)).not.toContain('Bitter')
  await post(mei, 'Fresher')
  await lin.call(editRemark, { kind: 'comment', id: edited, body: says('Aged') })
  expect(await page(thread)).not.toContain('Mouldy')
})

test('a comment drops the lists in which it moves its thread, and others only if they show the thread', async () => {
  const other = await aTag(forum.database)
  const ids: string[] = []
  for (const title of ['Oldest', 'Second', 'Third', 'Fourth', 'Fifth', 'Latest'])
    ids.push(await aTopic(await forum.member(), other, { title }))
  await transact(forum.database, (tx) => setting.change(tx, 'topicsPerPage', 5, 'test'))
  const titles = async (sort: 'new' | 'reply', number: number) =>
    (await forum.visitor().call(listTopics, { tagId: other, sort, page: number })).topics.map(({ title }) => title)
  const counts = async () => (await forum.visitor().call(listTopics, { tagId: other, sort: 'new' })).topics.map((one) => one.commentCount)
  expect([await titles('new', 2), await titles('reply', 2), await counts()]).toEqual([['Oldest'], ['Oldest'], [0, 0, 0, 0, 0]])
  // A direct change shows which lists are read again.
  const [oldest = '', latest = ''] = [ids[0], ids[5]]
  await forum.database.app.updateTable('topic').set({ title: 'Another' }).where('id', '=', oldest).execute()
  await lin.call(addComment, { topicId: latest, body: says('Well kept') })
  expect([await titles('new', 2), await titles('reply', 2), await counts()]).toEqual([['Oldest'], ['Another'], [1, 0, 0, 0, 0]])
})
