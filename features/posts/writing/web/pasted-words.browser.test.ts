import fc from 'fast-check'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { runs } from '#base/testing/extent.ts'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let page: Page
/** A page without styles or scripts. */
let elsewhere: Page

beforeAll(async () => {
  site = await componentPage('../../features/posts/writing/testing/page.tsx')
  browser = await openBrowser()
  const context = await browser.newContext()
  elsewhere = await context.newPage()
  page = await context.newPage()
  await page.goto(site.origin)
  await page.getByRole('textbox', { name: 'Body' }).focus()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

const wordsIn = (text: string) => text.split(/[\s\u200b]+/).filter(Boolean)

/** The words that a browser shows for some HTML, and those in the editor after a paste. */
async function wordsOf(html: string): Promise<{ shown: string[]; pasted: string[] }> {
  const visibleText = await elsewhere.evaluate((content) => {
    document.body.innerHTML = content
    return document.body.innerText
  }, html)
  await page.keyboard.press('Control+a')
  await page.evaluate(() => new Promise(requestAnimationFrame)) // the editor handles it asynchronously
  await page.keyboard.press('Delete')
  await page.evaluate(() => new Promise(requestAnimationFrame))
  const pasted = await page.evaluate((content) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', content)
    const editor = document.activeElement as HTMLElement
    editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    return editor.innerText
  }, html)
  return { shown: wordsIn(visibleText), pasted: wordsIn(pasted) }
}

// Between Chinese characters a line break is no space, so they have a test of their own.
const word = fc.constantFrom('one', 'two', 'b', 'чай', 'x1', 'Tea,')
const blank = fc.constantFrom(' ', '&nbsp;', ' &nbsp;', '\n', '  \n ', '\t', '<br>', '<!-- -->')
const around = fc.constantFrom(
  'span',
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'font',
  'mark',
  'small',
  'sub',
  'label',
  'code',
  'o:p',
  'st1:place',
  'x-tea',
  'span class="Apple-converted-space"',
  'span style="font-family: Arial; white-space: pre-wrap"',
  'span style="mso-spacerun: yes"',
  'a href="https://example.com/"',
  'a name="x"',
  'b style="font-weight: normal"',
)
const blockAround = fc.constantFrom(
  'p',
  'div',
  'section',
  'article',
  'h1',
  'h3',
  'blockquote',
  'center',
  'details open',
  'address',
  'p class="MsoNormal" style="text-indent: 2em"',
  'span style="display: block"',
  'a href="https://example.com/" style="display: block"',
  'div style="display: inline"',
)
const closing = (tag: string) => tag.split(' ')[0] ?? ''
const inTag = (tag: string, inner: string) => `<${tag}>${inner}</${closing(tag)}>`

const { inline } = fc.letrec<{ inline: string; inlines: string }>((tie) => ({
  inlines: fc.array(tie('inline'), { maxLength: 4, depthIdentifier: 'inline' }).map((parts) => parts.join('')),
  inline: fc.oneof(
    { depthIdentifier: 'inline', depthSize: 'small', maxDepth: 4 },
    word,
    blank,
    blank,
    fc.tuple(around, tie('inlines')).map(([tag, inner]) => inTag(tag, inner)),
    fc.tuple(around, blank).map(([tag, inner]) => inTag(tag, inner)),
  ),
}))
const inlines = fc.array(inline, { maxLength: 7 }).map((parts) => parts.join(''))
const blocks = fc
  .array(
    fc.oneof(
      inlines,
      fc.tuple(blockAround, inlines).map(([tag, inner]) => inTag(tag, inner)),
      fc.tuple(blockAround, inlines, inlines).map(([tag, one, two]) => inTag(tag, `${one}<p>${two}</p>`)),
      fc.array(inlines, { minLength: 1, maxLength: 3 }).map((items) => inTag('ul', items.map((item) => inTag('li', item)).join(' '))),
      fc
        .array(inlines, { minLength: 2, maxLength: 3 })
        .map((cells) => inTag('table', inTag('tr', cells.map((cell) => inTag('td', cell)).join('')))),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''))
  .filter((html) => html !== '')

test.each([
  '<p><span>one</span><span> </span><span>two</span></p><p>x</p>',
  'Some<span class="Apple-converted-space">&nbsp;</span><b>bold</b><span class="Apple-converted-space">&nbsp;</span>words<p>x</p>',
  'one<b><br></b>two',
  'one<div><br></div>two',
  '<span style="display: block">one</span><span style="display: block">two</span>',
  '<div style="display: inline">o</div><div style="display: inline">ne</div>',
  'one<div style="display: inline">one<p></p></div><ul><li></li></ul>',
  'one<div style="display: inline">two<p>x</p></div>y',
  'one<a href="#x"> </a>two<p>x</p>',
  '<p><span style="display: block">one</span>one</p><p>x</p>',
  '<p><a href="https://example.com/" style="display: block">one</a><a href="https://example.com/">one</a></p><p>x</p>',
  'in <st1:city w:st="on">London</st1:city> now',
])('words are apart as on the page they come from: %s', async (html) => {
  const { shown, pasted } = await wordsOf(html)
  expect(pasted).toEqual(shown)
})

test('in any wrapping elements', () =>
  fc.assert(
    fc.asyncProperty(blocks, async (html) => {
      const { shown, pasted } = await wordsOf(html)
      expect(pasted).toEqual(shown)
    }),
    { numRuns: runs(300) },
  ))
