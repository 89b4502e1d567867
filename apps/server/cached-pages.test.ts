import { request } from 'node:http'
import { expect, test } from 'vitest'
import { transact } from '#base/server/database/database.ts'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { aForum, renderedFrontend } from '#base/testing/forum.ts'
import type { SettingName, Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { aComment } from '#comment/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'

const forum = await aForum({ openFrontend: renderedFrontend, isOneServer: true })
const url = await forum.app.listen({ port: 0, host: '127.0.0.1' })
const mei = await forum.member()
const tagId = await aTag(forum.database)
const topicId = await aTopic(mei, tagId)
await aComment(await forum.member(), topicId)

type Answer = { status: number; headers: Record<string, unknown>; bytes: Buffer }

// Not with fetch, which decompresses the body and hides the requested encoding.
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((answered, failed) => {
    const asking = request(url + path, { method, headers }, (answer) => {
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

function change<Name extends SettingName>(name: Name, value: Settings[Name]): Promise<void> {
  return transact(forum.database, (tx) => setting.change(tx, name, value, 'test'))
}

const paths = ['/index', `/thread?topicId=${topicId}`, '/login', '/user/control/home']
const encodings = ['br', 'gzip, deflate', 'identity', 'br;q=0, gzip']

test.each(paths.flatMap((path) => encodings.map((encoding) => [path, encoding])))(
  'a cached page is the page as it was rendered, headers too: %s as %s',
  async (path, encoding) => {
    await change('description', `Tea and code, ${path} ${encoding}`)
    const freshPage = await ask(path, { 'accept-encoding': encoding })
    const cachedPage = await ask(path, { 'accept-encoding': encoding })
    expect(cachedPage).toEqual(freshPage)
    expect(cachedPage).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8', 'x-frame-options': 'DENY' } })
    const head = await ask(path, { 'accept-encoding': encoding }, 'HEAD')
    expect(head).toEqual({ ...freshPage, bytes: Buffer.alloc(0) })
  },
)

test('a page that a browser has already costs no bytes', async () => {
  const { headers } = await ask('/index')
  const again = await ask('/index', { 'if-none-match': String(headers['etag']) })
  expect(again).toMatchObject({ status: 304, headers: { etag: headers['etag'], vary: headers['vary'] } })
  expect(again.bytes.length).toBe(0)
})

test('a cached page is in the language that a reader chose, and a new preference of the site counts at once', async () => {
  const langOf = async (headers: Record<string, string>) => /<html lang="([^"]+)"/.exec(String((await ask('/index', headers)).bytes))?.[1]
  for (const _ of ['rendered', 'cached']) {
    expect(await langOf({ cookie: 'language=en_US' })).toBe('en')
    expect(await langOf({})).toBe('zh-CN')
  }
  await change('defaultLanguage', 'en_US')
  expect(await langOf({ cookie: 'language=zh_CN' })).toBe('zh-CN')
  for (const _ of ['rendered', 'cached']) expect(await langOf({})).toBe('en')
  await change('defaultLanguage', 'zh_CN')
})

test('a site without a preferred language answers each browser in its own from the first request on, rendered or cached', async () => {
  const langOf = async (headers: Record<string, string>) => {
    const answer = await ask('/index', headers)
    return [/<html lang="([^"]+)"/.exec(String(answer.bytes))?.[1], answer.headers['vary'], String(answer.headers['etag'])] as const
  }
  const english = { 'accept-language': 'en-GB,en;q=0.9' }
  const chinese = { 'accept-language': 'zh-TW,zh;q=0.9,en;q=0.8' }
  expect((await langOf(english))[0]).toBe('zh-CN')
  await change('defaultLanguage', '')
  const tags = new Set<string>()
  for (const _ of ['rendered', 'cached', 'cached']) {
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
  await change('defaultLanguage', 'zh_CN')
})

test('parameters that a page does not know never make another page', async () => {
  const plain = await ask('/index')
  expect((await ask('/index?utm_source=x&_=1')).headers['etag']).toBe(plain.headers['etag'])
  expect((await ask('/index?sort=new')).headers['etag']).not.toBe(plain.headers['etag'])
})

test.each([`/api/thread?topicId=${topicId}`, '/api/tag/list', `/api/comment/list?topicId=${topicId}`])(
  'a cached answer is the answer as it was made, headers too: %s',
  async (path) => {
    for (const encoding of encodings) {
      await change('description', `Tea and code, ${path} ${encoding}`)
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

test('a cached answer is for visitors alone: a token is looked at first', async () => {
  const path = `/api/thread?topicId=${topicId}`
  await ask(path)
  expect((await ask(path)).status).toBe(200)
  expect((await ask(path, { authorization: 'Bearer nonsense' })).status).toBe(401)
})

test('a thread that visitors may no longer see is not cached for them', async () => {
  const closedTag = await aTag(forum.database)
  const path = `/api/thread?topicId=${await aTopic(mei, closedTag)}`
  expect((await ask(path)).status).toBe(200)
  await transact(forum.database, async (tx) => {
    await tx.updateTable('tag').set({ is_restricted: true }).where('id', '=', closedTag).execute()
    invalidate(tx, 'tags', 'role')
  })
  expect((await ask(path)).status).toBe(403)
})

test('a method that asks for no page gets none, cached or not', async () => {
  await ask('/index')
  expect((await ask('/index', {}, 'DELETE')).status).toBe(404)
})

test('invented host names make no pages of their own, and are on none', async () => {
  const [one, other] = await Promise.all(['one.example', 'other.example:8080'].map((host) => ask('/index', { host })))
  expect(one?.headers['etag']).toBe(other?.headers['etag'])
  expect(String(one?.bytes)).toContain('<link rel="canonical" href="/index">')
  expect(String(one?.bytes)).not.toContain('one.example')
  expect(String((await ask('/index')).bytes)).toContain(`<link rel="canonical" href="${url}/index">`)
})

test.each(['/index', `/thread?topicId=${topicId}`, '/api/tag/list', '/nowhere', '/feed'])(
  'a name that is no host is refused at %s',
  async (path) => {
    for (const host of ['a b', 'tea.example/x', 'tea.example"><script>', 'me@tea.example', 'tea.example:1234567'])
      expect(await ask(path, { host })).toMatchObject({ status: 400, headers: { 'cache-control': 'no-store' } })
  },
)
