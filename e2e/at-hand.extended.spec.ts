import { describe, expect, test } from 'vitest'
import { choose } from './post-menu.ts'
import { untilIdle } from './idle.ts'
import { layoutShift } from './layout-shift.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()

/** Touch targets lower than 40 pixels, measured by hit testing. */
function tooLow(): string[] {
  const all = [...document.querySelectorAll<HTMLElement>('a, button, input:not([type=hidden]), select, summary')]
  const targets = all.filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches('[href="#content"]'))
  return targets.filter((one) => heightOf(one) < 39).map((one) => `${one.outerHTML.slice(0, 90)} ${heightOf(one)}`)

  function heightOf(one: HTMLElement): number {
    one.scrollIntoView({ block: 'center', behavior: 'instant' })
    const { left, top, width, height } = one.getBoundingClientRect()
    const isHit = (y: number) => one.contains(document.elementFromPoint(left + width / 2, y))
    const middle = top + height / 2
    let reach = 1
    for (const way of [-1, 1]) for (let by = 1; by < 60 && isHit(middle + way * by); by++) reach++
    return reach
  }
}

/** Targets narrower or lower than 24 pixels, measured by hit testing. An overlapped area belongs to the target on top. */
function tooSmall(): string[] {
  const all = [...document.querySelectorAll<HTMLElement>('a, button, input:not([type=hidden]), select, summary')]
  const targets = all.filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches('[href="#content"]'))
  return targets.flatMap((one) => {
    one.scrollIntoView({ block: 'center', behavior: 'instant' })
    const { left, top, width, height } = one.getClientRects()[0] ?? one.getBoundingClientRect()
    const hit = (x: number, y: number) => document.elementFromPoint(left + width / 2 + x, top + height / 2 + y)
    const reach = (x: number, y: number) => {
      let far = 0
      while (far < 24 && one.contains(hit(x * (far + 1), y * (far + 1)))) far++
      return far
    }
    if (!one.contains(hit(0, 0)) && hit(0, 0)?.closest('a, button')) return []
    const [wide, high] = [reach(-1, 0) + reach(1, 0) + 1, reach(0, -1) + reach(0, 1) + 1]
    return wide < 24 || high < 24 ? [`${one.outerHTML.slice(0, 90)} ${wide} × ${high}`] : []
  })
}

test.each(['phone', 'desktop'] as const)('every target is large enough for a pointer with the least room, as on a %s', async (width) => {
  const { page, context } = await site.visit({ width })
  await page.setViewportSize({ width: 320, height: 640 })
  const topicId = await site.topic('你手边那杯茶')
  for (const path of ['/index', `/thread?topicId=${topicId}`, `/search?keyword=${encodeURIComponent('茶')}`, '/askList']) {
    await page.goto(path)
    await untilIdle(page)
    expect(await page.evaluate(tooSmall), path).toEqual([])
  }
  await context.close()
})

describe('on a phone', () => {
  test.each(['zh', 'en'] as const)('every control of a thread is as high as a finger, in %s', async (language) => {
    const { page, context } = await site.visit({ language, width: 'phone' })
    await page.goto(`/thread?topicId=${await site.topic('你手边那杯茶')}`)
    await page.locator('#reading-menu button').first().waitFor()
    expect(await page.evaluate(tooLow)).toEqual([])
    await context.close()
  })

  test.each([
    ['zh', 390],
    ['zh', 360],
    ['en', 390],
    ['en', 360],
  ] as const)('the name of the site is shown whole, in %s at %i', async (language, width) => {
    const { page, context } = await site.visit({ language, width: 'phone' })
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/index')
    await page
      .getByRole('banner')
      .getByRole('link', { name: wordsIn(language)('site.logIn') })
      .waitFor()
    const name = page.getByRole('banner').locator('a span').first()
    expect(await name.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    await context.close()
  })

  test('the floating parts cover nothing after a thread', async () => {
    const { page, context } = await site.visit()
    await page.setViewportSize({ width: 1060, height: 800 })
    await page.goto(`/thread?topicId=${await site.topic('你手边那杯茶')}`)
    const place = page.getByRole('button', { name: wordsIn('zh')('comment.jumpToFloor') })
    await place.waitFor()
    expect((await place.boundingBox())?.y).toBeGreaterThan(700)
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const [floor, next] = await Promise.all([place.boundingBox(), page.locator('#root > footer').boundingBox()])
    if (!floor || !next) throw new Error('The thread has no button, or nothing comes after it')
    expect(floor.y + floor.height).toBeLessThanOrEqual(next.y)
    await context.close()
  })
})

describe('a member', () => {
  test('stays at the floor of a comment they delete', async () => {
    const { page, context } = await site.visit({ as: 'azhe', language: 'en' })
    await page.goto(`/thread?topicId=${await site.topic('The plant on my desk')}`)
    const editor = page.locator('[data-composer] [contenteditable="true"]')
    await editor.fill('Mine drinks oolong')
    await page.getByRole('button', { name: 'Post comment' }).click()
    const mine = page.locator('li[data-floor]', { hasText: 'Mine drinks oolong' })
    await choose(mine, 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('This comment was deleted.').waitFor()
    const id = await page.locator('li[data-floor]', { hasText: 'This comment was deleted.' }).last().getAttribute('id')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe(id)
    await context.close()
  })

  test('is back at the button of the avatar when it is saved', async () => {
    const { page, context } = await site.visit({ as: 'azhe', language: 'en' })
    await page.goto('/user/control/editUser')
    const choose = page.getByRole('button', { name: 'Choose an avatar' })
    await choose.waitFor()
    const buffer = Buffer.from(onePixel, 'base64')
    await page.locator('input[type=file]').setInputFiles({ name: 'cup.png', mimeType: 'image/png', buffer })
    await page.getByRole('button', { name: 'Use this part' }).click()
    await page.getByText('Saved.').waitFor()
    await expect.poll(() => choose.evaluate((one) => one === document.activeElement)).toBe(true)
    await context.close()
  })

  test('a missing topic is shown by the page alone, with one request for it and one for its new place', async () => {
    const { page, context } = await site.visit({ as: 'azhe', language: 'en' })
    const calls: string[] = []
    page.on('request', (request) => request.url().includes('/api/') && calls.push(new URL(request.url()).pathname))
    await page.goto('/thread?topicId=999999')
    await page.getByRole('button', { name: 'Account menu' }).waitFor()
    await untilIdle(page)
    expect(calls.filter((call) => /thread|comment|topic/.test(call))).toEqual(['/api/thread', '/api/thread/moved'])
    expect(await page.getByText('(404)').count()).toBe(0)
    await context.close()
  })

  test('finds a draft again without the page jumping', async () => {
    const { page, context } = await site.visit({ as: 'azhe', language: 'en' })
    await page.goto('/addTopic')
    const editor = page.locator('[contenteditable="true"]')
    await editor.fill('Half of a thought')
    await page.reload()
    await page.getByRole('button', { name: 'Discard draft' }).waitFor()
    expect(await page.evaluate(layoutShift)).toBeLessThan(0.01)
    await context.close()
  })
})

test('every page has its name in its title', async () => {
  const author = (await site.database.app.selectFrom('member').select('id').where('account', '=', 'azhe').executeTakeFirstOrThrow()).id
  for (const [language, lists, missing] of [
    ['zh', ['话题', '评论', '回复'], '页面不存在'],
    ['en', ['Topics', 'Comments', 'Replies'], 'Page not found'],
  ] as const) {
    const { page, context } = await site.visit({ language })
    for (const [at, list] of ['topicList', 'commentList', 'replyList'].entries()) {
      await page.goto(`/user/control/${list}?userId=${author}`)
      await expect.poll(() => page.title()).toContain(lists[at])
    }
    await page.goto('/thread?topicId=999999')
    expect(await page.title()).toBe(`${missing} - 茶馆 Teahouse`)
    await context.close()
  }
})

test('the hot list names no number that a comment would make wrong', async () => {
  const { page, context } = await site.visit({ language: 'en' })
  await page.goto('/index')
  const hot = page.locator('section', { has: page.getByRole('heading', { name: 'Hot topics' }) })
  expect(await hot.locator('li').count()).toBe(8)
  expect(await hot.innerText()).not.toMatch(/comment|view/)
  await context.close()
})

const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
