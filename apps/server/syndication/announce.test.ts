import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { announceJob } from '#apps/server/syndication/announce.ts'
import { transact } from '#base/server/database/database.ts'
import { aForum, type Person } from '#base/testing/forum.ts'
import * as setting from '#setting/server/setting.ts'
import { aClosedTag, aTag } from '#tag/testing/factories.ts'
import { removeTopic } from '#topic/contract.ts'
import { aTopic } from '#topic/testing/factories.ts'

const forum = await aForum()
const db = forum.database.app
const tagId = await aTag(forum.database)
const ground = { database: forum.database, log: pino({ level: 'silent' }), dataDir: '' }
const requests: { url: string | undefined; body: string }[] = []
/** Paths with this prefix are refused. */
let broken = '-'
let mei: Person

const engine = createServer((request, response) => {
  void text(request).then((body) => {
    requests.push({ url: request.url, body })
    response.writeHead(request.url?.startsWith(broken) ? 503 : 202).end('{}')
  })
})
await new Promise<void>((ready) => engine.listen(0, '127.0.0.1', ready))
const { port } = engine.address() as { port: number }
const at = { indexNow: `http://127.0.0.1:${port}/indexnow`, baidu: `http://127.0.0.1:${port}/urls` }
afterAll(() => void engine.close())

beforeEach(async () => {
  requests.length = 0
  broken = '-'
  mei = await forum.member()
  await set('', '')
})

async function set(indexNowKey: string, baiduToken: string): Promise<void> {
  await transact(forum.database, async (tx) => {
    await setting.change(tx, 'indexNowKey', indexNowKey, 'test')
    await setting.changeSealed(tx, 'baiduToken', baiduToken, 'test')
  })
}

const threadOf = (topicId: string) => `https://tea.example.org/thread?topicId=${topicId}`
const run = (job = announceJob('https://tea.example.org', at)) => job.run(ground, {})

test('no engine is notified without a key, or without an address of the site', async () => {
  await aTopic(mei, tagId)
  await run()
  await set('a-key-of-ours', '')
  await run(announceJob(null, at))
  expect(requests).toEqual([])
  expect((await forum.app.inject({ url: '/indexnow.txt' })).body).toBe('a-key-of-ours')
})

test('each engine is notified of new topics in its own way, once', async () => {
  await set('a-key-of-ours', 'baidu1234')
  const topicId = await aTopic(mei, tagId)
  const job = announceJob('https://tea.example.org', at)
  await run(job)
  const [indexNow, baidu] = requests.toSorted((one, other) => (one.url ?? '').localeCompare(other.url ?? '', 'en'))
  expect(JSON.parse(indexNow?.body ?? '')).toMatchObject({
    host: 'tea.example.org',
    key: 'a-key-of-ours',
    keyLocation: 'https://tea.example.org/indexnow.txt',
  })
  expect(JSON.parse(indexNow?.body ?? '').urlList[0]).toBe(threadOf(topicId))
  expect(baidu?.url).toBe('/urls?site=https://tea.example.org&token=baidu1234')
  expect(baidu?.body.split('\n')[0]).toBe(threadOf(topicId))
  await run(job)
  // As in another process.
  await run()
  expect(requests).toHaveLength(2)
})

test('a topic that is closed to visitors, or removed, is not announced', async () => {
  await set('a-key-of-ours', '')
  const few = await aClosedTag(forum.database)
  await few.admit(mei.id)
  const closed = await aTopic(mei, few.tagId)
  const removedTopicId = await aTopic(mei, tagId)
  await mei.call(removeTopic, { topicId: removedTopicId })
  await aTopic(mei, tagId)
  await run()
  const { urlList } = JSON.parse(requests[0]?.body ?? '')
  expect(urlList).not.toContain(threadOf(closed))
  expect(urlList).not.toContain(threadOf(removedTopicId))
})

test('an address that could not be announced is announced the next time', async () => {
  await set('a-key-of-ours', '')
  const topicId = await aTopic(mei, tagId)
  const job = announceJob('https://tea.example.org', at)
  broken = '/indexnow'
  await expect(run(job)).rejects.toThrow('answered 503')
  broken = '-'
  await run(job)
  expect(JSON.parse(requests[1]?.body ?? '').urlList).toContain(threadOf(topicId))
})

test('an engine that fails does not delay the other, which is notified once', async () => {
  await set('a-key-of-ours', 'baidu1234')
  const topicId = await aTopic(mei, tagId)
  const calls = () => requests.map(({ url, body }) => [url?.split('?')[0], body.includes(threadOf(topicId))])
  for (const engine of ['/indexnow', '/urls']) {
    requests.length = 0
    await db.deleteFrom('index_now_state').execute()
    broken = engine
    await expect(run()).rejects.toThrow('answered 503')
    expect(calls()).toHaveLength(2)
    await expect(run()).rejects.toThrow('answered 503')
    broken = '-'
    await run()
    expect(calls().toSorted()).toEqual(
      [engine === '/indexnow' ? '/urls' : '/indexnow', engine, engine, engine].toSorted().map((path) => [path, true]),
    )
  }
})

test('without a key there is no file with one', async () => {
  expect((await forum.app.inject({ url: '/indexnow.txt' })).statusCode).toBe(404)
})
