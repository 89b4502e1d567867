import { beforeAll, expect, test } from 'vitest'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { addPageView } from '#statistic/contract.ts'
import { pageViews } from '#statistic/server/statistic.ts'

let forum: Forum

beforeAll(async () => {
  forum = await aForum()
})

test('page views are written together, a little later, as they were sent', async () => {
  const visitor = forum.visitor({ userAgent: 'a browser' })
  await visitor.call(addPageView, { url: '/index?page=2', referrer: 'https://example.org/<b>' })
  await visitor.call(addPageView, { url: '/thread?topicId=1' })
  expect(await written()).toEqual([])
  await pageViews.write(forum.database)
  expect(await written()).toMatchObject([
    { url: '/index?page=2', referrer: 'https://example.org/<b>', ip: visitor.ip, user_agent: 'a browser' },
    { url: '/thread?topicId=1', referrer: null },
  ])
})

test('only paths of this site are taken, and only short ones', async () => {
  for (const url of ['https://evil.example/', '//evil.example', '/\\evil.example', 'index', '', `/${'x'.repeat(2000)}`]) {
    expect((await forum.visitor().tries(addPageView, { url })).status).toBe(400)
  }
})

test('a token that is out of date does not stop a page view', async () => {
  const stale = Object.assign(forum.visitor(), { pair: { accessToken: 'a'.repeat(43), refreshToken: 'b'.repeat(43) } })
  expect((await stale.tries(addPageView, { url: '/index' })).status).toBe(200)
})

test('a flood is dropped, not kept', async () => {
  const visitor = forum.visitor()
  const statuses = await Promise.all(Array.from({ length: 300 }, async () => (await visitor.tries(addPageView, { url: '/index' })).status))
  expect(statuses.filter((status) => status === 429)).toHaveLength(60)
})

function written() {
  return forum.database.app.selectFrom('page_view').select(['url', 'referrer', 'ip', 'user_agent']).orderBy('id').execute()
}
