import { beforeAll, expect, test } from 'vitest'
import { screens } from '#apps/web/screens.ts'
import { aForum, type Forum } from '#base/testing/forum.ts'
import { addPageView, places } from '#statistic/contract.ts'
import { pageViews } from '#statistic/server/statistic.ts'

let forum: Forum

beforeAll(async () => {
  forum = await aForum({ isOneServer: true })
  // Page views buffered by another test file are not counted here.
  await pageViews.write(forum.database)
  await forum.database.app.deleteFrom('page_view').execute()
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
    expect((await forum.visitor().tryCall(addPageView, { url })).status).toBe(400)
  }
})

test('only addresses of the site count, up to a length, and once for repeated views', async () => {
  await forum.database.app.deleteFrom('page_view').execute()
  const visitor = forum.visitor()
  for (const url of [`/${'x'.repeat(300)}`, '/nowhere', '/api/topic/list', '/admin/dashboard', '/search?q=1', '/search?q=1'])
    expect((await visitor.tryCall(addPageView, { url })).status).toBe(200)
  await visitor.call(addPageView, { url: `/index?${'x'.repeat(1_500)}`, referrer: `https://example.org/${'y'.repeat(1_500)}` })
  await pageViews.write(forum.database)
  expect((await written()).map(({ url, referrer }) => [url.slice(0, 10), url.length, referrer?.length])).toEqual([
    ['/search?q=', 11, undefined],
    ['/index?xxx', 500, 500],
  ])
})

test('parameters of a login provider in the address are not stored', async () => {
  await forum.database.app.deleteFrom('page_view').execute()
  const visitor = forum.visitor()
  const back = '/thirdParty/loginRedirect?code=SECRET&state=SECRET'
  await visitor.call(addPageView, { url: back })
  await visitor.call(addPageView, { url: '/index', referrer: `https://forum.example${back}` })
  await pageViews.write(forum.database)
  expect((await written()).map(({ url, referrer }) => [url, referrer])).toEqual([
    ['/thirdParty/loginRedirect', null],
    ['/index', 'https://forum.example/thirdParty/loginRedirect'],
  ])
})

test('which payment was looked at is not kept', async () => {
  await forum.database.app.deleteFrom('page_view').execute()
  const number = `number=${'1'.repeat(20)}`
  await forum.visitor().call(addPageView, { url: `/user/control/payment?${number}`, referrer: `/payment/sandbox?${number}` })
  await pageViews.write(forum.database)
  expect((await written()).map(({ url, referrer }) => [url, referrer])).toEqual([['/user/control/payment', '/payment/sandbox']])
})

test('every screen is a place', () => {
  expect([...screens.map(({ path }) => path), '/'].toSorted()).toEqual(places.toSorted())
})

test('a token that is out of date does not stop a page view', async () => {
  const stale = Object.assign(forum.visitor(), { pair: { accessToken: 'a'.repeat(43), refreshToken: 'b'.repeat(43) } })
  expect((await stale.tryCall(addPageView, { url: '/index' })).status).toBe(200)
})

test('a flood is dropped, not kept', async () => {
  const visitor = forum.visitor()
  const statuses = await Promise.all(
    Array.from({ length: 300 }, async () => (await visitor.tryCall(addPageView, { url: '/index' })).status),
  )
  expect(statuses.filter((status) => status === 429)).toHaveLength(180)
})

function written() {
  return forum.database.app.selectFrom('page_view').select(['url', 'referrer', 'ip', 'user_agent']).orderBy('id').execute()
}
