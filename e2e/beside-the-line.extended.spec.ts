import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { shot } from './shot.ts'
import { aSite } from './site.ts'
import { wordsIn } from './words.ts'

const site = await aSite()
const thread = `/thread?topicId=${await site.topic('你手边那杯茶')}`
const keyboard = 290

const phones = [390, 320].flatMap((width) =>
  (['zh', 'en'] as const).flatMap((language) => (['first', 'last'] as const).map((line) => [width, language, line] as const)),
)

/** The sheet on which one comments, above a keyboard, with one line written or so many that the last lies at its lower edge. */
async function writes(page: Page, language: 'zh' | 'en', line: 'first' | 'last'): Promise<Locator> {
  const words = wordsIn(language)
  await page.goto(thread)
  await page
    .getByRole('navigation', { name: words('comment.threadBar') })
    .getByRole('button', { name: words('comment.begin') })
    .click()
  const sheet = page.locator('dialog[data-sheet][open]')
  await sheet.locator('[contenteditable="true"]').click()
  // As browsers do that leave the page as it is behind the keyboard.
  await page.evaluate((height) => {
    Object.defineProperty(VisualViewport.prototype, 'height', { get: () => innerHeight - height })
    window.visualViewport?.dispatchEvent(new Event('resize'))
  }, keyboard)
  for (let at = 0; at < (line === 'last' ? 16 : 0); at++) {
    await page.keyboard.type(`${at}`)
    await page.keyboard.press('Enter')
  }
  await page.keyboard.type('泡茶的水要多热，请教 ')
  return sheet
}

type Box = { top: number; bottom: number; left: number; right: number }

/** Where a panel lies, with the line one writes and the edges of what one sees of the sheet. */
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

test.each(phones)('on a phone %i wide, in %s, members lie beside the %s line one writes', async (width, language, line) => {
  const { page, context, complaints } = await site.visit({ width: 'phone', as: 'laochen', language })
  await page.setViewportSize({ width, height: 700 })
  await writes(page, language, line)
  await page.keyboard.type('@a')
  const members = page.getByRole('listbox')
  await members.waitFor()
  await shot(page, `beside-${width}-${language}-${line}-members`)
  await liesBeside(members)
  await members.getByRole('option').first().click()
  await page.locator('dialog[data-sheet] [data-mention]').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test.each(phones)('on a phone %i wide, in %s, the field of a link lies beside the %s line', async (width, language, line) => {
  const { page, context, complaints } = await site.visit({ width: 'phone', as: 'laochen', language })
  await page.setViewportSize({ width, height: 700 })
  const sheet = await writes(page, language, line)
  await sheet.locator('[data-tool="link"]').click()
  const dialog = page.getByRole('dialog', { name: wordsIn(language)('editor.linkTitle') })
  await dialog.locator('input').first().waitFor()
  await shot(page, `beside-${width}-${language}-${line}-link`)
  await liesBeside(dialog)
  expect(complaints).toEqual([])
  await context.close()
})
