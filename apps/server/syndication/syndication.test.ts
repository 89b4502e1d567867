import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { transact } from '#base/server/database/database.ts'
import { newIdempotencyKey } from '#base/testing/visitor.ts'
import { removeTopicAsStaff } from '#content/contract.ts'
import { removeTopic, editTopic } from '#topic/contract.ts'
import { adoptAnswer } from '#question/contract.ts'
import { anAnswer, aQuestion } from '#question/testing/factories.ts'
import { aStaffer } from '#staff/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import * as setting from '#setting/server/setting.ts'
import { editProfile } from '#user/contract.ts'
import { says } from '#writing/testing/factories.ts'

let forum: Forum
let mei: Person
let lin: Person
let green: string
let black: string

beforeAll(async () => {
  forum = await aForum({ env: { TEAHOUSE_URL: 'http://tea.example.org' } })
  ;[mei, lin] = await Promise.all([forum.member(), forum.member()])
  green = await aTag(forum.database, { name: 'Green & white' })
  black = await aTag(forum.database, { name: 'Black' })
})

const ask = (url: string, headers: Record<string, string> = {}) =>
  forum.app.inject({ url, headers: { host: 'tea.example.org', ...headers }, remoteAddress: '10.9.9.9' })
const read = async (url: string) => (await ask(url)).body
const titlesIn = (xml: string) => [...xml.matchAll(/<entry[^]*?<title>([^<]*)<\/title>/g)].map(([, title]) => title)
const addressesIn = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address)
const fileOf = async (url: string) => gunzipSync((await ask(url)).rawPayload).toString()

test('a feed has the newest topics whole, with author, tag and times, and addresses that work anywhere', async () => {
  const topicId = await aTopic(mei, green, { title: '白茶 <one>', body: says('First & last.', '第二段。') })
  const answer = await ask('/feed')
  expect(answer).toMatchObject({ statusCode: 200, headers: { 'content-type': 'application/atom+xml; charset=utf-8' } })
  expect(answer.headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=60')
  expect(answer.body).toContain('<link rel="self" type="application/atom+xml" href="http://tea.example.org/feed"/>')
  expect(answer.body).toContain(`<link rel="alternate" type="text/html" href="http://tea.example.org/thread?topicId=${topicId}"/>`)
  expect(answer.body).toContain('<entry xml:lang="zh-CN">')
  expect(answer.body).toContain('<title>白茶 &lt;one&gt;</title>')
  expect(answer.body).toContain('&lt;p&gt;First &amp;amp; last.&lt;/p&gt;&lt;p&gt;第二段。&lt;/p&gt;')
  expect(answer.body).toContain(
    `<author><name>${mei.account}</name><uri>http://tea.example.org/user/control/home?userId=${mei.id}</uri></author>`,
  )
  expect(answer.body).toMatch(/<category term="tag-\d+" label="Green &amp; white"\/>/)
  expect(answer.body).toMatch(new RegExp(`<id>tag:tea\\.example\\.org,\\d{4}-\\d\\d-\\d\\d:topic/${topicId}</id>`))
})

test('each tag and each member has a feed; pinned topics are in it like others', async () => {
  await aTopic(lin, black, { title: 'By Lin' })
  const pinned = await aTopic(mei, black, { title: 'Pinned by Mei' })
  await forum.database.app.updateTable('topic').set({ pin: 1 }).where('id', '=', pinned).execute()
  await aTopic(mei, black, { title: 'Last by Mei' })
  expect(titlesIn(await read(`/feed?tagId=${black}`))).toEqual(['Last by Mei', 'Pinned by Mei', 'By Lin'])
  expect(titlesIn(await read(`/feed?userId=${lin.id}`))).toEqual(['By Lin'])
  expect(await read(`/feed?userId=${lin.id}`)).toContain(`<title>${lin.account} - `)
  expect(titlesIn(await read('/feed')).slice(0, 3)).toEqual(['Last by Mei', 'Pinned by Mei', 'By Lin'])
})

test('questions that nothing solved yet have a feed, anywhere and under each of their tags', async () => {
  const [open, solved] = [
    await aQuestion(mei, green, { title: 'Still open', tagIds: [black] }),
    await aQuestion(mei, green, { title: 'Solved' }),
  ]
  const [, best] = [await anAnswer(lin, open), await anAnswer(lin, solved)]
  expect(titlesIn(await read('/feed?state=unresolved'))).toEqual(['Solved', 'Still open'])
  await mei.call(adoptAnswer, { questionId: solved, commentId: best }, newIdempotencyKey())
  expect(titlesIn(await read('/feed?state=unresolved'))).toEqual(['Still open'])
  expect(titlesIn(await read(`/feed?tagId=${black}&state=unresolved`))).toEqual(['Still open'])
  expect(await read(`/feed?tagId=${green}&state=unresolved`)).toContain(`/question?questionId=${open}"`)
  expect((await ask('/feed?state=resolved')).statusCode).toBe(404)
  const chief = await aStaffer(forum)
  for (const topicId of [open, solved]) await chief.call(removeTopicAsStaff, { topicId, reason: 'Not for the other tests' })
})

test('a client with the current feed gets no bytes, until a new post', async () => {
  const { etag } = (await ask('/feed')).headers
  expect(await ask('/feed', { 'if-none-match': String(etag) })).toMatchObject({ statusCode: 304, body: '' })
  const topicId = await aTopic(mei, green, { title: 'Soon another' })
  expect(titlesIn(await read('/feed'))[0]).toBe('Soon another')
  await mei.call(editTopic, { topicId, title: 'Now another', body: says('Other words.') })
  expect(titlesIn(await read('/feed'))[0]).toBe('Now another')
  await mei.call(removeTopic, { topicId })
  expect(await ask('/feed', { 'if-none-match': String(etag) })).toMatchObject({ statusCode: 304 })
})

test('hidden activity has no feed', async () => {
  const an = await forum.member()
  await aTopic(an, green, { title: 'Quietly' })
  expect((await ask(`/feed?userId=${an.id}`)).statusCode).toBe(200)
  await an.call(editProfile, { nickname: '', showsActivity: false })
  expect((await ask(`/feed?userId=${an.id}`)).statusCode).toBe(403)
})

test('an impossible address is missing, and an unknown parameter changes nothing', async () => {
  for (const url of [
    '/feed?tagId=0',
    '/feed?tagId=999999',
    '/feed?userId=x',
    '/feed?tagId=1&tagId=2',
    '/sitemap/topics-9.xml.gz',
    '/sitemap/topics-0.xml.gz',
    '/sitemap/other.xml',
  ])
    expect([url, (await ask(url)).statusCode]).toEqual([url, 404])
  expect((await ask('/feed?utm_source=somewhere')).headers['etag']).toBe((await ask('/feed')).headers['etag'])
})

test('the sitemap leads to every topic, by files of ranges of ids', async () => {
  const topicId = await aTopic(mei, green)
  expect(addressesIn(await read('/sitemap.xml'))).toEqual([
    'http://tea.example.org/sitemap/pages.xml',
    'http://tea.example.org/sitemap/topics-1.xml.gz',
  ])
  expect(addressesIn(await read('/sitemap/pages.xml'))).toEqual(
    ['/index', '/askList', `/index?tagId=${green}`, `/index?tagId=${black}`, '/about', '/termsService'].map(
      (path) => `http://tea.example.org${path}`,
    ),
  )
  const file = await fileOf('/sitemap/topics-1.xml.gz')
  expect(addressesIn(file).at(-1)).toBe(`http://tea.example.org/thread?topicId=${topicId}`)
  expect(file).toMatch(/<lastmod>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ<\/lastmod><\/url>\n<\/urlset>\n$/)
  await mei.call(removeTopic, { topicId })
  expect(await fileOf('/sitemap/topics-1.xml.gz')).not.toContain(`topicId=${topicId}<`)
})

test('a file begins after the fifty-thousandth id, and one without topics is not listed', async () => {
  await transact(forum.database, async (tx) => {
    await sql`insert into topic (id, tag_id, author_id, title, body, segments, summary) overriding system value
      values (150001, ${green}, ${mei.id}, 'Far', '{}', '[]', 'away')`.execute(tx)
    await setting.change(tx, 'title', 'Tea, and more', 'test')
  })
  expect(addressesIn(await read('/sitemap.xml')).map((address) => address?.split('/').at(-1))).toEqual([
    'pages.xml',
    'topics-1.xml.gz',
    'topics-4.xml.gz',
  ])
  expect(addressesIn(await fileOf('/sitemap/topics-4.xml.gz'))).toEqual(['http://tea.example.org/thread?topicId=150001'])
})

test('crawlers and models find the addresses', async () => {
  const robots = await ask('/robots.txt')
  expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(robots.body).toContain('Disallow: /api/\n')
  expect(robots.body).toContain('\nSitemap: http://tea.example.org/sitemap.xml\n')
  await aTopic(mei, green, { title: '[evil](javascript:1) *x*', body: says('line one', 'line two') })
  const notes = await read('/llms.txt')
  expect(notes).toMatch(/^# Tea, and more\n\n> /)
  expect(notes).toContain(`- [\\[evil\\](javascript:1) \\*x\\*](http://tea.example.org/thread?topicId=`)
  expect(notes).toContain('): line one line two\n')
})

test('one address with too many requests is told to wait', async () => {
  const statuses = []
  for (let times = 0; times < 70; times++)
    statuses.push((await forum.app.inject({ url: '/robots.txt', remoteAddress: '10.8.8.8' })).statusCode)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})

test('a feed, a note for models and a shared picture are in the language of the site, or else of the reader', async () => {
  const prefer = (code: 'zh_CN' | '') => transact(forum.database, (tx) => setting.change(tx, 'defaultLanguage', code, 'test'))
  const tagId = await aTag(forum.database, { name: '茶', nameEn: 'Tea' })
  const topicId = await aTopic(await forum.member(), tagId, { title: 'Two names' })
  const [english, chinese] = ['en-US', 'zh-CN'].map((code) => ({ 'accept-language': code }))
  const paths = [`/feed?tagId=${tagId}`, '/llms.txt', `/share/${topicId}.png`]
  for (const path of paths) {
    const [one, other] = [await ask(path, english), await ask(path, chinese)]
    expect([path, one.rawPayload.equals(other.rawPayload), one.headers['vary']]).toEqual([path, true, 'Accept-Encoding'])
  }
  await prefer('')
  for (const path of paths) {
    const firstResponses = [await ask(path, english), await ask(path, chinese)]
    const cachedResponses = [await ask(path, english), await ask(path, chinese)]
    expect(cachedResponses.map(({ headers }) => headers['etag'])).toEqual(firstResponses.map(({ headers }) => headers['etag']))
    expect(new Set(cachedResponses.map(({ headers }) => headers['etag'])).size).toBe(2)
    for (const { headers } of [...firstResponses, ...cachedResponses]) expect(headers['vary']).toBe('Accept-Encoding, Accept-Language')
  }
  expect((await ask(paths[0] ?? '', english)).body).toContain('xml:lang="en"')
  expect((await ask(paths[0] ?? '', chinese)).body).toContain('<title>茶 - ')
  expect((await ask('/robots.txt', english)).headers['vary']).toBe('Accept-Encoding')
  await prefer('zh_CN')
})
