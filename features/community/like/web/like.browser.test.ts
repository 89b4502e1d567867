import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { decodeReturnPath } from '#base/return-path.ts'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { emptyPage } from '#base/testing/empty-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let context: BrowserContext
let page: Page

const person = (id: string, name: string) => ({ id, name, avatar: '', isOfficial: false, isDeactivated: false, roles: [] })

beforeAll(async () => {
  site = await componentPage('../../features/community/like/testing/page.tsx')
  const browser = await openBrowser()
  context = await browser.newContext()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.calls.length = 0
  site.answer = answer
  page = await emptyPage(context, site)
})

function answer({ path }: ReceivedRequest): Answer {
  const members = [{ member: person('7', 'Mei'), at: new Date().toISOString() }]
  return { body: path === '/like/members' ? { members, total: 1, page: 1, pages: 1 } : {} }
}

const go = (query = '') => page.goto(`${site.origin}/thread?topicId=1${query}`)
const heart = () => page.getByRole('button', { name: 'Like', exact: true })
const isPressed = () => heart().getAttribute('aria-pressed')
const sent = () => site.calls.filter(({ method }) => method === 'POST').map(({ path }) => path)

test('a like shows and counts before the server has it, and is undone by a refusal', async () => {
  const { promise: refusal, resolve: refuse } = Promise.withResolvers<Answer>()
  site.answer = (request) => (request.path === '/like/add' ? refusal : answer(request))
  await go()
  await heart().click()
  await expect.poll(isPressed).toBe('true')
  await page.getByRole('button', { name: '6 likes' }).waitFor()
  refuse({ status: 422, body: { error: { base: 'Likes are closed.' } } })
  await page.getByRole('status').getByText('Likes are closed.').waitFor()
  await expect.poll(isPressed).toBe('false')
  await page.getByRole('button', { name: '5 likes' }).waitFor()
})

test('the latest press wins, however slow the server is', async () => {
  const { promise: first, resolve: goOn } = Promise.withResolvers<Answer>()
  site.answer = (request) => (request.path === '/like/add' ? first : answer(request))
  await go()
  await heart().click()
  await expect.poll(sent).toEqual(['/like/add'])
  await heart().click()
  expect(await isPressed()).toBe('false')
  goOn({ body: {} })
  await expect.poll(sent).toEqual(['/like/add', '/like/remove'])
})

test('a second press removes a like', async () => {
  await go('&liked')
  expect(await isPressed()).toBe('true')
  await heart().click()
  await expect.poll(sent).toEqual(['/like/remove'])
  await page.getByRole('button', { name: '4 likes' }).waitFor()
})

test('the list of likers waits for a like that is on its way', async () => {
  const { promise: first, resolve: goOn } = Promise.withResolvers<Answer>()
  site.answer = (request) => (request.path === '/like/add' ? first : answer(request))
  await go()
  await heart().click()
  await page.getByRole('button', { name: '6 likes' }).click()
  await page.getByRole('dialog', { name: 'Liked by' }).waitFor()
  expect(site.calls.map(({ path }) => path)).not.toContain('/like/members')
  goOn({ body: {} })
  await page.getByRole('dialog').getByRole('link', { name: 'Mei' }).waitFor()
})

test('a visitor with a click on like is asked to log in, and returns to the comment with the like given', async () => {
  await go('&visitor')
  await heart().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Sign in to like this?').waitFor()
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The login').waitFor()
  expect(decodeReturnPath(new URL(page.url()).searchParams.get('jumpUrl'))).toBe('/thread?topicId=1&visitor#comment-3')
  expect(sent()).toEqual([])
  // As a member now.
  await go('#comment-3')
  await expect.poll(isPressed).toBe('true')
  expect(sent()).toEqual(['/like/add'])
  await go()
  expect(await isPressed()).toBe('false')
  expect(sent()).toHaveLength(1)
})

test('members read how many like their own post, and like none where likes are closed', async () => {
  for (const query of ['&own', '&closed']) {
    await go(query)
    await page.getByRole('button', { name: '5 likes' }).waitFor()
    expect(await heart().count()).toBe(0)
  }
})
