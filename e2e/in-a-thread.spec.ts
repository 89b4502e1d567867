import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityViolations, cheapViolations } from '#base/testing/accessibility-checks.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'
import { untilIdle } from './idle.ts'

const site = await builtForum()
const thread = `/thread?topicId=${await site.topic('一条 SQL')}`
const [zh, en] = [wordsIn('zh'), wordsIn('en')]

async function logIn(page: Page, account = 'azhe'): Promise<void> {
  const member = await site.visit({ as: account })
  await member.page.goto('/index')
  const pair = await member.page.evaluate(() => localStorage.getItem('bbsToken') ?? '')
  await member.context.close()
  await page.evaluate((value) => localStorage.setItem('bbsToken', value), pair)
}

/** Follows the login's return path, as a member who has logged in. */
async function goOn(page: Page): Promise<void> {
  await page.waitForURL('**/login?**')
  await logIn(page)
  await page.goto(await page.evaluate(() => atob(new URLSearchParams(location.search).get('jumpUrl') ?? '')))
}

const floorWrittenAt = () =>
  document.activeElement?.closest('form') && document.activeElement.closest<HTMLElement>('li[data-floor]')?.dataset['floor']

test('a visitor who would reply logs in, and is back at that floor with the reply begun', async () => {
  const { page, context, complaints } = await site.visit()
  await page.goto(thread)
  await page
    .locator('li[data-floor="2"]')
    .getByRole('link', { name: zh('comment.reply'), exact: true })
    .first()
    .click()
  await page.getByText(zh('account.toWrite')).waitFor()
  await goOn(page)
  await expect.poll(() => page.evaluate(floorWrittenAt)).toBe('2')
  expect(complaints).toEqual([])
  await context.close()
})

test('who replies by keyboard goes on from the reply, and who thinks better of it from where they were', async () => {
  const { page, context, complaints } = await site.visit({ as: 'laochen' })
  await page.goto(thread)
  const reply = page.locator('li[data-floor="2"] [data-action="reply"]').first()
  await reply.press('Enter')
  await page.locator('li[data-floor="2"] form [contenteditable="true"]:focus').waitFor()
  await page.keyboard.type('我也这么看')
  await page.keyboard.press('Control+Enter')
  await page.locator('[id^="reply-"]:focus', { hasText: '我也这么看' }).waitFor()
  await reply.press('Enter')
  await page.locator('li[data-floor="2"] form [contenteditable="true"]:focus').waitFor()
  await page.getByRole('button', { name: zh('site.cancel') }).press('Enter')
  await page.locator('li[data-floor="2"] [data-action="reply"]:focus').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('a visitor on a phone who would comment logs in, and is back with the sheet open', async () => {
  const { page, context, complaints } = await site.visit({ width: 'phone', language: 'en' })
  await page.goto(thread)
  await page
    .getByRole('navigation', { name: en('comment.threadBar') })
    .getByRole('link', { name: 'Write a comment' })
    .click()
  const [toLogin, toRegister] = ['login', 'register'].map((at) => page.locator(`main nav a[href^="/${at}?"]`))
  await toRegister?.click()
  await page.waitForURL('**/register?**')
  expect(await cheapViolations(page)).toEqual([])
  await toLogin?.click()
  await goOn(page)
  await page.getByRole('dialog', { name: 'Your comment' }).locator('[contenteditable="true"]:focus').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test.each([844, 510])(
  'on a phone %i high a sheet takes all of the screen, is put away with one tap and keeps what was written',
  async (height) => {
    const { page, context, complaints } = await site.visit({ width: 'phone', as: 'laochen' })
    await page.setViewportSize({ width: 390, height })
    await page.goto(thread)
    const bar = page.getByRole('navigation', { name: zh('comment.threadBar') })
    await bar.getByRole('button', { name: '写评论…' }).click()
    const sheet = page.getByRole('dialog', { name: '你的评论' })
    const field = sheet.getByRole('textbox', { name: '你的评论' })
    await field.click()
    await page.keyboard.type('先记一笔')
    expect(await sheet.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height })
    const [tools, words] = await Promise.all([sheet.getByRole('toolbar').boundingBox(), field.boundingBox()])
    expect((tools?.y ?? 0) + (tools?.height ?? 0)).toBeGreaterThan(height - 12)
    expect((words?.y ?? 0) + (words?.height ?? 0)).toBeLessThanOrEqual(tools?.y ?? 0)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await cheapViolations(page)).toEqual([])
    await screenshot(page, `sheet-${height}`)
    await sheet.getByRole('button', { name: zh('site.putAway') }).click()
    await bar.getByRole('button', { name: zh('comment.goOnWriting') }).click()
    expect(await field.textContent()).toContain('先记一笔')
    await page.keyboard.press('Escape')
    await expect.poll(() => sheet.isVisible()).toBe(false)
    await page
      .locator('li[data-floor]')
      .first()
      .getByRole('button', { name: zh('comment.reply'), exact: true })
      .first()
      .click()
    await page.getByRole('dialog', { name: zh('comment.reply'), exact: true }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  },
)

test('going back on a phone puts the sheet away, and once a comment is posted there is no step of the sheet left', async () => {
  const { page, context, complaints } = await site.visit({ width: 'phone', as: 'laochen' })
  await page.goto('/index')
  await page.goto(thread)
  const bar = page.getByRole('navigation', { name: zh('comment.threadBar') })
  const sheet = page.getByRole('dialog', { name: '你的评论' })
  await bar.getByRole('button', { name: '写评论…' }).click()
  await sheet.getByRole('textbox', { name: '你的评论' }).click()
  await page.keyboard.type('退一步还在')
  await page.goBack()
  await expect.poll(() => sheet.isVisible()).toBe(false)
  expect(new URL(page.url()).pathname).toBe('/thread')
  await bar.getByRole('button', { name: zh('comment.goOnWriting') }).click()
  await sheet.getByText('退一步还在').waitFor()
  await sheet.getByRole('button', { name: zh('site.putAway') }).click()
  await expect.poll(() => page.evaluate(() => history.state?.isOver ?? false)).toBe(false)
  await bar.getByRole('button', { name: zh('comment.goOnWriting') }).click()
  await sheet.getByRole('button', { name: '发表评论', exact: true }).click()
  await page.waitForURL('**commentId=**')
  await page.getByText('退一步还在').waitFor()
  await page.goBack()
  await page.waitForURL((url) => url.pathname === '/thread' && !url.search.includes('commentId'))
  await page.goBack()
  await page.waitForURL('**/index')
  expect(complaints).toEqual([])
  await context.close()
})

test('a reply on a phone shows whom and what it answers, on a sheet of half the height that its handle makes whole', async () => {
  const { page, context, complaints } = await site.visit({ width: 'phone', as: 'laochen' })
  await page.goto(thread)
  const floor = page.locator('li[data-floor="2"]')
  const text = (await floor.locator('.prose').first().textContent()) ?? ''
  const by = (await floor.locator('header a').first().textContent()) ?? ''
  await floor.locator('[data-action="reply"]').first().click()
  const sheet = page.getByRole('dialog', { name: zh('comment.reply'), exact: true })
  const field = sheet.getByRole('textbox')
  await field.click()
  await page.keyboard.type('先记一笔')
  const whole = sheet.getByRole('button', { name: zh('comment.replyTo', { name: by }) })
  expect(await whole.getAttribute('aria-expanded')).toBe('false')
  expect((await sheet.textContent()) ?? '').toContain(text.slice(0, 20))
  await whole.click()
  await sheet.locator('.prose', { hasText: text.slice(0, 20) }).waitFor()
  const height = async () => (await sheet.boundingBox())?.height ?? 0
  expect(await height()).toBeLessThan(500)
  expect(await cheapViolations(page)).toEqual([])

  const handle = sheet.getByRole('button', { name: zh('site.fullHeight') })
  const from = await handle.boundingBox()
  await page.mouse.move((from?.x ?? 0) + 40, (from?.y ?? 0) + 12)
  await page.mouse.down()
  await page.mouse.move((from?.x ?? 0) + 40, (from?.y ?? 0) - 120, { steps: 4 })
  await page.mouse.up()
  await expect.poll(height).toBe(844)
  await sheet.getByRole('button', { name: zh('site.halfHeight') }).press('Enter')
  await expect.poll(height).toBeLessThan(500)

  await page.mouse.click(195, 80)
  await expect.poll(() => sheet.isVisible()).toBe(false)
  await page
    .getByRole('navigation', { name: zh('comment.threadBar') })
    .getByRole('button', { name: zh('comment.goOnWriting') })
    .click()
  expect(await field.textContent()).toContain('先记一笔')
  expect(complaints).toEqual([])
  await context.close()
})

test('a topic is written on the same sheet on a phone, with the button on top, and is kept where it is put away', async () => {
  const { page, context, complaints } = await site.visit({ width: 'phone', as: 'laochen' })
  await page.goto('/addTopic')
  const sheet = page.getByRole('dialog', { name: zh('topic.publish') })
  await sheet.getByRole('textbox', { name: zh('topic.title'), exact: true }).fill('先记一笔的标题')
  const publish = await sheet.getByRole('button', { name: zh('topic.publish') }).boundingBox()
  expect((publish?.y ?? 100) + (publish?.height ?? 0)).toBeLessThan(60)
  expect(await cheapViolations(page)).toEqual([])
  await screenshot(page, 'topic-sheet')
  await sheet.getByRole('button', { name: zh('site.putAway') }).click()
  await page.waitForURL('**/index')
  await page.goto('/addTopic')
  await expect.poll(() => sheet.getByRole('textbox', { name: zh('topic.title'), exact: true }).inputValue()).toBe('先记一笔的标题')
  expect(complaints).toEqual([])
  await context.close()
})

test('words selected in a post are quoted beside them, and by the key of quotes', async () => {
  const { page, context, complaints } = await site.visit({ as: 'laochen' })
  await page.goto(thread)
  const floor = page.locator('li[data-floor="1"]')
  await floor.locator('[data-action="quote"]').waitFor()
  await page.locator('[data-composer] [contenteditable="true"]').waitFor()
  const words = await select(page, 'li[data-floor="1"] .prose p')
  await page.locator('#content > button').click()
  const quotes = page.locator('[data-composer] blockquote')
  await quotes.getByText(words).waitFor()
  await page.getByText('引用 1 楼').waitFor()

  const opening = await select(page, 'main article .prose p')
  await page.keyboard.press('q')
  await expect.poll(() => quotes.allTextContents()).toContain(opening)
  expect(complaints).toEqual([])
  await context.close()
})

test('what a visitor selects is quoted once they have logged in, where they would have quoted it', async () => {
  const { page, context, complaints } = await site.visit()
  await page.goto(thread)
  const quote = page.locator('#content > a', { hasText: zh('comment.quote') })
  // Its tools load after the text.
  await page
    .locator('li[data-floor="2"]')
    .getByRole('link', { name: zh('comment.reply'), exact: true })
    .first()
    .waitFor()
  const words = await select(page, 'li[data-floor="2"] .prose p')
  await quote.waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await screenshot(page, 'quote-of-a-visitor')
  await quote.click()
  await page.getByText(zh('account.toWrite')).waitFor()
  await goOn(page)
  await page.locator('[data-composer] blockquote').getByText(words).waitFor()
  await page.getByText('引用 2 楼').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

async function quoteOpening(page: Page): Promise<void> {
  await page.goto(thread)
  await page
    .locator('li[data-floor="2"]')
    .getByRole('link', { name: zh('comment.reply'), exact: true })
    .first()
    .waitFor()
  await select(page, 'main article .prose p')
  await page.locator('#content > a', { hasText: zh('comment.quote') }).click()
  await page.waitForURL('**/login?**')
}

test('what a visitor quoted is put into no other thread', async () => {
  const { page, context, complaints } = await site.visit()
  const other = `/thread?topicId=${await site.topic('你手边那杯茶')}`
  const composed = page.locator('[data-composer] [contenteditable="true"]:focus')
  const quotes = page.locator('[data-composer] blockquote')
  await quoteOpening(page)
  // A member without a draft in this thread.
  await logIn(page, 'moshu')
  await page.goto(`${other}#write`)
  await composed.waitFor()
  expect(await quotes.count()).toBe(0)
  await page.goto(`${thread}#write`)
  await quotes.waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('so is what they select in the topic itself, in English and on a phone', async () => {
  const { page, context, complaints } = await site.visit({ language: 'en', width: 'phone' })
  await page.goto(thread)
  await page
    .locator('li[data-floor="2"]')
    .getByRole('link', { name: en('comment.reply'), exact: true })
    .first()
    .waitFor()
  const words = await select(page, 'main article .prose p')
  await page.locator('#content > a', { hasText: en('comment.quote') }).click()
  await goOn(page)
  await page.getByRole('dialog', { name: 'Your comment' }).locator('blockquote').getByText(words).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

function select(page: Page, place: string): Promise<string> {
  return page.evaluate((selector) => {
    // A mouse click takes the focus from the text.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    const range = document.createRange()
    range.selectNodeContents(document.querySelector(selector) as Element)
    getSelection()?.removeAllRanges()
    getSelection()?.addRange(range)
    return getSelection()?.toString().trim() ?? ''
  }, place)
}

test('who rests on a name sees who that is, and the keyboard goes on into it', async () => {
  const { page, context, complaints } = await site.visit({ as: 'azhe', language: 'en' })
  await page.goto(thread)
  await page.locator('[data-action="reply"]').first().waitFor()
  const name = page.locator('li[data-floor="1"] header').first().getByRole('link').first()
  const card = page.getByRole('dialog', { name: en('user.cardOf', { name: (await name.textContent()) ?? '' }) })
  await expect
    .poll(
      async () => {
        if (!(await card.isVisible())) await name.hover({ position: { x: 6 + Math.random() * 6, y: 8 } })
        return card.isVisible()
      },
      { interval: 800 },
    )
    .toBe(true)
  await card.getByRole('link', { name: /comment/ }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await screenshot(page, 'name-card')
  await page.keyboard.press('Escape')
  await expect.poll(() => card.isVisible()).toBe(false)

  await page.mouse.move(4, 300)
  await page.locator('li[data-floor="1"]').focus()
  await page.keyboard.press('Tab')
  await card.getByRole('link', { name: /comment/ }).waitFor()
  await page.keyboard.press('Tab')
  expect(await card.evaluate((box) => box.contains(document.activeElement))).toBe(true)
  expect(complaints).toEqual([])
  await context.close()
})

test('a finger that holds a name sees the card, and one that taps goes to the page', async () => {
  const { page, context } = await site.visit({ width: 'phone' })
  await page.goto(thread)
  await page.getByRole('navigation', { name: zh('comment.threadBar') }).waitFor()
  const name = page.locator('li[data-floor="1"] header').first().getByRole('link').first()
  await name.scrollIntoViewIfNeeded()
  const place = await name.boundingBox()
  const touch = await context.newCDPSession(page)
  const card = page.getByRole('dialog')
  await untilIdle(page)
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: (place?.x ?? 0) + 8, y: (place?.y ?? 0) + 8 }] })
  await card.waitFor()
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await card.getByRole('link', { name: /评论/ }).waitFor()
  expect(page.url()).toContain('/thread')
  await name.tap()
  await page.waitForURL('**/user/control/home?**')
  await context.close()
})
