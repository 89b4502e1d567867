import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessibilityViolations } from '#base/testing/accessibility-checks.ts'
import { visitAsStaff } from './staff-visit.ts'
import { builtForum, type Visit } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const card = 'section[data-state]'
const looks = [
  { language: 'zh', theme: 'light', width: 'phone', opener: 'azhe' },
  { language: 'en', theme: 'dark', width: 'desktop', opener: 'beishan' },
  { language: 'en', theme: 'light', width: 'phone', opener: 'haidao' },
] as const satisfies (Visit & { opener: string })[]
const [open, taken, ended] = ['所谓“最后一把键盘”', '番茄炒蛋', 'Red lentil']

test.each(looks)('a card has no blemish in any state, in $language, $theme, on a $width', async ({ opener, ...look }) => {
  const words = wordsIn(look.language)
  const visitor = await site.visit(look)
  for (const title of [open, taken, ended, '把 GPX']) {
    await goTo(visitor.page, title)
    await hasNone(visitor.page, card)
  }
  await visitor.context.close()

  const own = await site.visit({ ...look, as: 'zhoujian' })
  await goTo(own.page, open)
  await own.page.locator(card).getByText(words('redEnvelope.yours')).waitFor()
  await hasNone(own.page, card)
  await own.context.close()

  const { page, context } = await site.visit({ ...look, as: opener })
  await goTo(page, taken)
  await page
    .locator(card)
    .getByRole('button', { name: words('redEnvelope.openers') })
    .click()
  await page.locator(card).getByText(words('redEnvelope.luckiest')).waitFor()
  await hasNone(page, card)
  await goTo(page, open)
  await hasNone(page, card)
  await page
    .locator(card)
    .getByRole('button', { name: words('redEnvelope.openIt') })
    .press('Enter')
  await page.locator(card).getByText(words('redEnvelope.got')).waitFor()
  await hasNone(page, card)
  // The result has the focus, and the list of openers is the next tab stop.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator(card).getByRole('listitem').first().waitFor()
  await hasNone(page, card)
  await context.close()
})

test.each(['no-preference', 'reduce'] as const)(
  'opening moves for a moment only, and not where less is wished: %s',
  async (reducedMotion) => {
    const { page, context } = await site.visit({ language: 'en', as: reducedMotion === 'reduce' ? 'shanxing' : 'yecha' })
    await page.emulateMedia({ reducedMotion })
    await goTo(page, open)
    await page.locator(card).getByRole('button', { name: 'Open the red envelope' }).click()
    const got = page.locator('[data-new] strong')
    await got.waitFor()
    const longest = await page.locator(card).evaluate((its) => {
      const lasts = (one: Element) =>
        ['animation-duration', 'transition-duration'].map((name) => parseFloat(getComputedStyle(one).getPropertyValue(name)))
      return Math.max(...[...its.querySelectorAll('*')].flatMap(lasts))
    })
    expect(longest).toBeLessThanOrEqual(reducedMotion === 'reduce' ? 0.001 : 0.4)
    await context.close()
  },
)

test.each(looks)(
  'the forms to give one, the lists and the administration have no blemish either, in $language, $theme, on a $width',
  async (look) => {
    const words = wordsIn(look.language)
    const giver = await site.visit({ ...look, as: 'xiaoman' })
    // Tall enough that a phone's bars cover nothing.
    await giver.page.setViewportSize({ width: look.width === 'phone' ? 390 : 1280, height: 2_400 })
    for (const kind of ['random', 'fixed', 'targeted']) {
      await giver.page.goto('/addTopic')
      await giver.page.locator('[name="envelopeKind"]').selectOption(kind)
      const conditions = giver.page.getByText(words('redEnvelope.conditions'))
      if (kind !== 'targeted') {
        await conditions.click()
        // A phone's bottom bar covers what is below it.
        await giver.page.locator('[name="envelopeFollowers"]').evaluate((box) => box.scrollIntoView({ block: 'center' }))
      }
      await hasNone(giver.page, 'fieldset:has([name="envelopeKind"])')
    }
    for (const path of ['giveRedEnvelopeList', 'receiveRedEnvelopeList', 'redEnvelope/add?receiver=moshu']) {
      await giver.page.goto(`/user/control/${path}`)
      await giver.page.locator('main section').first().waitFor()
      await hasNone(giver.page, 'main')
    }
    await giver.context.close()

    const desk = await visitAsStaff(site, look)
    await desk.page.goto('/admin/redEnvelope/figures?days=7')
    await desk.page.getByRole('heading', { name: words('redEnvelopeAdmin.byKind') }).waitFor()
    await hasNone(desk.page, 'main')
    await desk.page.getByRole('link', { name: words('redEnvelopeAdmin.figuresDays', { count: 90 }) }).click()
    await desk.page.waitForURL('**days=90')
    const saved = desk.page.waitForEvent('download')
    await desk.page.getByRole('button', { name: words('admin.export') }).click()
    expect((await saved).suggestedFilename()).toMatch(/^red-envelopes-\d{4}-\d\d-\d\d-90\.csv$/)
    await desk.context.close()
  },
)

async function goTo(page: Page, title: string): Promise<void> {
  await page.goto(`/thread?topicId=${await site.topic(title)}`)
  await page.locator(card).waitFor()
}

async function hasNone(page: Page, within: string): Promise<void> {
  // A colour in transition is not representative.
  const moving = () =>
    document.getAnimations().filter(({ playState, timeline }) => playState === 'running' && timeline instanceof DocumentTimeline).length
  await expect.poll(() => page.evaluate(moving)).toBe(0)
  expect(await accessibilityViolations(page, { within })).toEqual([])
}
