import { Readable } from 'node:stream'
import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { emptyPage } from '#base/testing/empty-page.ts'
import type { ThreadPage } from '#apps/web/thread-pages.tsx'
import { closeContexts, openBrowser } from '../../tools/browser.ts'

type Thread = ThreadPage['threads'][number]

let site: TestSite
let context: BrowserContext
let page: Page
let faults: string[]
/** The topics of the forum, newest first. */
let topics: Thread[]
let news: Thread[] | null

beforeAll(async () => {
  site = await componentPage('./list-page.tsx')
  const browser = await openBrowser()
  context = await browser.newContext()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.answer = answer
  topics = Array.from({ length: 8 }, (_, at) => topic(20 - at))
  news = null
  faults = []
  page = await emptyPage(context, site)
  page.on('console', (message) => message.type() === 'error' && !/status of [45]\d\d/.test(message.text()) && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
})

afterEach(() => {
  if (faults.length > 0) throw new Error(faults.join('\n'))
})

function topic(id: number): Thread {
  const author = { id: '7', name: 'Mei', avatar: null, isOfficial: false, isDeactivated: false, roles: [] }
  const place = { id: '2', key: 'talk', name: { zh: '闲聊', en: 'Small talk' }, isRestricted: false, parent: null }
  const counts = { viewCount: 0, commentCount: 0, lastReplyAt: null, lastReplyBy: null }
  const marks = { isPinned: false, isFeatured: false, isClosed: false, isPending: false, hasEnvelope: false, aiLabel: null }
  const its = { author, place, pictures: [], locks: [], questionState: null, ...counts, ...marks }
  const publishedAt = new Date(Date.UTC(2026, 2, id)).toISOString()
  return { id: String(id), kind: 'topic', title: `Topic ${id}`, summary: 'It rains.', publishedAt, ...its }
}

const perPage = 3

function answer({ path, query }: ReceivedRequest): Answer {
  if (path === '/topic/list') {
    const number = Number(query.get('page'))
    const threads = topics.slice((number - 1) * perPage, number * perPage)
    return { body: { threads, page: number, pages: Math.ceil(topics.length / perPage), total: topics.length } }
  }
  if (path === '/topic/news' && news) {
    const heard = news.map(({ id, kind, publishedAt, place }) => ({ id, kind, publishedAt, place: { id: place.id, parent: null } }))
    return { body: Readable.from([`id: ${heard.map(({ id }) => id).join('-')}\ndata: ${JSON.stringify({ topics: heard })}\n\n`]) }
  }
  if (path === '/follow/mine') return { body: { tags: [], mutedThreadIds: ['19'], muted: ['9'] } }
  return { status: 503, body: {} }
}

const go = (query = '') => page.goto(`${site.origin}/index${query}`)
const titles = () => page.locator('main article h2 a').allTextContents()
const more = () => page.getByRole('link', { name: 'Show more' })
const named = (ids: readonly number[]) => ids.map((id) => `Topic ${id}`)

test('the button at the end of a list makes it longer until all of it is there, each topic once', async () => {
  await go()
  await expect.poll(titles).toEqual(named([20, 19, 18]))
  // A new one pushes the last of the first page to the second.
  topics = [topic(21), ...topics]
  await more().click()
  await expect.poll(titles).toEqual(named([20, 19, 18, 17, 16]))
  await more().click()
  await expect.poll(titles).toEqual(named([20, 19, 18, 17, 16, 15, 14, 13]))
  expect(await more().count()).toBe(0)
  expect(new URL(page.url()).search).toBe('')
})

test('the focus continues at the first new row of an extended list', async () => {
  await go()
  await more().press('Enter')
  await expect.poll(titles).toHaveLength(6)
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Topic 17')
})

test('a reader who comes back from a topic finds the list as long as it was, and anew by another way', async () => {
  await go()
  await more().click()
  await expect.poll(titles).toHaveLength(6)
  await page.getByRole('link', { name: 'Topic 15' }).click()
  await page.getByRole('heading', { name: 'One topic' }).waitFor()
  await page.goBack()
  await expect.poll(titles).toEqual(named([20, 19, 18, 17, 16, 15]))
  await go()
  await expect.poll(titles).toHaveLength(3)
})

test('the button without its script leads to the next page, which has its number in the address', async () => {
  await go()
  expect(await more().getAttribute('href')).toBe('/index?page=2')
  expect(await more().getAttribute('rel')).toBe('next')
})

test('a list counts new topics as they arrive, without moving, and shows them on request', async () => {
  news = [topic(22), topic(21), topic(20)]
  await go()
  await page.locator('main article').first().waitFor()
  const before = await page.locator('main article').first().boundingBox()
  const two = page.getByRole('button', { name: '2 new topics' })
  await two.waitFor()
  expect(await page.locator('main article').first().boundingBox()).toEqual(before)
  topics = [topic(22), topic(21), ...topics]
  await two.click()
  await expect.poll(titles).toEqual(named([22, 21, 20]))
  await two.waitFor({ state: 'detached' })
})

test('a topic by a muted member is folded until it is opened, and a muted topic is not in the list', async () => {
  const [, ...others] = topics
  topics = [{ ...topic(20), author: { ...topic(20).author, id: '9' } }, ...others]
  await go('?member')
  await page.getByText('Posted by someone you muted.').waitFor()
  await expect.poll(titles).toEqual(named([18]))
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  expect(await titles()).toEqual(named([20, 18]))
})
