import { beforeAll, beforeEach, expect, test } from 'vitest'
import { improve, suggest, summarise, translate } from '#assistant/generated-contract.ts'
import { bytes } from '#assistant/testing/answers.ts'
import { aProvider, streams, withModel, type Provider } from '#assistant/testing/factories.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { aComment } from '#comment/testing/factories.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let provider: Provider
let mei: Person
let tagId: string

beforeAll(async () => {
  forum = await aForum()
  tagId = await aTag(forum.database)
  provider = await aProvider(() => ({ says: ['Short.'] }))
  await withModel(forum.database, provider)
})

beforeEach(async () => {
  provider.does(() => ({ says: ['Short.'] }))
  provider.requests.length = 0
  mei = await forum.member()
})

const promptOf = () => JSON.stringify(provider.requests.at(-1)?.messages)

test('a summary cites floors, and for an unchanged thread it comes from the cache', async () => {
  const topicId = await aTopic(mei, tagId, { title: 'On rain', body: says('Rain falls.') })
  const commentId = await aComment(mei, topicId, { body: says('It does.') })
  const path = `/thread?topicId=${topicId}&commentId=${commentId}`
  provider.does(() => ({ says: [`It rains, says [floor 1](${path}), and [more](https://evil.example).`] }))
  const first = await streams(mei, summarise, { topicId })
  const summary = { text: `It rains, says [floor 1](${path.replace('&', '\\&')}), and more.`, isKept: false, cutAt: null }
  expect(first.pieces.at(-1)).toMatchObject({ kind: 'made', made: summary })
  expect(promptOf()).toContain('It does.')
  const other = await forum.member()
  const again = await streams(other, summarise, { topicId })
  expect(again.pieces).toMatchObject([{ kind: 'made', made: { ...summary, isKept: true } }])
  await aComment(mei, topicId, { body: says('Not today.') })
  expect((await streams(other, summarise, { topicId })).pieces.at(-1)).toMatchObject({ made: { isKept: false } })
})

test('new posts are summarised from the read mark of the page, else from the stored one', async () => {
  const topicId = await aTopic(mei, tagId, { body: says('The opening.') })
  for (const text of ['First.', 'Second.', 'Third.']) await aComment(mei, topicId, { body: says(text) })
  const tom = await forum.member()
  await streams(tom, summarise, { topicId, isNewOnly: true, readTo: 2 })
  expect(promptOf()).toContain('Third.')
  expect(promptOf()).not.toContain('Second.')
  await streams(tom, summarise, { topicId, isNewOnly: true })
  expect(promptOf()).toContain('First.')
  expect((await tom.tryCall(summarise, { topicId, isNewOnly: true, readTo: 3 })).status).toBe(422)
})

test('a member without access to a thread gets no summary of it', async () => {
  const topicId = await aTopic(mei, tagId)
  await streams(mei, summarise, { topicId })
  const closed = await aClosedTag(forum.database)
  await forum.database.app.updateTable('topic').set({ tag_id: closed.tagId }).where('id', '=', topicId).execute()
  expect((await (await forum.member()).tryCall(summarise, { topicId })).status).toBe(404)
})

test('a post is translated, keeps its own links and gets no others', async () => {
  const topicId = await aTopic(mei, tagId, { title: '雨', body: says('下雨了') })
  provider.does(() => ({ says: ['# Rain\n\nIt [rains](https://evil.example).'] }))
  const { pieces } = await streams(mei, translate, { kind: 'topic', postId: topicId, into: 'en' })
  expect(pieces.at(-1)?.made?.text).toBe('## Rain\n\nIt rains.')
})

test('titles and tags are suggested, of which none that the member may not post in', async () => {
  provider.does(() => ({ says: ['```json\n{"titles": ["On rain", " "], "tags": ["', `${tagId}", "99999"]}\n`, '```'] }))
  const { pieces } = await streams(mei, suggest, { text: 'It rains.', thread: 'topic' })
  expect(pieces).toMatchObject([{ kind: 'made', made: { text: '', titles: ['On rain'], tagIds: [tagId] } }])
})

test('an improved draft mentions only the members that its author mentioned', async () => {
  provider.does(() => ({
    says: ['@[Tom](member:41) @[Ann](member:4) It rains, says [he](https://a.cn/rain) [there](https://evil.example).'],
  }))
  const { pieces } = await streams(mei, improve, { text: '@[Tom](member:41) it rain, says [he](https://a.cn/rain)' })
  expect(pieces.at(-1)?.made?.text).toBe('@[Tom](member:41) @Ann It rains, says [he](https://a.cn/rain) there.')
})

test('a draft is improved, and an empty one is refused', async () => {
  expect((await streams(mei, improve, { text: 'it rain' })).pieces.at(-1)?.made?.text).toBe('Short.')
  expect((await mei.tryCall(improve, { text: ' \n--' })).status).toBe(422)
})

test.each([
  ['of unclear end', 'a_new_reason'],
  ['that broke off', 'length'],
  ['that failed', 'network_error'],
])('a summary %s is shown to its reader, and not cached', async (_, reason) => {
  const topicId = await aTopic(mei, tagId, { title: `On ${reason}`, body: says('Rain falls.') })
  const half = `data: {"choices":[{"index":0,"delta":{"content":"Half a summary"},"finish_reason":"${reason}"}]}\n\n`
  provider.does(bytes(half))
  const { text, refused } = await streams(mei, summarise, { topicId })
  expect([text, refused === null]).toEqual(['Half a summary', false])
  provider.does(() => ({ says: ['Whole.'] }))
  const { pieces } = await streams(await forum.member(), summarise, { topicId })
  expect(pieces.at(-1)).toMatchObject({ kind: 'made', made: { text: 'Whole.', isKept: false } })
})

test('a summary that is too long is cut, and not cached', async () => {
  const topicId = await aTopic(mei, tagId, { title: 'On floods', body: says('Rain falls.') })
  provider.does(() => ({ says: ['tea '.repeat(20_000)] }))
  expect((await streams(mei, summarise, { topicId })).refused).toBeNull()
  provider.does(() => ({ says: ['Whole.'] }))
  expect((await streams(mei, summarise, { topicId })).pieces.at(-1)).toMatchObject({ made: { text: 'Whole.', isKept: false } })
})
