import { afterEach, expect, test, vi } from 'vitest'
import { waitLimitMs, withCallDeadline } from '#base/server/call-deadline.ts'
import { PageCache } from '#base/server/cache/page-cache.ts'
import { onlyAddedTag } from '#base/server/cache/invalidation.ts'

afterEach(() => vi.useRealTimers())

const page =
  (body: string, ...tags: string[]) =>
  async () => ({ status: 200, type: 'text/html', body, tags })

test('a page is made once for all waiting requests', async () => {
  const cache = new PageCache(1_000_000)
  let renders = 0
  const make = async () => ({ status: 200, type: 'text/html', body: String(++renders), tags: [] })
  await Promise.all([cache.make('a', make), cache.make('a', make), cache.make('a', make)])
  expect(renders).toBe(1)
  expect(cache.get('a')?.body.toString()).toBe('1')
})

test('invalidating one tag drops the pages under it and no others', async () => {
  const cache = new PageCache(1_000_000)
  await cache.make('a', page('a', 'topic:1', 'index'))
  await cache.make('b', page('b', 'topic:2'))
  cache.drop(['topic:1'])
  expect(cache.get('a')).toBeUndefined()
  expect(cache.get('b')).toBeDefined()
})

test('a page that is invalidated while it is being made is shown once and not kept', async () => {
  const cache = new PageCache(1_000_000)
  let finish = (): void => undefined
  const making = cache.make(
    'a',
    () => new Promise((resolve) => (finish = () => resolve({ status: 200, type: 'text/html', body: 'old', tags: ['topic:1'] }))),
  )
  cache.drop(['topic:1'])
  finish()
  expect((await making).body.toString()).toBe('old')
  expect(cache.get('a')).toBeUndefined()
})

test('the least used pages go when the room is full', async () => {
  const cache = new PageCache(500)
  await cache.make('a', page('x'.repeat(100)))
  await cache.make('b', page('x'.repeat(100)))
  cache.get('a')
  await cache.make('c', page('x'.repeat(100)))
  expect([cache.get('a'), cache.get('b'), cache.get('c')].map(Boolean)).toEqual([true, false, true])
})

test('a missing page is made again', async () => {
  const cache = new PageCache(1_000_000)
  await cache.make('a', async () => ({ status: 404, type: 'text/html', body: 'x', tags: [] }))
  expect(cache.get('a')).toBeUndefined()
})

test('pages that broke are not kept', async () => {
  const cache = new PageCache(1_000_000)
  await expect(cache.make('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await cache.make('a', async () => ({ status: 500, type: 'text/html', body: 'x', tags: [] }))
  expect(cache.get('a')).toBeUndefined()
})

test('the same bytes have the same tag, and their compressed forms unfold to them', async () => {
  const { gunzipSync, brotliDecompressSync } = await import('node:zlib')
  const cache = new PageCache(1_000_000)
  const one = await cache.make('a', page('茶馆'.repeat(500)))
  const other = await cache.make('b', page('茶馆'.repeat(500)))
  expect(one.etag).toBe(other.etag)
  expect(gunzipSync((await one.encoded('gzip')).bytes).equals(one.body)).toBe(true)
  expect(brotliDecompressSync((await one.encoded('br')).bytes).equals(one.body)).toBe(true)
})

test('compressed bytes are sent unchanged, and weigh their length', async () => {
  const cache = new PageCache(250)
  const bytes = Buffer.alloc(200, 7)
  const response = await cache.make('a', async () => ({ status: 200, type: 'image/png', body: bytes, isDense: true, tags: [] }))
  expect(await response.encoded('br')).toBe(await response.encoded('identity'))
  expect((await response.encoded('gzip')).bytes).toBe(bytes)
  expect(cache.get('a')).toBe(response)
})

test('a redirect has its target', async () => {
  const cache = new PageCache(1_000_000)
  const response = await cache.make('a', async () => ({ status: 302, type: 'text/plain', body: '', tags: [], location: '/index' }))
  expect((await response.encoded('identity')).headersAfter([]).join(' ')).toContain('location /index')
})

test('the headers of a body follow those of each answer', async () => {
  const cache = new PageCache(1_000_000)
  const { headersAfter } = await (await cache.make('a', page('tea'))).encoded('identity')
  const [shared, own] = [
    ['cache-control', 'public'],
    ['cache-control', 'private'],
  ]
  for (const answer of [shared, own, shared, shared])
    expect(headersAfter(answer).slice(0, 4)).toEqual([...answer, 'content-type', 'text/html'])
})

/** A page whose rendering starts now and ends on `finish`. */
function slow(cache: PageCache, key: string, body: string, ...tags: string[]) {
  let finish = (): void => undefined
  const response = cache.make(key, () => new Promise((resolve) => (finish = () => resolve({ status: 200, type: 'text/html', body, tags }))))
  return { response, finish: () => finish() }
}

test('a request after an invalidation does not get a page begun before', async () => {
  const cache = new PageCache(1_000_000)
  const first = slow(cache, 'a', 'old', 'topic:1')
  const together = cache.make('a', page('never', 'topic:1'))
  cache.drop(['topic:1'])
  const later = [cache.make('a', page('new', 'topic:1')), cache.make('a', page('newer', 'topic:1'))]
  first.finish()
  expect((await first.response).body.toString()).toBe('old')
  expect((await together).body.toString()).toBe('old')
  expect((await Promise.all(later)).map(({ body }) => body.toString())).toEqual(['new', 'new'])
  expect(cache.get('a')?.body.toString()).toBe('new')
})

test('a request after an unrelated invalidation waits for the begun page', async () => {
  const cache = new PageCache(1_000_000)
  const first = slow(cache, 'a', 'only', 'topic:1')
  cache.drop(['topic:2'])
  const later = cache.make('a', page('never', 'topic:1'))
  first.finish()
  expect((await later).body.toString()).toBe('only')
})

const isAway = () => Promise.reject(Object.assign(new Error('No'), { code: 'ECONNREFUSED' }))
const sorry = async () => ({ status: 503, type: 'text/html', body: 'sorry', tags: [] })

test.each([
  ['an answer', isAway],
  ['a page', sorry],
])('while the database is away %s is as it was, and is made anew when it is back', async (_, make) => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let calls = 0
  const cache = new PageCache(1_000_000, () => void calls++)
  await cache.make('a', page('old', 'topic:1'))
  vi.advanceTimersByTime(6 * 60_000)
  expect(cache.get('a')).toBeUndefined()
  expect((await cache.make('a', make)).body.toString()).toBe('old')
  expect(calls).toBe(1)
  vi.advanceTimersByTime(3_000)
  expect((await cache.make('a', page('new', 'topic:1'))).body.toString()).toBe('new')
  expect(cache.get('a')?.body.toString()).toBe('new')
})

test('a page with additions only may be shown as it was; one with other changes may not', async () => {
  const cache = new PageCache(1_000_000)
  for (const key of ['a', 'b']) await cache.make(key, page(key, `topic:${key}`))
  cache.drop(['topic:a', onlyAddedTag])
  cache.drop(['topic:b'])
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, undefined])
  expect((await cache.make('a', isAway)).body.toString()).toBe('a')
  await expect(cache.make('b', isAway)).rejects.toThrow('No')
  cache.drop(['topic:a'])
  await expect(cache.make('a', isAway)).rejects.toThrow('No')
})

test('a page made of an outdated part is not cached', async () => {
  const cache = new PageCache(1_000_000)
  await cache.make('part', page('part', 'topic:1'))
  cache.drop(['topic:1', onlyAddedTag])
  const part = await cache.make('part', isAway)
  await cache.make('whole', page('whole', ...part.tags))
  expect(cache.get('whole')).toBeUndefined()
})

test('a bug is not covered with an outdated page', async () => {
  const cache = new PageCache(1_000_000)
  await cache.make('a', page('a', 'topic:1'))
  cache.drop(['topic:1', onlyAddedTag])
  await expect(cache.make('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})

/** The page that visitors get, and the one for a reader who just wrote. */
const both = (cache: PageCache, key: string) =>
  (['late', 'current'] as const).map((freshness) => cache.get(key, freshness)?.body.toString() ?? null)

const latePage =
  (body: string, ...tags: string[]) =>
  async () => ({ status: 200, type: 'text/html', body, tags, mayBeLate: true })

test('a page without the additions is served for a second, except to readers who must see them', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const cache = new PageCache(1_000_000)
  await cache.make('a', latePage('old', 'topic:1'))
  await cache.make('answer', page('old', 'topic:1'))
  vi.advanceTimersByTime(10)
  cache.drop(['topic:1', onlyAddedTag])
  expect([both(cache, 'a'), both(cache, 'answer')]).toEqual([
    ['old', null],
    [null, null],
  ])
  vi.advanceTimersByTime(900)
  cache.drop(['topic:1', onlyAddedTag])
  vi.advanceTimersByTime(200)
  expect(both(cache, 'a')).toEqual([null, null])
  await cache.make('a', latePage('new', 'topic:1'), 'late')
  expect(both(cache, 'a')).toEqual(['new', 'new'])
})

test('a removed or changed part is in no late page', async () => {
  const cache = new PageCache(1_000_000)
  await cache.make('a', latePage('old', 'topic:1'))
  cache.drop(['topic:1', onlyAddedTag])
  cache.drop(['topic:1'])
  expect(both(cache, 'a')).toEqual([null, null])
})

test('while a late page is made anew, only the first visitor waits for it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const cache = new PageCache(1_000_000)
  await cache.make('a', latePage('old', 'topic:1'))
  cache.drop(['topic:1', onlyAddedTag])
  vi.advanceTimersByTime(1_100)
  expect(both(cache, 'a')).toEqual([null, null])
  const first = slow(cache, 'a', 'new', 'topic:1')
  expect(both(cache, 'a')).toEqual(['old', null])
  vi.advanceTimersByTime(1_000)
  expect(both(cache, 'a')).toEqual([null, null])
  first.finish()
  expect((await first.response).body.toString()).toBe('new')
  expect(both(cache, 'a')).toEqual(['new', 'new'])
})

test('a page with an addition while it is made is late, and made again for a reader who must see it', async () => {
  const cache = new PageCache(1_000_000)
  const { promise: rendered, resolve: finish } = Promise.withResolvers<void>()
  const making = cache.make('a', () => rendered.then(latePage('old', 'topic:1')), 'late')
  cache.drop(['topic:1', onlyAddedTag])
  const [visitor, writer] = [cache.make('a', latePage('new', 'topic:1'), 'late'), cache.make('a', latePage('new', 'topic:1'))]
  finish()
  expect((await making).body.toString()).toBe('old')
  expect((await visitor).body.toString()).toBe('old')
  expect((await writer).body.toString()).toBe('new')
})

test('a page for several readers has a deadline of its own, however long the first of them has waited', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const cache = new PageCache(1_000_000)
  const limits: number[] = []
  await withCallDeadline(async () => {
    vi.advanceTimersByTime(14_000)
    await cache.make('a', async () => {
      limits.push(waitLimitMs(15_000))
      return page('a')()
    })
  })
  expect(limits).toEqual([15_000])
})
