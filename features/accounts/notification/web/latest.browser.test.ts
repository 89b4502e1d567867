import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let context: BrowserContext
let page: Page
let notifications: object[]
let counts: { remindCount: number; systemNotifyCount: number }
let isAway: boolean

beforeAll(async () => {
  site = await componentPage('../../features/accounts/notification/testing/page.tsx')
  browser = await openBrowser()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  notifications = [liked('11', null), announcement('12', null), liked('13', '2026-01-01T09:00:00.000Z')]
  counts = { remindCount: 1, systemNotifyCount: 1 }
  isAway = false
  site.calls.length = 0
  site.answer = answer
  await open(1_280)
  return () => context.close()
})

async function open(width: number): Promise<void> {
  context = await browser.newContext({ viewport: { width, height: 800 } })
  page = await context.newPage()
  await page.goto(site.origin)
}

const bell = () => page.getByRole('button', { name: /^Notifications/ })
const panel = () => page.getByRole('dialog', { name: 'Notifications' })
const rows = () => panel().getByRole('listitem')
const callsTo = (path: string) => site.calls.filter((one) => one.path === `/user/control/${path}`)

test('the bell counts unread notifications, and loads the latest when it is first opened', async () => {
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).waitFor()
  expect(callsTo('latestNotifications')).toEqual([])
  await bell().click()
  await expect.poll(() => rows().count()).toBe(3)
  expect(await rows().allInnerTexts()).toEqual([
    expect.stringMatching(/Mei liked your topic[^]*Oolong[^]*Unread/),
    expect.stringMatching(/Announcement[^]*Tea at five & cake[^]*Unread/),
    expect.not.stringContaining('Unread'),
  ])
  expect(await accessibilityViolations(page, { within: '[popover]' })).toEqual([])
})

test('the keyboard walks through the rows, and Escape goes back to the bell', async () => {
  await bell().focus()
  await page.keyboard.press('Enter')
  await rows().first().waitFor()
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('li')?.querySelector('bdi')?.textContent ?? document.activeElement?.tagName)
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('Oolong')
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('Tea at five & cake')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('Oolong')
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'hidden' })
  expect(await bell().evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await rows().first().waitFor()
  await page.getByRole('button', { name: 'After' }).focus()
  await panel().waitFor({ state: 'hidden' })
})

test('a followed notification is read, its page opens, and the bell closes', async () => {
  await bell().click()
  await rows().first().getByRole('link').click()
  await page.waitForURL('**/thread?topicId=3**')
  await panel().waitFor({ state: 'hidden' })
  await expect.poll(() => callsTo('markNotificationsAsRead').map(({ body }) => body)).toEqual([expect.stringContaining('11')])
  await bell().click()
  await rows().nth(1).getByRole('link').click()
  await page.waitForURL('**/systemNotifyList')
  await expect.poll(() => callsTo('markSystemNotifyAsRead').map(({ body }) => body)).toEqual([expect.stringContaining('12')])
})

test('all are marked as read at once, and then there is nothing to mark', async () => {
  await bell().click()
  await panel().getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await panel().getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'hidden' })
  await expect.poll(() => panel().getByText('Unread').count()).toBe(0)
})

test('a failure offers another try, and an empty list says what will come', async () => {
  isAway = true
  await bell().click()
  const retry = panel().getByRole('alert').getByRole('button')
  await retry.waitFor()
  isAway = false
  notifications = []
  await retry.click()
  await panel().getByText('No notifications yet.').waitFor()
  await panel().getByRole('link', { name: 'Notification settings' }).waitFor()
})

test('on a phone the bell is a link to the page of all', async () => {
  await context.close()
  await open(390)
  await page.getByRole('link', { name: /^Notifications, 2 unread/ }).click()
  await page.waitForURL('**/remindList')
  expect(callsTo('latestNotifications')).toEqual([])
})

function answer({ path, method }: ReceivedRequest): Answer {
  if (path === '/user/control/unreadMessageCount') return { body: { ...counts, privateMessageCount: 0, messageRevision: '0' } }
  if (path === '/user/control/latestNotifications') return isAway ? { status: 500 } : { body: { notifications } }
  if (method === 'POST' && path === '/user/control/markAllAsRead') {
    counts = { remindCount: 0, systemNotifyCount: 0 }
    notifications = [liked('11', '2026-01-01T09:00:00.000Z')]
  }
  return { body: {} }
}

function liked(id: string, readAt: string | null) {
  const members = [{ id: '7', name: 'Mei', avatar: null, isOfficial: false, isDeactivated: false, roles: [] }]
  const post = {
    kind: 'topic',
    thread: 'topic',
    id: '3',
    topicId: '3',
    commentId: null,
    title: id === '11' ? 'Oolong' : 'Green',
    excerpt: '',
  }
  return { notification: { id, kind: 'liked', members, people: 1, post, at: '2026-01-01T08:00:00.000Z', readAt }, notice: null }
}

function announcement(id: string, readAt: string | null) {
  const segments = [{ html: '<p>Tea at <a href="/index">five</a> &amp; cake</p>' }]
  return {
    notification: null,
    notice: { id, says: { kind: 'announcement', zh: segments, en: segments }, sentAt: '2026-01-01T07:00:00.000Z', readAt },
  }
}
