import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { element, xmlDeclaration, xmlText } from '#base/xml.ts'
import { runs } from '#base/testing/extent.ts'
import { closeContexts, openBrowser } from '../tools/browser.ts'

let page: Page

beforeAll(async () => {
  const browser = await openBrowser()
  page = await browser.newPage()
  return () => closeContexts(browser)
})

type Read = { text: string | null; quoted: string | null } | 'broken'

/** The content that a strict parser finds in these documents. */
function readAll(documents: string[]): Promise<Read[]> {
  return page.evaluate((texts) => {
    return texts.map((text) => {
      const root = new DOMParser().parseFromString(text, 'application/xml')
      if (root.querySelector('parsererror')) return 'broken'
      return { text: root.documentElement.textContent, quoted: root.documentElement.getAttribute('quoted') }
    })
  }, documents)
}

const documentWith = (text: string) => xmlDeclaration + element('post', { quoted: text }, xmlText(text))
// Code units of any kind, including unpaired surrogates, control characters and XML syntax.
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(fc.constantFrom(']]>', '<![CDATA[', '&amp;', '<', '>', '"', "'", '--', '\0', '\r\n', '\t', '\u0085', '\uFFFE', '茶'), {
      maxLength: 12,
    })
    .map((parts) => parts.join('')),
)

test('any text is well-formed, and comes back unchanged but for characters that XML cannot carry', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyText, { minLength: 20, maxLength: 60 }), async (texts) => {
      const read = await readAll(texts.map(documentWith))
      expect(read).toEqual(texts.map((text) => ({ text: carried(text), quoted: carried(text) })))
    }),
    { numRuns: runs(60) },
  )
})

test('markup characters of XML are text', async () => {
  const [read] = await readAll([documentWith('a ]]> b <!-- c & d -->\r\n"e"')])
  expect(read).toEqual({ text: 'a ]]> b <!-- c & d -->\r\n"e"', quoted: 'a ]]> b <!-- c & d -->\r\n"e"' })
})

// Implemented in another way than the program: character by character.
function carried(text: string): string {
  return [...text].filter(isCarried).join('')
}

function isCarried(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return code === 9 || code === 10 || code === 13
  return (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff
}
