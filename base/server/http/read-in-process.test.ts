import { beforeEach, expect, test } from 'vitest'
import { escapeJson } from '#base/escape.ts'
import { PageCache } from '#base/server/cache/page-cache.ts'
import { answerText, inProcessReader } from '#base/server/http/read-in-process.ts'
import type { PreparedRoute } from '#base/server/http/serve.ts'

let name: string
const make = async () => ({ status: 200, type: 'application/json', body: JSON.stringify({ tags: [{ name }] }), tags: ['tags'] })
const server = { route: { endpoint: { method: 'GET', path: '/tag/list', shared: true } }, shared: () => ({ key: 'tags', make }) }
const cache = new PageCache(1_000_000)
const read = inProcessReader([server as unknown as PreparedRoute], {
  cache,
  visitor: async () => ({ audience: '' }) as never,
  reader: {} as never,
})

beforeEach(() => {
  name = 'tea'
  cache.drop(['tags'])
})

const tags = async () => (await read('/tag/list', {})) as { tags: { name: string }[] }

test('an answer that many pages show is parsed once, until it changes', async () => {
  await tags()
  const [second, third] = [await tags(), await tags()]
  expect(second).toEqual({ tags: [{ name: 'tea' }] })
  expect(third).toBe(second)
  name = 'coffee'
  cache.drop(['tags'])
  expect(await tags()).toEqual({ tags: [{ name: 'coffee' }] })
})

test('the text of an answer, and of its only field, is its JSON', async () => {
  name = '</script>\u2028 茶 \ud83d\ude00 "'
  cache.drop(['tags'])
  const answer = await tags()
  expect(answerText(answer)).toBe(escapeJson(JSON.stringify(answer)))
  expect(answerText(answer.tags)).toBe(escapeJson(JSON.stringify(answer.tags)))
  expect(answerText({ ...answer })).toBeUndefined()
})
