import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { screenshot } from './shot.ts'
import { builtForum } from './site.ts'
import { wordsIn } from './words.ts'

const site = await builtForum()
const thread = `/thread?topicId=${await site.topic('你手边那杯茶')}`
const keyboard = 290

// A restored draft would add lines, and the current one would not be the last.
beforeEach(async () => void (await site.database.app.deleteFrom('draft').execute()))

const phones = [390, 320].flatMap((width) =>
  (['zh', 'en'] as const).flatMap((language) => (['first', 'last'] as const).map((line) => [width, language, line] as const)),
)

/** The comment sheet above a keyboard, with one line, or enough for the last to be at its lower edge. */
async function writes(page: Page, language: 'zh' | 'en', line: 'first' | 'last'): Promise<Locator> {
  const words = wordsIn(language)
  await page.goto(thread)
  await page
    .getByRole('navigation', { name: words('comment.threadBar') })
    .getByRole('button', { name: words('comment.begin') })
    .click()
  const sheet = page.locator('dialog[data-sheet][open]')
  await sheet.locator('[contenteditable="true"]').click()
  // As in browsers that do not resize the page for the keyboard.
  await page.evaluate((height) => {
    Object.defineProperty(VisualViewport.prototype, 'height', { get: () => innerHeight - height, configurable: true })
    window.visualViewport?.dispatchEvent(new Event('resize'))
  }, keyboard)
  for (let at = 0; at < (line === 'last' ? 16 : 0); at++) {
    await page.keyboard.type(`${at}`)
    await page.keyboard.press('Enter')
  }
  await page.keyboard.type('泡茶的水要多热，请教 ')
  return sheet
}

/** As a phone does when the touched element is not editable. */
async function putDownKeyboard(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(VisualViewport.prototype, 'height', { get: () => innerHeight, configurable: true })
    window.visualViewport?.dispatchEvent(new Event('resize'))
  })
}

type Box = { top: number; bottom: number; left: number; right: number }

/** The boxes of a panel, the current line, and the visible part of the sheet. */
async function boxes(panel: Locator): Promise<{ panel: Box; line: Box; sheet: Box }> {
  return panel.evaluate((element, hidden) => {
    const plain = ({ top, bottom, left, right }: DOMRect) => ({ top, bottom, left, right })
    const text = document.querySelector('dialog[data-sheet][open] [contenteditable="true"]')
    const line = [...(text?.querySelectorAll('p') ?? [])].at(-1)
    const sheet = document.querySelector('dialog[data-sheet][open]')
    if (!line || !sheet) throw new Error('Nobody writes')
    return {
      panel: plain(element.getBoundingClientRect()),
      line: plain(line.getBoundingClientRect()),
      sheet: { ...plain(sheet.getBoundingClientRect()), bottom: innerHeight - hidden },
    }
  }, keyboard)
}

async function liesBeside(locator: Locator): Promise<void> {
  await expect
    .poll(async () => {
      const { panel, line, sheet } = await boxes(locator)
      return {
        coversLine: panel.top < line.bottom && panel.bottom > line.top,
        isWithin: panel.top >= sheet.top && panel.bottom <= sheet.bottom && panel.left >= sheet.left && panel.right <= sheet.right,
        isSeen: panel.bottom - panel.top >= 40,
      }
    })
    .toEqual({ coversLine: false, isWithin: true, isSeen: true })
}

test.each(phones)(
  'on a phone %i wide, in %s, the suggested members are beside the %s line being written',
  async (width, language, line) => {
    const { page, context, complaints } = await site.visit({ width: 'phone', as: 'laochen', language })
    await page.setViewportSize({ width, height: 700 })
    await writes(page, language, line)
    await page.keyboard.type('@a')
    const members = page.getByRole('listbox')
    await members.waitFor()
    await screenshot(page, `beside-${width}-${language}-${line}-members`)
    await liesBeside(members)
    await members.getByRole('option').first().click()
    await page.locator('dialog[data-sheet] [data-mention]').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  },
)

/** Checks that the line and the first emoji are fully visible and can be touched. */
async function seesLineAndFirst(panel: Locator): Promise<void> {
  await expect
    .poll(() =>
      panel.evaluate((element) => {
        const seen = innerHeight - (Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--keys')) || 0)
        const within = (one: Element | null | undefined) => {
          const box = one?.getBoundingClientRect()
          if (!one || !box) return false
          const [x, top, bottom] = [box.left + Math.min(box.width, 40) / 2, box.top + 3, box.bottom - 3]
          return [top, bottom].every((y) => y > 0 && y < seen && one.contains(document.elementFromPoint(x, y)))
        }
        const row = [...element.querySelectorAll('[role="row"]')][0]
        const cells = [...(row?.querySelectorAll('[role="gridcell"]') ?? [])]
        const line = [...document.querySelectorAll('dialog[data-sheet][open] [contenteditable="true"] p')].at(-1)
        return {
          line: within(line),
          first: cells.length > 0 && cells.every(within),
          isHigh: cells.every((cell) => cell.getBoundingClientRect().height >= 40),
          isWithin: element.getBoundingClientRect().bottom <= seen && element.getBoundingClientRect().right <= innerWidth,
        }
      }),
    )
    .toEqual({ line: true, first: true, isHigh: true, isWithin: true })
}

const screens = [
  [390, 844],
  [320, 568],
] as const
const below = screens.flatMap(([width, height]) =>
  (['keyboard', 'no keyboard'] as const).flatMap((keys) =>
    (['first', 'last'] as const).map((line) => [width, height, keys, line, keys === 'keyboard' ? 'zh' : 'en'] as const),
  ),
)

test.each(below)(
  'on a screen of %i by %i with %s, emoji are below the %s line being written, in %s',
  async (width, height, keys, line, language) => {
    const { page, context, complaints } = await site.visit({
      width: 'phone',
      as: 'laochen',
      language,
      theme: line === 'first' ? 'light' : 'dark',
    })
    await page.setViewportSize({ width, height })
    const sheet = await writes(page, language, line)
    if (keys === 'no keyboard') await putDownKeyboard(page)
    await sheet.locator('[data-tool="emoji"]').click()
    const panel = page.getByRole('dialog', { name: wordsIn(language)('editor.emoji') })
    await panel.getByRole('gridcell').first().waitFor()
    await screenshot(page, `beside-${width}-${keys}-${line}-emoji`)
    await seesLineAndFirst(panel)
    await panel.getByRole('gridcell').first().click()
    await expect
      .poll(() => sheet.locator('[contenteditable="true"] p').last().textContent())
      .toMatch(/\p{Emoji_Presentation}|\p{Extended_Pictographic}/u)
    expect(complaints).toEqual([])
    await context.close()
  },
)

test.each(phones)('on a phone %i wide, in %s, the field of a link is beside the %s line', async (width, language, line) => {
  const { page, context, complaints } = await site.visit({ width: 'phone', as: 'laochen', language })
  await page.setViewportSize({ width, height: 700 })
  const sheet = await writes(page, language, line)
  await sheet.locator('[data-tool="link"]').click()
  const dialog = page.getByRole('dialog', { name: wordsIn(language)('editor.linkTitle') })
  await dialog.locator('input').first().waitFor()
  await screenshot(page, `beside-${width}-${language}-${line}-link`)
  await liesBeside(dialog)
  expect(complaints).toEqual([])
  await context.close()
})
