import fastify from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Program } from '#apps/server/frontend.ts'
import { HtmlMemo } from '#apps/server/html-memo.ts'
import { servePages } from '#apps/server/pages.ts'
import { addCacheTags } from '#base/server/cache/cache-tags.ts'
import { PageCache } from '#base/server/cache/page-cache.ts'

const cache = new PageCache(1_000_000)
const app = fastify()
let leadsTo = '/index?tagId=1'
let broken: Error | null = null
const slow: (() => void)[] = []
let siteState: 'open' | 'closed' = 'open'
let supportAccessDevice = 1
let lines: { err: { message: string; stack: string }; path: string; msg: string }[] = []
beforeEach(() => {
  lines = []
  broken = null
  siteState = 'open'
})
afterAll(() => app.close())

type RenderRequest = Parameters<Program['render']>[0]

const emptyPage = { head: {}, state: {}, structured: [], file: null, allWords: false }
const address = { isPublic: true, publicWith: null, parameters: ['page'], isFleeting: false }

const program = {
  addresses: ['/moved', '/read', '/called', '/slow'].map((path) => ({ path, ...address })),
  async render({ path, api, isFrame }: RenderRequest) {
    addCacheTags(['tag:1'])
    if (path === '/moved') return { redirect: leadsTo, status: 301 }
    if (path === '/called') return { failing: await api.read('/baseInfo', {}).catch(({ status }: Response) => status) }
    if (broken) throw broken
    if (path.startsWith('/slow')) {
      if (isFrame) return { status: 200, html: 'a frame', ...emptyPage }
      await new Promise<void>((finish) => slow.push(finish))
    }
    return { status: 200, html: 'to read', ...emptyPage }
  },
  sorry: ({ status, language, path }: Parameters<Program['sorry']>[0]) => ({ ...emptyPage, status, html: `sorry: ${language} ${path}` }),
  documentOf: ({ html }: Parameters<Program['documentOf']>[0]) => html,
} as unknown as Program

const languages: ('zh_CN' | 'en_US')[] = ['zh_CN', 'en_US']

await servePages({
  app,
  cache,
  frontend: { program: async () => program, filesFor: () => ({ scripts: [], styles: [], preloads: [], theme: '', asPhone: '' }) },
  read: () => Promise.reject(refusedByAll()),
  memo: new HtmlMemo(1_000_000),
  site: async () => ({
    title: 'Tea',
    mainColour: '',
    icon: null,
    description: '',
    keywords: '',
    defaultLanguage: 'en_US',
    languages,
    supportAccessDevice,
    siteState,
    closedTextZh: '',
    closedTextEn: '',
  }),
  publicUrl: 'https://tea.example.org',
  log: pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }),
  headers: {},
})

test('a redirecting page has its target, rendered or cached, until its data changes', async () => {
  for (const _ of ['made', 'kept'])
    expect(await app.inject('/moved')).toMatchObject({ statusCode: 301, headers: { location: '/index?tagId=1' } })
  leadsTo = '/index?tagId=2'
  expect((await app.inject('/moved')).headers.location).toBe('/index?tagId=1')
  cache.drop(['tag:1'])
  expect((await app.inject('/moved')).headers.location).toBe('/index?tagId=2')
})

test('a page is in a language that the site offers, whatever the cookie', async () => {
  broken = new Error('said aloud')
  const request = { url: '/read', headers: { cookie: 'language=zh_CN' } }
  languages.shift()
  expect((await app.inject(request)).body).toBe('sorry: en /read')
  languages.unshift('zh_CN')
  expect((await app.inject(request)).body).toBe('sorry: zh /read')
  broken = null
})

test('a broken page says so in the reader’s language, is logged once, and is whole as soon as it can be', async () => {
  broken = new Error('the kettle has no bottom')
  const answer = await app.inject({ url: '/read?page=2&utm=x', headers: { cookie: 'language=zh_CN' } })
  expect(answer).toMatchObject({ statusCode: 500, body: 'sorry: zh /read?page=2' })
  expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  expect(answer.headers).not.toHaveProperty('retry-after')
  expect(lines).toMatchObject([{ msg: 'A page could not be made', path: '/read', err: { message: 'the kettle has no bottom' } }])
  expect(lines[0]?.err.stack).toContain('pages.test.ts')

  broken = null
  expect(await app.inject({ url: '/read?page=2', headers: { cookie: 'language=zh_CN' } })).toMatchObject({
    statusCode: 200,
    body: 'to read',
  })
})

test('a page that breaks while the database is away says when to come again', async () => {
  broken = Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' })
  const answer = await app.inject('/read?page=3')
  expect(answer).toMatchObject({ statusCode: 503, body: 'sorry: en /read?page=3' })
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '5' })
})

test('a crowd of pages is rendered a few at once, in turn; one that waits too long is the frame, which is not cached', async () => {
  const requests = Array.from({ length: 20 }, (_, n) => app.inject(`/slow?page=${n}`))
  await expect.poll(() => slow.length).toBe(4)
  const late = await Promise.all(requests.slice(4))
  expect(new Set(late.map(({ body, headers }) => `${body}, ${headers['cache-control']}`))).toEqual(new Set(['a frame, no-store']))
  for (const finish of slow) finish()
  expect((await Promise.all(requests.slice(0, 4))).map(({ body }) => body)).toEqual(Array(4).fill('to read'))
  slow.length = 0
  const again = app.inject('/slow?page=19')
  await expect.poll(() => slow.length).toBe(1)
  slow[0]?.()
  expect(await again).toMatchObject({ body: 'to read' })
})

test('a page rendered for one kind of device is not for shared caches', async () => {
  const caching = async () => (await app.inject('/read?page=6')).headers['cache-control']
  expect(await caching()).toContain('public')
  supportAccessDevice = 2
  expect(await caching()).toBe('private, no-cache')
  supportAccessDevice = 1
})

test('a closed site says to come again in an hour', async () => {
  siteState = 'closed'
  const { statusCode, headers } = await app.inject('/read?page=5')
  expect([statusCode, headers['retry-after'], lines]).toEqual([503, '3600', []])
})

test('a failed call inside a page is logged with the error of every address of the database', async () => {
  expect(await app.inject('/called')).toMatchObject({ statusCode: 503, body: 'sorry: en /called' })
  expect(lines).toMatchObject([{ path: '/called', err: { message: 'connect ECONNREFUSED ::1:5432' } }])
})

test('a thrown value that is no error is logged all the same', async () => {
  broken = 'a cup' as unknown as Error
  expect((await app.inject('/read?page=4')).statusCode).toBe(500)
  expect(lines).toMatchObject([{ err: { message: 'Thrown: a cup' } }])
})

test.each([
  ['/language?to=en&back=/read?page=2', 'en_US', '/read?page=2'],
  ['/language?to=zh&back=/login', 'zh_CN', '/login'],
  ['/language?to=en&back=//evil.example/login', 'en_US', '/index'],
  ['/language?to=en&back=https://evil.example', 'en_US', '/index'],
  ['/language?to=%0d%0aset-cookie:x', 'en_US', '/index'],
  ['/language?to=en&back=/login?%0d%0aset-cookie:x', 'en_US', '/index'],
  ['/language?to=en&back=/login?%E4%B8%AD', 'en_US', '/index'],
  ['/language?to=en&back=/login?jumpUrl=L2luZGV4', 'en_US', '/login?jumpUrl=L2luZGV4'],
])('%s keeps the language and leads to a page of ours', async (url, code, location) => {
  const answer = await app.inject(url)
  expect(answer).toMatchObject({ statusCode: 303, headers: { location, 'cache-control': 'no-store' } })
  expect(answer.headers['set-cookie']).toBe(`language=${code}; Path=/; Max-Age=31536000; SameSite=Lax`)
})

test.each([
  ['https://tea.example.org/user/editTopic?topicId=3', '/user/editTopic?topicId=3'],
  ['https://tea.example.org/login?jumpUrl=L2luZGV4', '/login?jumpUrl=L2luZGV4'],
  ['https://tea.example.org//evil.example', '/index'],
  ['https://evil.example/read', '/index'],
  ['no address', '/index'],
  ['', '/index'],
])('a request from %s continues as a phone on a page of ours', async (referer, location) => {
  const answer = await app.inject({ url: '/device', headers: { host: 'tea.example.org', referer } })
  expect(answer).toMatchObject({ statusCode: 303, headers: { location, 'cache-control': 'no-store' } })
  expect(answer.headers['set-cookie']).toBe('accessModule=mobile; Path=/; SameSite=Lax')
})

function refusedByAll(): AggregateError {
  const errors = ['::1', '127.0.0.1'].map((host) => new Error(`connect ECONNREFUSED ${host}:5432`))
  return Object.assign(new AggregateError(errors), { code: 'ECONNREFUSED' })
}
