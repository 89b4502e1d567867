import { beforeAll, expect, test } from 'vitest'
import { ask } from '#assistant/contract.ts'
import { aProvider, piecesIn, withModel } from '#assistant/testing/factories.ts'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { eventListener, type EventListener } from '#base/testing/listen.ts'
import { startProxy } from '#base/testing/proxy.ts'
import { aComment } from '#comment/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { findProgram } from '../../tools/find-program.ts'

let forum: Forum
let mei: Person
let tagId: string
let address: string

// Debian's Caddy compresses streams too, and never flushes its compressor.
const config = (port: number, upstream: string) => `{
  admin off
  auto_https off
}
http://127.0.0.1:${port} {
  encode gzip zstd
  reverse_proxy ${upstream}
}`

beforeAll(async () => {
  forum = await aForum({ isOneServer: true, env: { TEAHOUSE_TRUSTED_PROXIES: '127.0.0.1' } })
  mei = await forum.member()
  tagId = await aTag(forum.database)
  const upstream = await forum.app.listen({ port: 0, host: '127.0.0.1' })
  const caddy = await startProxy({
    program: await findProgram('caddy'),
    args: (path) => ['run', '--config', path, '--adapter', 'caddyfile'],
    config: (port) => config(port, new URL(upstream).host),
  })
  address = caddy.address
  return caddy.stop
})

function subscribe(path: string): Promise<EventListener> {
  return eventListener((how) => fetch(`${address}/api${path}`, { ...how, headers: { ...how.headers, 'accept-encoding': 'gzip, zstd' } }))
}

test('a page that is no stream is compressed by Caddy, in a coding that the server does not have', async () => {
  const description = await fetch(`${address}/api/openapi.json`, { headers: { 'accept-encoding': 'zstd' } })
  expect(description.headers.get('content-encoding')).toBe('zstd')
})

test('a large first update of a stream arrives at once, and later ones arrive one by one', async () => {
  const authors = await Promise.all(Array.from({ length: 4 }, () => forum.member()))
  for (const author of authors) for (let n = 0; n < 5; n++) await aTopic(author, tagId)
  const news = await subscribe('/topic/news')
  await expect.poll(news.events).toHaveLength(1)
  expect(news.events()[0]?.data.length).toBeGreaterThan(1_000)
  const topicId = await aTopic(mei, tagId)
  await expect.poll(() => news.events().at(-1)?.data).toContain(`"id":"${topicId}"`)
  expect(news.headers.get('content-encoding')).toBe('identity')
  news.close()
})

test('a small first update of a stream arrives at once', async () => {
  const topicId = await aTopic(mei, tagId)
  const news = await subscribe(`/comment/news?topicId=${topicId}`)
  await expect.poll(news.events).toHaveLength(1)
  await aComment(mei, topicId)
  await expect.poll(news.events).toHaveLength(2)
  news.close()
})

test('a streamed answer arrives while it is made, whatever the size of its first piece', async () => {
  const silence = Promise.withResolvers<void>()
  const long = 'tea '.repeat(1_000)
  const provider = await aProvider(({ stream }, response) => {
    if (!stream) return { says: ['A title'] }
    const text = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: long }, finish_reason: null }] })}\n\n`
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(text)
    void silence.promise.then(() =>
      response.end(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`),
    )
    return null
  })
  await withModel(forum.database, provider)
  const form = new URLSearchParams({ prompt: 'Tea?' })
  const headers = { ...mei.headers('POST'), 'idempotency-key': 'a-key-for-an-answer-by-caddy' }
  const answer = await eventListener(({ signal }) =>
    fetch(`${address}/api${ask.path}`, { method: 'POST', body: form, headers: { ...headers, 'accept-encoding': 'gzip, zstd' }, signal }),
  )
  expect(answer.status).toBe(200)
  await expect.poll(() => piecesIn(answer.text()).text).toContain('tea tea')
  expect(answer.isClosed()).toBe(false)
  silence.resolve()
  await expect.poll(answer.isClosed).toBe(true)
})
