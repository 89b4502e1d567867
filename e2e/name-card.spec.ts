import { expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { untilIdle } from './idle.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const thread = `/thread?topicId=${await site.topic('一条 SQL')}`
const [zh, en] = [wordsIn('zh'), wordsIn('en')]

test('a mouse resting on a name shows the member’s card, and the keyboard goes on into it', async () => {
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
