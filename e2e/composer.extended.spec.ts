import sharp from 'sharp'
import { expect, test } from 'vitest'
import { shot } from './shot.ts'
import { aSite } from './site.ts'
import { wordsIn } from './words.ts'
import { rest } from './rest.ts'

const site = await aSite()
const zh = wordsIn('zh')

const places = ['/addTopic', '/addQuestion'].flatMap((path) =>
  [844, 510].flatMap((height) => (['light', 'dark'] as const).map((theme) => [path, height, theme] as const)),
)

test.each(places)(
  'at %s on a phone %i high, in %s, nothing of the frame shows beside the button while one writes',
  async (path, height, theme) => {
    const { page, context } = await site.visit({ width: 'phone', as: 'laochen', theme })
    await page.setViewportSize({ width: 390, height })
    await page.goto(path)
    const field = page.getByRole('textbox', { name: zh('topic.body') })
    await field.click()
    await page.keyboard.type('泡茶的水要多热')
    // The field goes on under the button.
    await page.evaluate(() => {
      const [row, frame] = ['form > .deeds', '[contenteditable="true"]'].map((one) => document.querySelector(one)?.getBoundingClientRect())
      scrollBy({ top: (frame?.top ?? 0) + 280 - (row?.top ?? 0), behavior: 'instant' })
    })
    await rest(page)
    await shot(page, `composer${path.slice(1)}-${height}-${theme}`)
    const row = await page.locator('form > .deeds').boundingBox()
    const sides = [0, 374].map((x) => ({
      x,
      y: (row?.y ?? 0) + 1,
      width: 15,
      height: Math.min(row?.height ?? 0, height - (row?.y ?? 0)) - 2,
    }))
    for (const clip of sides) {
      const { channels } = await sharp(await page.screenshot({ clip })).stats()
      expect(channels.map(({ min, max }) => max - min)).toEqual(channels.map(() => 0))
    }
    await context.close()
  },
)
