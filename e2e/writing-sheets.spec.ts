import { expect, test } from 'vitest'
import { accessibilityViolations, cheapViolations } from '#base/testing/accessibility-checks.ts'
import { goOn } from './from-login.ts'
import { selectText } from './select-text.ts'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const thread = `/thread?topicId=${await site.topic('一条 SQL')}`
const [zh, en] = [wordsIn('zh'), wordsIn('en')]

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

test('what a visitor on a phone selects in a topic is quoted on the sheet once they have logged in', async () => {
  const { page, context, complaints } = await site.visit({ language: 'en', width: 'phone' })
  await page.goto(thread)
  await page
    .locator('li[data-floor="2"]')
    .getByRole('link', { name: en('comment.reply'), exact: true })
    .first()
    .waitFor()
  const words = await selectText(page, 'main article .prose p')
  await page.locator('#content > a', { hasText: en('comment.quote') }).click()
  await goOn(site, page)
  await page.getByRole('dialog', { name: 'Your comment' }).locator('blockquote').getByText(words).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})
