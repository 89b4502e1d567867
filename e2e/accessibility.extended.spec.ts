import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { readPicture } from '#database/sample/pictures.ts'
import * as notification from '#notification/server/notification.ts'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { menuOf } from './post-menu.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'
import { untilIdle } from './idle.ts'

const site = await builtForum()
const quotingTopic = await site.topic('一条 SQL')
const ownTopic = await site.topic('凤凰单丛')

const post = {
  kind: 'comment' as const,
  thread: 'topic' as const,
  id: '1',
  topicId: ownTopic,
  commentId: '1',
  title: '凤凰单丛',
  excerpt: '好茶。',
}
const laochen = await site.database.app.selectFrom('member').select('id').where('account', '=', 'laochen').executeTakeFirstOrThrow()
await site.write(async (tx) => {
  // More than the badge displays.
  for (let count = 0; count < 101; count++)
    await notification.notify(tx, laochen.id, { kind: 'postRemoved', post, reason: '重复', mayAppeal: true })
})

// every-screen.spec.ts checks every screen on a phone; these are their further states.
test.each([
  ['zh', 'phone', 'light'],
  ['en', 'desktop', 'dark'],
] as const)('a checker finds no fault on a visitor’s pages, in %s on a %s, %s', async (language, width, theme) => {
  const { page, context } = await site.visit({ language, width, theme })
  const faults: string[] = []
  for (const path of ['/index', `/thread?topicId=${quotingTopic}`, '/thread?topicId=999999']) {
    await open(page, path)
    faults.push(...(await accessibilityViolations(page)))
  }
  await open(page, '/register')
  await page
    .locator('main')
    .getByRole('button', { name: wordsIn(language)('account.register'), exact: true })
    .click()
  await page.locator('.wrong').first().waitFor()
  faults.push(...(await accessibilityViolations(page)))
  expect(faults).toEqual([])
  await context.close()
})

test.each([
  ['zh', 'phone', 'light'],
  ['en', 'desktop', 'dark'],
] as const)('a checker finds no fault on a member’s pages, in %s on a %s, %s', async (language, width, theme) => {
  const words = wordsIn(language)
  const { page, context, complaints } = await site.visit({ language, width, theme, as: 'laochen' })
  const faults: string[] = []
  await open(page, `/thread?topicId=${ownTopic}`)
  await page.getByRole('button', { name: words('site.menu') }).click()
  faults.push(...(await accessibilityViolations(page)))
  await page.keyboard.press('Escape')
  await menuOf(page.locator('main article').first()).click()
  faults.push(...(await accessibilityViolations(page)))
  await page.getByRole('menuitem', { name: words('topic.remove'), exact: true }).click()
  faults.push(...(await accessibilityViolations(page)))
  await open(page, '/user/control/systemNotifyList')
  faults.push(...(await accessibilityViolations(page)))
  await open(page, '/user/control/editUser')
  await page.locator('input[type=file]').setInputFiles({ name: 'tea.webp', mimeType: 'image/webp', buffer: await readPicture('teacup') })
  await page.getByRole('slider').first().waitFor()
  faults.push(...(await accessibilityViolations(page)))
  expect(faults).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

test('the name of an author is as easily hit as a button', async () => {
  const { page, context } = await site.visit()
  for (const path of ['/index', `/thread?topicId=${ownTopic}`]) {
    await open(page, path)
    const boxes = await page.locator('main a[href^="/user/control/home?"]').evaluateAll((all) =>
      all.map((name) => {
        const { width, height } = name.getBoundingClientRect()
        return Math.min(width, height)
      }),
    )
    expect(boxes.length).toBeGreaterThan(3)
    expect(Math.min(...boxes)).toBeGreaterThanOrEqual(24)
  }
  await context.close()
})

test('the first Tab offers to skip to the content', async () => {
  const { page, context } = await site.visit()
  await open(page, '/index')
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: '跳到正文' })
  expect(await skip.evaluate((link) => link === document.activeElement && link.getBoundingClientRect().top >= 0)).toBe(true)
  await page.keyboard.press('Enter')
  expect(await focused(page)).toBe('MAIN#content')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement))).toBe(true)
  await context.close()
})

test.each([`/index?tagId=${await tag('hiking')}`, `/thread?topicId=${ownTopic}`, '/user/control/editUser'])(
  'Tab reaches every control, with a visible focus: %s',
  async (path) => {
    const { page, context } = await site.visit({ as: 'azhe' })
    await open(page, path)
    await page.getByRole('button', { name: '账号菜单' }).waitFor()
    // A member's own buttons load late, so targets are counted when the page is idle.
    await untilIdle(page)
    await page.keyboard.press('Tab')
    while (await page.evaluate(() => document.activeElement !== document.body)) {
      const isMarked = await page.evaluate(() => {
        const at = document.activeElement
        if (!(at instanceof HTMLElement)) return true
        const wasReached = at.dataset['reached'] !== undefined
        at.dataset['reached'] = ''
        return !wasReached && (getComputedStyle(at).outlineStyle !== 'none' || at.isContentEditable)
      })
      expect(isMarked, await focused(page)).toBe(true)
      await page.keyboard.press('Tab')
    }
    const missed = await page.evaluate(() => {
      const all = [
        ...document.querySelectorAll<HTMLElement>(
          'a[href], button, input, select, textarea, summary, [contenteditable=true], [tabindex="0"]',
        ),
      ]
      const missing = all.filter(
        (one) =>
          one.dataset['reached'] === undefined &&
          one.checkVisibility({ visibilityProperty: true }) &&
          !one.matches(':disabled, [tabindex="-1"], [hidden]'),
      )
      return missing.map((one) => one.outerHTML.slice(0, 120))
    })
    expect(missed).toEqual([])
    await context.close()
  },
)

test('Esc closes menus and dialogs, and returns the focus', async () => {
  const { page, context } = await site.visit({ as: 'laochen' })
  await open(page, `/thread?topicId=${ownTopic}`)
  const menu = page.getByRole('button', { name: '账号菜单' })
  await menu.focus()
  await page.keyboard.press('Enter')
  await page.locator('#account-menu').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('#account-menu').waitFor({ state: 'hidden' })
  expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true)

  const more = menuOf(page.locator('main article').first())
  await more.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe('menuitem')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('取消')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(await more.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await site.topic('凤凰单丛')).toBe(ownTopic)
  await context.close()
})

test('a reader who takes the other way past the captcha, or another picture, keeps the focus there', async () => {
  const { page, context } = await site.visit({ language: 'en' })
  await open(page, '/feedback')
  const check = page.getByRole('progressbar', { name: 'Verification' })
  await page.getByRole('button', { name: 'Use a picture instead' }).waitFor()
  expect(await focused(page)).toBe('BODY#')
  await page.getByRole('button', { name: 'Use a picture instead' }).press('Enter')
  const characters = page.getByLabel('Characters in the picture')
  await expect.poll(() => hasFocus(characters)).toBe(true)
  await characters.fill('tea')
  const drawn = await page.locator('.captcha img').getAttribute('src')
  await page.getByRole('button', { name: 'Another picture' }).press('Enter')
  await expect.poll(() => page.locator('.captcha img').getAttribute('src')).not.toBe(drawn)
  expect(await characters.inputValue()).toBe('')
  expect(await focusedText(page)).toBe('Another picture')
  await page.getByRole('button', { name: 'Use the automatic check' }).press('Enter')
  await expect.poll(() => hasFocus(check)).toBe(true)
  await context.close()
})

test('a wrong answer to the captcha leaves the focus at its field', async () => {
  const { page, context } = await site.visit({ language: 'en' })
  await open(page, '/feedback')
  await page.getByRole('button', { name: 'Use a picture instead' }).click()
  const characters = page.getByLabel('Characters in the picture')
  await page.getByLabel('Name').fill('Mei')
  await page.getByLabel('Contact details').fill('mei@example.org')
  await page.getByLabel('Message').fill('The kettle is loud.')
  await characters.fill('none')
  const drawn = page.waitForResponse('**/api/captcha/make')
  await characters.press('Enter')
  await drawn
  await expect.poll(() => characters.inputValue()).toBe('')
  expect(await hasFocus(characters)).toBe(true)
  await context.close()
})

test('the search starts by its button as well as by Enter', async () => {
  const { page, context } = await site.visit({ language: 'en' })
  await open(page, '/index')
  const search = page.getByRole('banner').getByRole('search')
  await search.locator('input').fill('oolong')
  await search.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL('**/search?keyword=oolong')
  await context.close()
})

test('motion stops for readers who asked for less', async () => {
  const { page, context } = await site.visit()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open(page, '/index')
  // A scroll-driven animation has no duration.
  const longest = await page.evaluate(() => {
    const timed = document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline)
    return Math.max(...timed.map((one) => Number(one.effect?.getComputedTiming().duration)), 0)
  })
  expect(longest).toBeLessThanOrEqual(1)
  await context.close()
})

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
  await page.locator('div[role=progressbar]').waitFor({ state: 'detached' })
}

function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluate((one) => one === document.activeElement)
}

function focusedText(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.textContent)
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => `${document.activeElement?.tagName}#${document.activeElement?.id}`)
}

async function tag(key: string): Promise<string> {
  return (await site.database.app.selectFrom('tag').select('id').where('key', '=', key).executeTakeFirstOrThrow()).id
}
