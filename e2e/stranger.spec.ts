import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { lookOf } from './look-of.ts'
import { quietPages } from './quiet-pages.ts'
import { screenshot } from './shot.ts'
import { builtForum, type Visit } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const say = { zh: wordsIn('zh'), en: wordsIn('en') }

/** A visitor whose browser prefers this language, and who has not chosen one here. */
async function stranger(browser: 'zh' | 'en', visit: Visit = {}) {
  const walk = await site.visit({ ...visit, language: browser, isNew: true })
  await walk.context.clearCookies()
  return walk
}

const langOf = (page: Page) => page.evaluate(() => document.documentElement.lang)

test.each([true, false])('an unknown address leads to the index, which says so, with scripts: %s', async (javaScript) => {
  const { page, context, complaints } = await site.visit({ javaScript })
  await page.goto('/no/such/page?x=1')
  expect(new URL(page.url()).pathname).toBe('/index')
  const message = page.getByText(say.zh('site.elsewhere'))
  expect(await message.isVisible()).toBe(true)
  expect((await message.boundingBox())?.y).toBeGreaterThan(56)
  expect(await page.locator('link[rel="canonical"]').getAttribute('href')).toMatch(/\/index$/)
  await screenshot(page, `elsewhere-${javaScript}`)
  expect(complaints).toEqual([])
  await context.close()
})

test('a login that leads to no page of ours leads to the index, which says so', async () => {
  const { page, context } = await site.visit()
  await page.goto(`/login?jumpUrl=${Buffer.from('/no/such/page').toString('base64url')}`)
  await page.locator('main form').waitFor()
  await page
    .locator('main')
    .getByRole('link', { name: say.zh('account.register') })
    .click()
  await page.getByRole('heading', { level: 1, name: say.zh('account.registerTitle') }).waitFor()
  await page.getByLabel(say.zh('account.account'), { exact: true }).fill('lost_one')
  await page.getByLabel(say.zh('account.password'), { exact: true }).fill('a-quiet-evening')
  await page.getByLabel(say.zh('site.passwordAgain'), { exact: true }).fill('a-quiet-evening')
  await page.getByLabel(say.zh('account.agreeStart')).check()
  await page
    .locator('main')
    .getByRole('button', { name: say.zh('account.register') })
    .click()
  await page.getByText(say.zh('site.elsewhere')).waitFor()
  await context.close()
})

test('a visitor with an English browser is offered English once, in English, and the page does not move', async () => {
  const { page, context, complaints } = await stranger('en')
  await page.goto('/index', { waitUntil: 'commit' })
  const offer = page.getByText(say.zh('site.alsoIn'))
  await offer.waitFor()
  expect(await langOf(page)).toBe('zh-CN')
  const before = await page.locator('header').first().boundingBox()
  await page.locator('header a[href^="/login?"]').waitFor()
  expect(await page.locator('header').first().boundingBox()).toEqual(before)
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: say.zh('site.skip') })
  expect(await skip.evaluate((link) => link === document.activeElement && link.getBoundingClientRect().top >= 0)).toBe(true)
  await screenshot(page, 'offer-english')
  await page
    .locator('aside[lang]')
    .getByRole('button', { name: say.zh('site.languageLabel') })
    .click()
  await expect.poll(() => langOf(page)).toBe('en')
  await expect.poll(() => page.getByText(say.en('site.alsoIn')).isVisible()).toBe(false)
  await page.reload()
  expect([await langOf(page), await page.getByText(say.en('site.alsoIn')).isVisible()]).toEqual(['en', false])
  expect(complaints).toEqual([])
  await context.close()
})

test('a declined offer does not come again; a matching visitor, a member, and a site of one language get none', async () => {
  const { page, context } = await stranger('en', { width: 'phone', theme: 'dark' })
  const offer = page.getByText(say.zh('site.alsoIn'))
  await page.goto('/index')
  await screenshot(page, 'offer-english-phone')
  await page.getByRole('button', { name: say.zh('site.notNow') }).click()
  await expect.poll(() => offer.isVisible()).toBe(false)
  await page.reload()
  await page.locator('main article').first().waitFor()
  expect([await langOf(page), await offer.isVisible()]).toEqual(['zh-CN', false])
  await context.close()
  for (const [browser, as] of [
    ['zh', undefined],
    ['en', 'linxi_dev'],
  ] as const) {
    const other = await stranger(browser, as && { as })
    await other.page.goto('/index')
    expect(await other.page.getByText(say.zh('site.alsoIn')).isVisible()).toBe(false)
    await other.context.close()
  }
  await site.change('languages', ['zh_CN'])
  const last = await stranger('en')
  await last.page.goto('/index')
  expect(await last.page.getByText(say.zh('site.alsoIn')).count()).toBe(0)
  await last.context.close()
  await site.change('languages', ['zh_CN', 'en_US'])
})

test('a site without a preferred language answers each browser in its own, and offers nothing', async () => {
  await site.change('defaultLanguage', '')
  for (const [browser, lang] of [
    ['en', 'en'],
    ['zh', 'zh-CN'],
  ] as const) {
    const { page, context } = await stranger(browser)
    await page.goto('/index')
    expect([await langOf(page), await page.locator('aside[lang]').isVisible()]).toEqual([lang, false])
    await context.close()
  }
  await site.change('defaultLanguage', 'zh_CN')
})

quietPages(site, [lookOf(import.meta.url)])
