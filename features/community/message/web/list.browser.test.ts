import type { Browser, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let page: Page
/** The partners on the second page of the list, by name. */
let further: string[]
/** A message that arrived since the page was loaded. */
let latest: string | null

beforeAll(async () => {
  site = await componentPage('../../features/community/message/testing/page.tsx')
  browser = await openBrowser()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  further = ['Ann', 'Mei']
  latest = null
  site.calls.length = 0
  site.answer = answer
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } })
  page = await context.newPage()
  return () => context.close()
})

test.each(['', '&stays'])('the next member in a tab sees no conversation of the last one with%s', async (how) => {
  await open(`?list=32${how}`)
  await row('Mei').waitFor({ state: 'attached' })
  further = ['Else']
  await page.evaluate(() => dispatchEvent(new CustomEvent('come', { detail: 'Bo' })))
  await row('Friend of Bo 0').waitFor()
  await page.mouse.wheel(0, 5_000)
  await row('Else').waitFor({ state: 'attached' })
  expect(await names()).toEqual([...Array.from({ length: 30 }, (_, at) => `Friend of Bo ${at}`), 'Else'])
})

test('a deleted conversation goes from the list up to the latest of that time, however long the list is', async () => {
  await open('?list=32&many=2')
  await row('Mei').waitFor({ state: 'attached' })
  await page.getByRole('region', { name: 'Mei' }).getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete all messages' }).click()
  latest = '1007'
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await page.getByText('Came meanwhile').waitFor()
  further = ['Ann']
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await row('Mei').waitFor({ state: 'detached' })
  expect(site.calls.filter(({ path }) => path === '/user/control/deletePrivateMessage').map(({ body }) => body)).toEqual([
    expect.stringMatching(/userId=7.*upTo=1001$/),
  ])
})

test('a message with only a file is listed as a file', async () => {
  await open('?list=32')
  await list().getByText('[File] tea.pdf', { exact: true }).waitFor({ state: 'attached' })
})

test('a draft to a member stands in their row', async () => {
  await page.goto(`${site.origin}/empty`)
  await page.evaluate(() => {
    const doc = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Are you' }] }] }
    const slot = { text: { view: 'rich', doc }, fields: null, known: { version: null, isSaved: false, over: [] }, at: 1, took: [] }
    localStorage.setItem(`draft ${'a'.repeat(32)} 5 message 101`, JSON.stringify(slot))
  })
  await open('?list=3')
  await list().getByText('[Draft] Are you', { exact: true }).waitFor()
  expect(await names()).toEqual(['Friend of Tom 0', 'Friend of Tom 2'])
})

async function open(query: string): Promise<void> {
  await page.goto(`${site.origin}/${query}`)
  await list().hover()
  await page.mouse.wheel(0, 5_000)
}

function list() {
  return page.getByRole('region', { name: 'Messages', exact: true })
}

function row(name: string) {
  return list()
    .getByRole('listitem')
    .filter({ hasText: `I am ${name}` })
}

async function names(): Promise<string[]> {
  const texts = await list().getByText('I am ', { exact: false }).allTextContents()
  return texts.map((text) => text.replace('I am ', ''))
}

function answer({ path, query }: ReceivedRequest): Answer {
  if (path === '/user/control/privateMessageList') return query.get('page') === '2' ? { body: pageOf(2) } : { status: 503, body: 'resting' }
  if (path === '/user/control/privateMessageChatList')
    return {
      body: {
        member: aMember('7', 'Mei'),
        messages: latest ? [came(latest)] : [],
        hasMore: latest !== null,
        lastId: latest,
        unread: 0,
        request: null,
        closed: null,
        needsCaptcha: false,
      },
    }
  if (path === '/user/control/unreadMessageCount')
    return { body: { privateMessageCount: 0, systemNotifyCount: 0, remindCount: 0, messageRevision: '0' } }
  return { body: {} }
}

function pageOf(page: number) {
  const conversations = further.map((name, at) => ({
    member: aMember(name === 'Mei' ? '7' : String(500 + at), name),
    last: {
      id: String(900 - at),
      isMine: false,
      text: name === 'Ann' ? 'tea.pdf' : `I am ${name}`,
      file: name === 'Ann' ? 'tea.pdf' : null,
      sentAt: '2026-01-01T08:00:00.000Z',
    },
    lastId: String(900 - at),
    unread: 0,
  }))
  return { conversations, requests: 0, total: 30 + further.length, page, pages: 2 }
}

function came(id: string) {
  return {
    id,
    isMine: false,
    segments: [{ html: '<p>Came meanwhile</p>' }],
    sentAt: '2026-01-01T08:00:00.000Z',
    key: null,
    envelopeId: null,
  }
}

function aMember(id: string, name: string) {
  return { id, name, avatar: null, isOfficial: false, isDeactivated: false, roles: [] }
}
