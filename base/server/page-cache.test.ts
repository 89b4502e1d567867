import { expect, test } from 'vitest'
import { PageCache } from '#base/server/page-cache.ts'

const page =
  (body: string, ...tags: string[]) =>
  async () => ({ status: 200, type: 'text/html', body, tags })

test('a page is made once for all who wait for it', async () => {
  const cache = new PageCache(1_000_000)
  let made = 0
  const make = async () => ({ status: 200, type: 'text/html', body: String(++made), tags: [] })
  await Promise.all([cache.make('a', make), cache.make('a', make), cache.make('a', make)])
  expect(made).toBe(1)
  expect(cache.get('a')?.body.toString()).toBe('1')
})

test('touching one thing drops the pages made of it and no others', async () => {
  const cache = new PageCache(1_000_000)
  await cache.make('a', page('a', 'topic:1', 'index'))
  await cache.make('b', page('b', 'topic:2'))
  cache.drop(['topic:1'])
  expect(cache.get('a')).toBeUndefined()
  expect(cache.get('b')).toBeDefined()
})

test('a page whose matter is touched while it is being made is shown once and not kept', async () => {
  const cache = new PageCache(1_000_000)
  let finish = (): void => undefined
  const making = cache.make(
    'a',
    () => new Promise((done) => (finish = () => done({ status: 200, type: 'text/html', body: 'old', tags: ['topic:1'] }))),
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

test('what is missing is looked for again', async () => {
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
  expect(gunzipSync((await one.as('gzip')).bytes).equals(one.body)).toBe(true)
  expect(brotliDecompressSync((await one.as('br')).bytes).equals(one.body)).toBe(true)
})

test('bytes that are dense already are sent as they are, and weigh what they are', async () => {
  const cache = new PageCache(250)
  const bytes = Buffer.alloc(200, 7)
  const kept = await cache.make('a', async () => ({ status: 200, type: 'image/png', body: bytes, tags: [] }))
  expect(await kept.as('br')).toEqual(await kept.as('identity'))
  expect((await kept.as('gzip')).bytes).toBe(bytes)
  expect(cache.get('a')).toBe(kept)
})

test('who is sent elsewhere is told where', async () => {
  const cache = new PageCache(1_000_000)
  const kept = await cache.make('a', async () => ({ status: 302, type: 'text/plain', body: '', tags: [], location: '/index' }))
  expect((await kept.as('identity')).about.join(' ')).toContain('location /index')
})
