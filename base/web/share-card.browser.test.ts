import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../tools/browser.ts'

let site: TestSite
let page: Page
let openPage: () => Promise<Page>
let card: Buffer | null
const address = '/share/42/card.png?language=en'

beforeAll(async () => {
  site = await componentPage('./share-page.tsx')
  const browser = await openBrowser()
  openPage = async () => (await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })).newPage()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  card = await sharp({ create: { width: 1080, height: 1350, channels: 3, background: '#7a9a86' } })
    .png()
    .toBuffer()
  page = await openPage()
  await page.route('**/share/**', (route) => (card ? route.fulfill({ contentType: 'image/png', body: card }) : route.abort()))
  await page.goto(site.origin)
  await page.getByRole('button', { name: 'Share card of the topic' }).click()
})

afterEach(() => page.context().close())

const dialog = () => page.getByRole('dialog', { name: 'Share card' })
const picture = () => dialog().getByRole('img', { name: 'Share card for “Spring tea”' })

test('the share card of a post is copied, saved, and goes along with its title and address', async () => {
  await picture().waitFor()
  expect(await picture().getAttribute('src')).toBe(address)
  expect(await picture().evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1080)
  await dialog().getByRole('button', { name: 'Copy image' }).click()
  await page.getByText('Image copied.').waitFor()
  expect(await page.evaluate(async () => (await navigator.clipboard.read()).flatMap(({ types }) => types))).toContain('image/png')
  await dialog().getByRole('button', { name: 'Copy title and link' }).click()
  await page.getByText('Title and link copied.').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`Spring tea\n${site.origin}/thread?topicId=42`)
  const save = dialog().getByRole('link', { name: 'Save image' })
  expect([await save.getAttribute('href'), await save.getAttribute('download')]).toEqual([address, 'card.png'])
  const weibo = dialog().getByRole('link', { name: 'Share on Weibo' })
  expect(await weibo.getAttribute('href')).toContain(encodeURIComponent(`${site.origin}/thread?topicId=42`))
  expect(await weibo.getAttribute('rel')).toContain('noopener')
})

test('a share card that did not come is asked for again', async () => {
  await picture().waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'hidden' })
  const drawn = card
  card = null
  await page.reload()
  await page.getByRole('button', { name: 'Share card of the topic' }).click()
  await dialog().getByText('The card couldn’t be loaded.').waitFor()
  card = drawn
  await dialog().getByRole('button', { name: 'Try again' }).click()
  await picture().waitFor()
})
