import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { plain } from '#file/testing/factories.ts'
import { visitAsStaff } from './staff-visit.ts'
import { screenshot } from './shot.ts'
import { untilIdle } from './idle.ts'
import { builtForum } from './site.ts'

const site = await builtForum()
const desk = await visitAsStaff(site, { language: 'en' })
const { page } = desk
afterAll(() => desk.context.close())

const letters = (width: number, height: number, colour: string) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><rect width="${height}" height="${height}" rx="${height / 5}" fill="${colour}"/>${width > height ? `<text x="${height * 1.2}" y="${height * 0.75}" font-family="sans-serif" font-weight="700" font-size="${height * 0.7}" fill="${colour}">Tea</text>` : ''}</svg>`,
    ),
  )
    .png()
    .toBuffer()

const ground = (name: string) => page.getByRole('region', { name, exact: true })

async function choose(which: string, buffer: Buffer): Promise<void> {
  await page.locator(`input[data-which=${which}]`).setInputFiles({ name: 'mark.png', mimeType: 'image/png', buffer })
}

async function change(which: string, part: string, buffer: Buffer): Promise<void> {
  await choose(which, buffer)
  await ground(part).getByRole('button', { name: 'Use on every page' }).click()
  await ground(part).getByRole('button', { name: 'Remove' }).waitFor()
}

test('staff preview a logo in its place before others see it, and an error stands at its field', async () => {
  await page.goto('/admin/setting?group=site')
  await page.getByRole('link', { name: 'Choose a picture' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Logo and icon' }).waitFor()
  const logo = ground('Logo')
  await choose('logo', await letters(480, 120, '#8f2f6f'))
  await expect.poll(() => logo.getByRole('img').count()).toBe(2)
  await screenshot(page, 'look-chosen')
  await logo.getByRole('button', { name: 'Keep current' }).click()
  await logo.getByText('None: only the name is shown').first().waitFor()

  await choose('logo', await plain({ width: 60, height: 200 }).png().toBuffer())
  await logo.getByRole('button', { name: 'Use on every page' }).click()
  await logo.getByRole('alert').getByText('60 × 200').waitFor()
  await expect
    .poll(() => logo.getByRole('button', { name: 'Choose a picture' }).evaluate((one) => one === document.activeElement))
    .toBe(true)
  await choose('icon', Buffer.from('no picture'))
  await ground('Icon').getByRole('button', { name: 'Use on every page' }).click()
  await ground('Icon').getByRole('alert').getByText('PNG').waitFor()
  await screenshot(page, 'look-refused')
})

test('a wide logo stands in the place of the name, in the light and in the dark, and moves nothing', async () => {
  await change('logo', 'Logo', await letters(480, 120, '#8f2f6f'))
  await change('logoDark', 'Logo for dark theme', await letters(480, 120, '#f0b0d8'))
  await change('icon', 'Icon', await letters(512, 512, '#8f2f6f'))
  await screenshot(page, 'look-page')
  for (const theme of ['light', 'dark'] as const) {
    const reader = await site.visit({ language: theme === 'light' ? 'en' : 'zh', theme })
    for (const width of [1440, 390, 320]) {
      await reader.page.setViewportSize({ width, height: 800 })
      await reader.page.goto('/index')
      const logo = reader.page.getByRole('banner').getByRole('img', { name: /Teahouse/ })
      await expect.poll(() => logo.evaluate((one) => one instanceof HTMLImageElement && one.complete && one.naturalWidth)).toBe(480)
      expect(await logo.count()).toBe(1)
      expect(await reader.page.getByRole('banner').locator('img').evaluateAll(loaded)).toEqual(
        theme === 'light' ? [true, false] : [false, true],
      )
      await untilIdle(reader.page)
      expect(await moved(reader.page)).toEqual([])
      expect(await reader.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      await screenshot(reader.page, `look-${theme}-${width}`)
    }
    const icons = await reader.page.locator('link[rel*=icon]').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(icons).toEqual([32, 180, 192, 512].map((side) => expect.stringMatching(`^/look/f_[\\w-]{22}\\.${side}\\.png$`)))
    expect(await reader.page.locator('meta[property="og:image"]').getAttribute('content')).toContain(icons[3])
    expect(reader.complaints).toEqual([])
    await reader.context.close()
  }
})

test('the preview on a dark ground is dark, in either theme of the staff', async () => {
  const grounds = () =>
    ground('Logo')
      .locator('div:has(> img)')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor))
  await page.goto('/admin/look')
  await ground('Logo').waitFor()
  expect(await grounds()).toEqual(['rgb(251, 250, 247)', 'rgb(21, 23, 26)'])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await screenshot(page, 'look-page-dark')
  expect(await grounds()).toEqual(['rgb(251, 250, 247)', 'rgb(21, 23, 26)'])
  await page.goto('/admin/setting?group=site')
  await page.getByLabel('Pick a color').waitFor()
  await screenshot(page, 'setting-dark')
  await page.emulateMedia({ colorScheme: 'light' })
})

test('a square logo stands beside the name; a removed one can be shown again', async () => {
  await page.goto('/admin/look')
  await change('logo', 'Logo', await letters(200, 200, '#2f6f8f'))
  const reader = await site.visit({ language: 'en' })
  await reader.page.goto('/index')
  await reader.page.getByRole('banner').getByText('茶馆 Teahouse').waitFor()
  expect(await reader.page.getByRole('banner').locator('img').first().getAttribute('alt')).toBe('')
  await reader.page.setViewportSize({ width: 320, height: 800 })
  await screenshot(reader.page, 'look-square-320')

  await ground('Logo').getByText('Previous pictures').click()
  await ground('Logo').getByRole('button', { name: 'Use again' }).click()
  await expect.poll(() => page.getByRole('banner').getByRole('img').count()).toBe(1)
  await reader.page.goto('/index')
  await reader.page
    .getByRole('banner')
    .getByRole('img', { name: /Teahouse/ })
    .waitFor()
  for (const part of ['Logo', 'Icon']) {
    await ground(part).getByRole('button', { name: 'Remove' }).click()
    await ground(part).getByRole('button', { name: 'Choose a picture' }).waitFor()
  }
  await reader.page.goto('/index')
  expect(await reader.page.getByRole('banner').locator('img').count()).toBe(0)
  expect(await reader.page.locator('link[rel=icon]').getAttribute('href')).toBe('/favicon.svg')
  expect([...reader.complaints, ...desk.complaints.filter((one) => !/422/.test(one))]).toEqual([])
  await reader.context.close()
})

test('the main colour is picked or written, and an invalid one is refused in words at its field', async () => {
  await page.goto('/admin/setting?group=site')
  const [text, picker] = [page.getByRole('textbox', { name: 'Accent color' }), page.getByLabel('Pick a color')]
  await picker.fill('#1d4ed8')
  expect(await text.inputValue()).toBe('#1d4ed8')
  await text.fill('#C23B2E')
  expect(await picker.inputValue()).toBe('#c23b2e')
  await text.fill('red')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Enter the color as # and six characters').waitFor()
  await screenshot(page, 'colour-refused')
  await picker.fill('#1d4ed8')
  expect(await page.getByText('Enter the color as # and six characters').count()).toBe(0)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await site.change('mainColour', '')
})

test('an address of the administration that leads nowhere says so, and leads back', async () => {
  await page.goto('/admin/nowhere')
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  expect(await page.getByRole('link', { name: 'Try again' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
})

test('the link to ban a member opens the form', async () => {
  const { id } = await site.database.app
    .selectFrom('member')
    .select('id')
    .where('is_official', '=', false)
    .limit(1)
    .executeTakeFirstOrThrow()
  await page.goto(`/admin/member/view?memberId=${id}&tab=bans&open=ban`)
  const form = page.getByRole('dialog', { name: /Ban/ })
  await form.getByRole('textbox').first().waitFor()
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
})

test.each(['zh', 'en'] as const)('the head of the administration is whole on a phone, in %s', async (language) => {
  const { page, context } = await visitAsStaff(site, { language, width: 'phone' })
  for (const [path, width] of [
    ['/admin/setting?group=site', 390],
    ['/admin/look', 390],
    ['/admin/look', 320],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await screenshot(page, `desk-${language}-${width}${path.replaceAll(/[/?=]/g, '-')}`)
    const cut = await page
      .locator('header a span, h1')
      .evaluateAll((all) => all.filter((one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth).map((one) => one.textContent))
    expect(cut).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }
  await context.close()
})

function loaded(all: Element[]): boolean[] {
  return all.map((one) => one instanceof HTMLImageElement && one.naturalWidth > 0)
}

/** The movements of the logo and its neighbours while the page loads. */
function moved(of: Page): Promise<string[]> {
  type Moved = PerformanceEntry & { sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[] }
  return of.evaluate(
    () =>
      new Promise<string[]>((settle) => {
        const say = ({ node, previousRect: was, currentRect: is }: Moved['sources'][number]) =>
          node?.parentElement?.closest('header a, header nav') ? [`${node.nodeName} ${was.x} ${was.width} ${is.x} ${is.width}`] : []
        new PerformanceObserver((list) => settle((list.getEntries() as Moved[]).flatMap((one) => one.sources.flatMap(say)))).observe({
          type: 'layout-shift',
          buffered: true,
        })
        // Earlier entries are delivered in the next task.
        requestAnimationFrame(() => setTimeout(() => settle([])))
      }),
  )
}
