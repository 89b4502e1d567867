import sharp from 'sharp'
import { expect, test } from 'vitest'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'
import { untilIdle } from './idle.ts'

const site = await builtForum()
const zh = wordsIn('zh')

const places = ['/addTopic', '/addQuestion'].flatMap((path) =>
  [844, 510].flatMap((height) => (['light', 'dark'] as const).map((theme) => [path, height, theme] as const)),
)

test.each(places)(
  'at %s on a phone %i high, in %s, nothing of the frame shows beside the button while writing',
  async (path, height, theme) => {
    const { page, context } = await site.visit({ width: 'phone', as: 'laochen', theme })
    await page.setViewportSize({ width: 390, height })
    await page.goto(path)
    const field = page.getByRole('textbox', { name: zh('topic.body') })
    await field.click()
    await page.keyboard.type('泡茶的水要多热')
    // The field extends below the button, which is at the top of a sheet.
    const head = page
      .locator('dialog[data-sheet][open] form > p')
      .filter({ has: page.locator('button.icon') })
      .first()
    await head.evaluate((row) => {
      const frame = document.querySelector('[contenteditable="true"]')?.getBoundingClientRect()
      row.closest('form')?.scrollBy({ top: (frame?.top ?? 0) - row.getBoundingClientRect().top, behavior: 'instant' })
    })
    await untilIdle(page)
    await screenshot(page, `composer${path.slice(1)}-${height}-${theme}`)
    const row = await head.boundingBox()
    expect(row?.height).toBeGreaterThan(30)
    // Left of the close button, and right of the publish button.
    const sides = [
      { x: 0, width: 5 },
      { x: 380, width: 10 },
    ].map((side) => ({
      ...side,
      y: (row?.y ?? 0) + 1,
      height: Math.min(row?.height ?? 0, height - (row?.y ?? 0)) - 2,
    }))
    for (const clip of sides) {
      const { channels } = await sharp(await page.screenshot({ clip })).stats()
      expect(channels.map(({ min, max }) => max - min)).toEqual(channels.map(() => 0))
    }
    await context.close()
  },
)
