import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum, type Person } from '#base/testing/forum.ts'
import { eventListener } from '#base/testing/listen.ts'
import { startProxy } from '#base/testing/proxy.ts'
import { aComment } from '#comment/testing/factories.ts'
import { aTag } from '#tag/testing/factories.ts'
import { aTopic } from '#topic/testing/factories.ts'
import { findProgram } from '../../tools/find-program.ts'

let forum: Forum
let mei: Person
let topics: string[]
let address: string

// HAProxy closes its own connection to the server only when it has something to pass on to a client that has left.
const config = (port: number, upstream: string) => `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
listen teahouse
  bind 127.0.0.1:${port}
  server teahouse ${upstream}
`

beforeAll(async () => {
  forum = await aForum({ isOneServer: true, env: { TEAHOUSE_TRUSTED_PROXIES: '127.0.0.1' } })
  mei = await forum.member()
  const [tom, tagId] = [await forum.member(), await aTag(forum.database)]
  topics = await Promise.all([1, 2, 3, 4].map(() => aTopic(tom, tagId)))
  const upstream = await forum.app.listen({ port: 0, host: '127.0.0.1' })
  const haproxy = await startProxy({
    program: await findProgram('haproxy'),
    args: (path) => ['-db', '-f', path],
    config: (port) => config(port, new URL(upstream).host),
  })
  address = haproxy.address
  return haproxy.stop
})

/** Opens forty topics in turn and leaves each but the last; returns that one’s stream. */
async function openForty(nameOf: (opened: number) => string) {
  const headers = { authorization: mei.headers('GET')['authorization'] ?? '' }
  for (let opened = 0; ; opened++) {
    const topicId = topics[opened % topics.length] ?? ''
    const request = { ...headers, 'teahouse-stream': nameOf(opened), 'last-event-id': '0' }
    const news = await eventListener((how) => fetch(`${address}/api/comment/news?topicId=${topicId}`, how), request)
    expect(news.status, `topic ${opened}`).toBe(200)
    if (opened === 39) return { topicId, news }
    news.close()
  }
}

test.each([
  ['one tab', () => 'the-one-tab-of-mei-0'],
  ['a new tab each', (opened: number) => `tab-number-${opened}-of-mei-0`],
])('forty topics that a member opens in %s are all admitted, and the last has live comments', async (_, nameOf) => {
  const { topicId, news } = await openForty(nameOf)
  const before = news.events().length
  await aComment(mei, topicId)
  await expect.poll(() => news.events().length).toBeGreaterThan(before)
  news.close()
})
