import { beforeAll, expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { say } from '#base/server/words.ts'
import { aForum, renderedFrontend } from '#base/testing/forum.ts'
import { applySettings } from '#base/testing/lenient-settings.ts'
import { aComment, aReply } from '#comment/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { says } from '#writing/testing/factories.ts'

const forum = await aForum({ openFrontend: renderedFrontend })
const greeting = 'مرحبا بالعالم 123 (abc)، كيف الحال؟'
const isolated = (text: string) => `\u2068${text}\u2069`
let pages: string[] = []
let topicId = ''

beforeAll(async () => {
  await transact(forum.database, (tx) => applySettings(tx, { title: 'بيت الشاي', description: 'مكان للحديث.' }))
  forum.database.invalidations.announce(new Set(['setting', 'everything']))
  const [mei, tom] = [await forum.member(), await forum.member()]
  await forum.database.app.updateTable('member').set({ nickname: 'דנה' }).where('id', '=', mei.id).execute()
  await forum.database.app.updateTable('member').set({ nickname: 'ليلى' }).where('id', '=', tom.id).execute()
  const above = await aTag(forum.database, { name: 'شراب' })
  const tagId = await aTag(forum.database, { name: 'شاي', under: above })
  topicId = await aTopic(mei, tagId, { title: 'مرحبا abc', body: says(greeting) })
  const commentId = await aComment(tom, topicId, { body: says('أهلا (1)') })
  await aComment(mei, topicId, { body: says('شكرا'), quotes: commentId })
  await aReply(mei, commentId, { body: says('نعم') })
  pages = [
    '/index',
    `/index?tagId=${tagId}`,
    `/thread?topicId=${topicId}`,
    '/askList',
    `/user/control/home?userId=${mei.id}`,
    '/about',
    '/nowhere',
  ]
  pages.push(...['topicList', 'commentList', 'replyList'].map((list) => `/user/control/${list}?userId=${mei.id}`))
})

const page = async (url: string) => (await forum.app.inject({ url, headers: { 'accept-language': 'en' } })).body

test('a post has the direction of each paragraph, and its title is isolated', async () => {
  const html = await page(`/thread?topicId=${topicId}`)
  expect(html).toContain(`<p dir="rtl">${greeting}</p>`)
  expect(html).toContain('<bdi>مرحبا abc</bdi>')
  expect(html).toContain(`<title>${isolated('مرحبا abc')} - ${isolated('بيت الشاي')}</title>`)
  expect(html).toContain('<meta property="og:title" content="مرحبا abc">')
})

// React puts a comment between two adjacent text nodes: the direction of one would affect the other.
test('no text that runs the other way touches another', async () => {
  const touching = /[^<>]*\p{Script=Arabic}[^<>]*<!-- -->[^<>]+|[^<>]+<!-- -->[^<>]*\p{Script=Arabic}[^<>]*/gu
  for (const url of pages) {
    const html = (await page(url)).replaceAll(/\u2068[^\u2068\u2069]*\u2069/g, '')
    expect(html.match(touching) ?? [], url).toEqual([])
  }
})

test('a feed keeps the direction, and its title is isolated', async () => {
  const feed = await page('/feed')
  expect(feed).toContain('&lt;p dir=&quot;rtl&quot;&gt;')
  expect(feed).toContain('<title>مرحبا abc</title>')
})

test('a name in a sentence of a message stays in its place, and other names are unchanged', () => {
  expect(say('en', 'message.notificationMessage', { name: 'דנה' })).toContain(isolated('דנה'))
  expect(say('en', 'message.notificationMessage', { name: 'Mei' })).not.toMatch(/[\u2066-\u2069]/)
})
