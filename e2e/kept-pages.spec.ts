import { request } from 'node:http'
import { expect, test } from 'vitest'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
const tea = await site.topic('一条 SQL')

type Answer = { status: number; headers: Record<string, unknown>; bytes: Buffer }

// Not with fetch, which decompresses the body and hides the requested encoding.
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((answered, failed) => {
    const asking = request(site.url + path, { method, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const { date: _, ...rest } = answer.headers
        answered({ status: answer.statusCode ?? 0, headers: rest, bytes: Buffer.concat(parts) })
      })
    })
    asking.on('error', failed).end()
  })
}

const paths = ['/index', `/thread?topicId=${tea}`, '/login', '/user/control/home']
const encodings = ['br', 'gzip, deflate', 'identity', 'br;q=0, gzip']

test.each(paths.flatMap((path) => encodings.map((encoding) => [path, encoding])))(
  'a kept page is the page as it was made, headers too: %s as %s',
  async (path, encoding) => {
    await site.change('description', `Tea and code, ${path} ${encoding}`)
    const freshPage = await ask(path, { 'accept-encoding': encoding })
    const cachedPage = await ask(path, { 'accept-encoding': encoding })
    expect(cachedPage).toEqual(freshPage)
    expect(cachedPage).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8', 'x-frame-options': 'DENY' } })
    const head = await ask(path, { 'accept-encoding': encoding }, 'HEAD')
    expect(head).toEqual({ ...freshPage, bytes: Buffer.alloc(0) })
  },
)

test('who has a page already gets no bytes', async () => {
  const { headers } = await ask('/index')
  const again = await ask('/index', { 'if-none-match': String(headers['etag']) })
  expect(again).toMatchObject({ status: 304, headers: { etag: headers['etag'], vary: headers['vary'] } })
  expect(again.bytes.length).toBe(0)
})

test('a kept page is in the language one chose, and a new preference of the site counts at once', async () => {
  const langOf = async (headers: Record<string, string>) => /<html lang="([^"]+)"/.exec(String((await ask('/index', headers)).bytes))?.[1]
  for (const _ of ['made', 'kept']) {
    expect(await langOf({ cookie: 'language=en_US' })).toBe('en')
    expect(await langOf({})).toBe('zh-CN')
  }
  await site.change('defaultLanguage', 'en_US')
  expect(await langOf({ cookie: 'language=zh_CN' })).toBe('zh-CN')
  for (const _ of ['made', 'kept']) expect(await langOf({})).toBe('en')
  await site.change('defaultLanguage', 'zh_CN')
})

test('where the site prefers no language the reader’s browser decides from the first request on, kept or made, whoever asked before', async () => {
  const langOf = async (headers: Record<string, string>) => {
    const answer = await ask('/index', headers)
    return [/<html lang="([^"]+)"/.exec(String(answer.bytes))?.[1], answer.headers['vary'], String(answer.headers['etag'])] as const
  }
  const english = { 'accept-language': 'en-GB,en;q=0.9' }
  const chinese = { 'accept-language': 'zh-TW,zh;q=0.9,en;q=0.8' }
  expect((await langOf(english))[0]).toBe('zh-CN')
  await site.change('defaultLanguage', '')
  const tags = new Set<string>()
  for (const _ of ['made', 'kept', 'kept']) {
    const [here, there, chose, silent] = [
      await langOf(english),
      await langOf(chinese),
      await langOf({ ...english, cookie: 'language=zh_CN' }),
      await langOf({}),
    ]
    expect([here[0], there[0], chose[0], silent[0]]).toEqual(['en', 'zh-CN', 'zh-CN', 'en'])
    expect([here[1], there[1]]).toEqual(Array(2).fill('Accept-Encoding, Accept-Language, Cookie'))
    for (const [, , tag] of [here, there, chose, silent]) tags.add(tag)
  }
  expect(tags.size).toBe(2)
  expect((await ask('/index', { ...english, 'if-none-match': (await langOf(chinese))[2] })).status).toBe(200)
  await site.change('defaultLanguage', 'zh_CN')
})

test('parameters that a page does not know never make another page', async () => {
  const plain = await ask('/index')
  expect((await ask('/index?utm_source=x&_=1')).headers['etag']).toBe(plain.headers['etag'])
  expect((await ask('/index?sort=new')).headers['etag']).not.toBe(plain.headers['etag'])
})

test.each([`/api/thread?topicId=${tea}`, '/api/tag/list', `/api/comment/list?topicId=${tea}`])(
  'a kept answer is the answer as it was made, headers too: %s',
  async (path) => {
    for (const encoding of encodings) {
      await site.change('description', `Tea and code, ${path} ${encoding}`)
      const freshAnswer = await ask(path, { 'accept-encoding': encoding })
      const cachedAnswer = await ask(path, { 'accept-encoding': encoding })
      expect(cachedAnswer).toEqual(freshAnswer)
      expect(cachedAnswer).toMatchObject({
        status: 200,
        headers: { 'cache-control': 'public, no-cache', 'x-content-type-options': 'nosniff' },
      })
    }
  },
)

test('a kept answer is for visitors alone: a token is looked at first', async () => {
  const path = `/api/thread?topicId=${tea}`
  await ask(path)
  expect((await ask(path)).status).toBe(200)
  expect((await ask(path, { authorization: 'Bearer nonsense' })).status).toBe(401)
})

test('what visitors may no longer see is not kept for them', async () => {
  const path = `/api/thread?topicId=${tea}`
  expect((await ask(path)).status).toBe(200)
  await site.write(async (tx) => {
    await tx
      .updateTable('tag')
      .set({ is_restricted: true })
      .where('id', '=', (topic) => topic.selectFrom('topic').select('tag_id').where('id', '=', tea))
      .execute()
    invalidate(tx, 'tags', 'role')
  })
  expect((await ask(path)).status).toBe(403)
})

test('a method that asks for no page gets none, kept or not', async () => {
  await ask('/index')
  expect((await ask('/index', {}, 'DELETE')).status).toBe(404)
})

test('names that somebody invents make no pages of their own, and stand on none', async () => {
  const [one, other] = await Promise.all(['one.example', 'other.example:8080'].map((host) => ask('/index', { host })))
  expect(one?.headers['etag']).toBe(other?.headers['etag'])
  expect(String(one?.bytes)).toContain('<link rel="canonical" href="/index">')
  expect(String(one?.bytes)).not.toContain('one.example')
  expect(String((await ask('/index')).bytes)).toContain(`<link rel="canonical" href="${site.url}/index">`)
})

test.each(['/index', `/thread?topicId=${tea}`, '/api/tag/list', '/nowhere', '/feed'])('what is no host is refused at %s', async (path) => {
  for (const host of ['a b', 'tea.example/x', 'tea.example"><script>', 'me@tea.example', 'tea.example:1234567'])
    expect(await ask(path, { host })).toMatchObject({ status: 400, headers: { 'cache-control': 'no-store' } })
})
