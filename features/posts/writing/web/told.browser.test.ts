import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyPage } from '#base/testing/empty-page.ts'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let context: BrowserContext

beforeAll(async () => {
  site = await componentPage('../../features/posts/writing/testing/page.tsx')
  browser = await openBrowser()
  context = await browser.newContext()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(() => {
  site.calls.length = 0
})

async function open(query = ''): Promise<Page> {
  const page = await emptyPage(context, site)
  await page.goto(`${site.origin}/?${query}`)
  await textOf(page).waitFor()
  return page
}

const textOf = (page: Page) => page.getByRole('textbox', { name: /^(Body|正文)$/ })
const publish = (page: Page) => page.getByRole('button', { name: /^(Publish|发表)$/ }).click()

async function write(page: Page, text: string): Promise<void> {
  await textOf(page).focus()
  await page.keyboard.type(text)
}

describe('a member who has to wait', () => {
  test('sees the seconds go by while writing, hears of them once, and is told when it is over', async () => {
    const page = await open()
    site.answer = () => ({ status: 429, body: { error: { body: 'Wait 300 more seconds.' }, seconds: 300 } })
    await page.clock.install()
    await write(page, 'tea')
    await publish(page)
    const alert = page.getByRole('alert')
    await expect.poll(() => alert.textContent()).toBe('Wait 300 more seconds.')
    await write(page, ' and more')
    await page.clock.runFor(200_000)
    await page
      .locator('[aria-hidden]')
      .getByText(/Wait \d\d more seconds\./)
      .waitFor()
    expect(await alert.allTextContents()).toEqual(['Wait 300 more seconds.'])
    await page.clock.runFor(100_000)
    await page.getByRole('status').getByText('You can post now.').waitFor()
    expect(await alert.count()).toBe(0)
    site.answer = () => ({ body: {} })
    await publish(page)
    await expect.poll(() => page.locator('#sent').textContent()).toBe('1')
    expect(await page.getByText('You can post now.').count()).toBe(0)
  })

  test('gets all other messages as ever', async () => {
    const page = await open('lang=zh')
    site.answer = () => ({ status: 429, body: { error: { body: '再等 60 秒就可以发布了。' }, seconds: 60 } })
    await write(page, '茶')
    await publish(page)
    await page.getByRole('alert').getByText('再等 60 秒就可以发布了。').waitFor()
    site.answer = () => ({ status: 422, body: { error: { body: '至少写 6 个字。' } } })
    await publish(page)
    await page.getByRole('alert').getByText('至少写 6 个字。').waitFor()
    expect(await page.getByText(/再等/).count()).toBe(0)
  })
})

test('new members read how many links and pictures they may put in once they are near it, and before that nothing', async () => {
  const hint = (page: Page) => page.locator('form').getByText(/New members|新成员/)
  const page = await open('new')
  await write(page, 'Tea. ')
  expect(await hint(page).count()).toBe(0)
  await page.keyboard.type('https://elsewhere.example/leaves ')
  await hint(page).waitFor()
  expect(await hint(page).textContent()).toBe('New members can add 2 external links and 9 pictures per post.')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Backspace')
  await expect.poll(() => hint(page).count()).toBe(0)

  const chinese = await open('new&low&lang=zh')
  await write(chinese, '茶 https://elsewhere.example/leaves ')
  await hint(chinese).waitFor()
  expect(await hint(chinese).textContent()).toBe('新成员每篇最多 2 个外部链接或邮箱链接，9 张图片。')
})
