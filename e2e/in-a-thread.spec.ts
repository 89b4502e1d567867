import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityViolations, cheapViolations } from '#base/testing/accessibility-checks.ts'
import { goOn, logIn } from './from-login.ts'
import { selectText } from './select-text.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const thread = `/thread?topicId=${await site.topic('一条 SQL')}`
const [zh, en] = [wordsIn('zh'), wordsIn('en')]

const floorWrittenAt = () =>
  document.activeElement?.closest('form') && document.activeElement.closest<HTMLElement>('li[data-floor]')?.dataset['floor']

test('a visitor who wants to reply logs in, and is back at that floor with the reply begun', async () => {
  const { page, context, complaints } = await site.visit()
  await page.goto(thread)
  await page
    .locator('li[data-floor="2"]')
    .getByRole('link', { name: zh('comment.reply'), exact: true })
    .first()
    .click()
  await page.getByText(zh('account.toWrite')).waitFor()
  await goOn(site, page)
  await expect.poll(() => page.evaluate(floorWrittenAt)).toBe('2')
  expect(complaints).toEqual([])
  await context.close()
})

test('after a reply by keyboard the focus is at the reply, and after a cancelled one where it was before', async () => {
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

test('a visitor on a phone who wants to comment logs in, and is back with the sheet open', async () => {
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
  await goOn(site, page)
  await page.getByRole('dialog', { name: 'Your comment' }).locator('[contenteditable="true"]:focus').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('words selected in a post are quoted beside them, and by the key of quotes', async () => {
  const { page, context, complaints } = await site.visit({ as: 'laochen' })
  await page.goto(thread)
  const floor = page.locator('li[data-floor="1"]')
  await floor.locator('[data-action="quote"]').waitFor()
  await page.locator('[data-composer] [contenteditable="true"]').waitFor()
  const words = await selectText(page, 'li[data-floor="1"] .prose p')
  await page.locator('#content > button').click()
  const quotes = page.locator('[data-composer] blockquote')
  await quotes.getByText(words).waitFor()
  await page.getByText('引用 1 楼').waitFor()

  const opening = await selectText(page, 'main article .prose p')
  await page.keyboard.press('q')
  await expect.poll(() => quotes.allTextContents()).toContain(opening)
  expect(complaints).toEqual([])
  await context.close()
})

test('a visitor’s selection is quoted after their login, in the same place', async () => {
  const { page, context, complaints } = await site.visit()
  await page.goto(thread)
  const quote = page.locator('#content > a', { hasText: zh('comment.quote') })
  // Its tools load after the text.
  await page
    .locator('li[data-floor="2"]')
    .getByRole('link', { name: zh('comment.reply'), exact: true })
    .first()
    .waitFor()
  const words = await selectText(page, 'li[data-floor="2"] .prose p')
  await quote.waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await screenshot(page, 'quote-of-a-visitor')
  await quote.click()
  await page.getByText(zh('account.toWrite')).waitFor()
  await goOn(site, page)
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
  await selectText(page, 'main article .prose p')
  await page.locator('#content > a', { hasText: zh('comment.quote') }).click()
  await page.waitForURL('**/login?**')
}

test('a visitor’s quote is put into no other thread', async () => {
  const { page, context, complaints } = await site.visit()
  const other = `/thread?topicId=${await site.topic('你手边那杯茶')}`
  const composed = page.locator('[data-composer] [contenteditable="true"]:focus')
  const quotes = page.locator('[data-composer] blockquote')
  await quoteOpening(page)
  // A member without a draft in this thread.
  await logIn(site, page, 'moshu')
  await page.goto(`${other}#write`)
  await composed.waitFor()
  expect(await quotes.count()).toBe(0)
  await page.goto(`${thread}#write`)
  await quotes.waitFor()
  expect(complaints).toEqual([])
  await context.close()
})
