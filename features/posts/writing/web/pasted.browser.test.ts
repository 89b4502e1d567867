import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { emptyPage } from '#base/testing/empty-page.ts'
import { componentPage, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let context: BrowserContext

beforeAll(async () => {
  site = await componentPage('../../features/posts/writing/testing/page.tsx')
  browser = await openBrowser()
  context = await browser.newContext()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

async function open(query = ''): Promise<Page> {
  const page = await emptyPage(context, site)
  await page.goto(`${site.origin}/?${query}`)
  await textOf(page).waitFor()
  return page
}

const textOf = (page: Page) => page.getByRole('textbox', { name: /Body|正文/ })

const paste = (page: Page, text: string, type: 'text/html' | 'text/plain') =>
  page.evaluate(
    ([content, kind]) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData(kind, content)
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    },
    [text, type] as const,
  )

/** The pasted content as the Markdown of the post. */
async function pasted(page: Page, html: string): Promise<string> {
  await textOf(page).focus()
  await paste(page, html, 'text/html')
  await page.getByText('Markdown', { exact: true }).first().click()
  return textOf(page).inputValue()
}

const fileOf = (name: string) => readFileSync(new URL(`pasted/${name}`, import.meta.url), 'utf8')

test.each(['word', 'word-online', 'wechat', 'google-docs', 'web-page'])('text pasted from %s keeps its meaning', async (name) => {
  const page = await open(name === 'wechat' ? 'lang=zh' : '')
  expect(await pasted(page, fileOf(`${name}.clipboard`))).toBe(fileOf(`${name}.md`).trimEnd())
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
})

test.each([
  [
    'a cell over two columns',
    '<table><tr><td colspan="2">甲</td><td>乙</td></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>',
    '| 甲 |  | 乙 |\n| --- | --- | --- |\n| 1 | 2 | 3 |',
  ],
  [
    'cells over two rows and over both',
    '<table><tr><th rowspan="2">a</th><th>b</th><th>c</th></tr><tr><td colspan="2">d</td></tr><tr><td>1</td><td rowspan="9">2</td><td>3</td></tr><tr><td>4</td><td>5</td></tr></table>',
    '| a | b | c |\n| --- | --- | --- |\n|  | d |  |\n| 1 | 2 | 3 |\n| 4 |  | 5 |',
  ],
  [
    'a cell over more columns than there are, and rows of unequal length',
    '<table><tr><td colspan="1000">a</td></tr><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>',
    '| a |  |\n| --- | --- |\n| 1 | 2 |\n| 3 |  |',
  ],
  ['a table with a caption', '<table><caption>Teas</caption><tr><td>a</td><td>b</td></tr></table>', 'Teas\n\n| a | b |\n| --- | --- |'],
  ['what can be opened', '<details><summary>S</summary>hidden</details>todo', 'S\n\nhidden\n\ntodo'],
  [
    'other blocks',
    '<main>one<nav>two</nav></main>three<dl><dt>four</dt><dd>five</dd></dl><center>six</center><fieldset><legend>seven</legend>eight</fieldset>nine<menu><li>ten</li></menu>',
    'one\n\ntwo\n\nthree\n\nfour\n\nfive\n\nsix\n\nseven\n\neight\n\nnine\n\n- ten',
  ],
])('%s: each thing stays where it stood', async (_, html, markdown) => {
  expect(await pasted(await open(), html)).toBe(markdown)
})

const worded = (marker: string, text: string, level = 1) =>
  `<p class=MsoListParagraph style='margin-left:${level * 0.5}in;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Wingdings'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`
const slide = (text: string, margin: string) =>
  `<div class=O style='margin-left:${margin};text-indent:-.31in'><span style='mso-special-format:bullet;font-family:Arial'>•</span><span lang=EN-US>${text}</span></div>`
const levels = '- a\n  - b\n    - c\n- d'

test.each([
  ['lists beside the items that they belong to', '<ul><li>a</li><ul><li>b</li><ul><li>c</li></ul></ul><li>d</li></ul>', levels],
  [
    'lists in items of their own',
    '<ul><li>a</li><li style="list-style-type:none"><ul><li>b</li><li style="display:block"><ul><li>c</li></ul></li></ul></li><li>d</li></ul>',
    levels,
  ],
  [
    'classes with a number',
    '<ul class="list-bullet1"><li>a</li></ul><ul class="list-bullet2"><li>b</li></ul><ul class="list-bullet3"><li>c</li></ul><ul class="list-bullet1"><li>d</li></ul>',
    levels,
  ],
  [
    'indents',
    '<ol><li data-list="bullet">a</li><li data-list="bullet" class="ql-indent-1">b</li><li data-list="bullet" class="ql-indent-2">c</li><li data-list="bullet">d</li></ol>',
    levels,
  ],
  [
    'levels of their own',
    '<ul><li aria-level="1">a</li><li aria-level="2">b</li><li aria-level="3">c</li><li aria-level="1">d</li></ul>',
    levels,
  ],
  [
    'margins',
    '<ul style="margin-left:18pt"><li>a</li></ul><ul style="margin-left:.5in"><li>b</li></ul><ul style="margin-left:72px"><li>c</li></ul><ul style="margin-left:18pt"><li>d</li></ul>',
    levels,
  ],
  ['slides', slide('a', '.31in') + slide('b', '.69in') + slide('c', '1.06in') + slide('d', '.31in'), levels],
  ['numbers that begin later', '<ol><li value="3">a</li><li>b</li></ol>', '3. a\n4. b'],
  ['ticks in Word', worded('¨', 'a') + worded('þ', 'b') + worded('¨', 'c', 2), '- [ ] a\n- [x] b\n  - [ ] c'],
  ['boxes before their words', '<ul><li><p>☐ a</p></li><li><span>☑</span> b</li><li>✅c</li></ul>', '- [ ] a\n- [x] b\n- [x] c'],
  [
    'ticks as attributes',
    '<ol><li data-list="unchecked">a</li><li data-list="checked">b</li></ol><ul data-checked="true"><li>c</li></ul>',
    '- [ ] a\n- [x] b\n\n* [x] c',
  ],
  [
    'ticks of a reader’s own',
    '<ul><li role="checkbox" aria-checked="true" aria-level="1">a</li><li role="checkbox" aria-checked="false" aria-level="2">b</li></ul>',
    '- [x] a\n  - [ ] b',
  ],
  [
    'boxes deep in an item',
    '<ul><li><span><label><input type="checkbox" checked=""></label></span><div>a</div></li><li><p><span><input type="checkbox"></span>b</p></li></ul>',
    '- [x] a\n- [ ] b',
  ],
  ['one box among words', '<ul><li>☐ is a box</li><li>this is none</li></ul>', '- ☐ is a box\n- this is none'],
])('lists keep their levels and ticks: %s', async (_, html, markdown) => {
  expect(await pasted(await open(), html)).toBe(markdown)
})

const fenced = '```\ndef tea(cups):\n\n    return 2\n```'
const word = (text: string) =>
  `<p class=MsoNormal><span lang=EN-US style='font-size:10pt;font-family:"Courier New"'>${text}<o:p></o:p></span></p>`

test.each([
  [
    'an editor of code in any font',
    '<div style="color: #ccc; font-family: Something; white-space: pre;"><div><span>def</span><span> tea(cups):</span></div><br><div>    <span>return</span> 2</div></div>',
  ],
  [
    'an editor that ends its lines',
    '<div style="float: left; white-space: pre"><span>def</span> tea(cups):<br><br><span>    return</span><span> </span>2</div>',
  ],
  ['lines that are blocks', '<pre><code><div>def tea(cups):</div><div><br></div><div>    return 2</div></code></pre>'],
  [
    'lines that are displayed as blocks',
    '<pre><span style="display: block">def tea(cups):</span><br><span style="display: flex">    return 2</span></pre>',
  ],
  ['numbered lines', '<pre><ol><li>def tea(cups):</li><li></li><li>    return 2</li></ol></pre>'],
  [
    'a table of lines',
    '<table><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code">def tea(cups):</td></tr><tr><td class="blob-num"></td><td class="blob-code">\n</td></tr><tr><td class="blob-num"></td><td class="blob-code">    return 2</td></tr></table>',
  ],
  ['Word', word('def tea(cups):') + word('&nbsp;') + word('<span style="mso-spacerun: yes">&nbsp;&nbsp;&nbsp; </span>return 2')],
  [
    'Google Docs',
    '<b style="font-weight: normal"><table><tr><td><p><span style="font-family: \'Roboto Mono\', monospace; white-space: pre-wrap">def tea(cups):</span></p><p><span style="font-family: \'Roboto Mono\', monospace; white-space: pre-wrap"><br>    return 2</span></p></td></tr></table></b>',
  ],
])('code of %s keeps its shape', async (_, html) => {
  const page = await open()
  expect(await pasted(page, `<p>x</p>${html}<p>y</p>`)).toBe(`x\n\n${fenced}\n\ny`)
})

test('words in a font of one width are words, and lines that are kept stay lines', async () => {
  const page = await open()
  const html =
    '<p style="font-family: monospace">one</p><p style="font-family: monospace">two</p><p style="white-space: pre-wrap">茶\n酒</p>'
  expect(await pasted(page, html)).toBe('one\n\ntwo\n\n茶\\\n酒')
})

test('a reply keeps the words, and the lines between them', async () => {
  const page = await open('plain')
  expect(await pasted(page, fileOf('word-online.clipboard'))).toBe('Spring tea\n\nGaiwan\n\n**White** porcelain\n\nPitcher\n\nPour')
})

test('a word from the middle of a line stays in the line', async () => {
  const page = await open()
  await textOf(page).focus()
  await page.keyboard.type('one two')
  for (let steps = 0; steps < 3; steps++) {
    await page.keyboard.press('ArrowLeft')
    await page.evaluate(() => new Promise(requestAnimationFrame)) // the editor handles it asynchronously
  }
  expect(await pasted(page, '<span style="color: red; font-size: 12px">and a half&nbsp;</span>')).toBe('one and a half two')
})

test('text copied here and pasted here stays the same', async () => {
  const page = await open()
  await textOf(page).focus()
  await page.keyboard.type('- a cup\n- [ ] ')
  const markdown = '- a cup\n\n```sql\nselect 1\n```\n\n- [x] done\n\n| a | b |\n| --- | --- |\n| 1 | 2 |'
  await page.getByText('Markdown', { exact: true }).first().click()
  await textOf(page).fill(markdown)
  await page.getByText('Rich text', { exact: true }).first().click()
  await textOf(page).locator('table').waitFor()
  await page.keyboard.press('Control+a')
  const html = await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    document.activeElement?.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
    return clipboardData.getData('text/html')
  })
  expect(await pasted(page, html)).toBe(markdown)
})

test.each([
  '<p>',
  '<ul><ul><ul>',
  '<img src="http://">',
  '<a href="http://[">x</a>',
  '<li>a',
  '<p style="mso-list:l0 level9 lfo1">a</p>',
  '<table><tr><td>',
])('%j breaks nothing', async (html) => {
  const page = await open()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  await pasted(page, `${html}tea`)
  expect(faults).toEqual([])
})

test('a form with fields named like DOM properties is read all the same', async () => {
  const names = ['parentNode', 'parentElement', 'childNodes', 'children', 'firstChild', 'lastChild', 'nextSibling', 'previousSibling']
  const others = [
    'nodeType',
    'nodeName',
    'tagName',
    'attributes',
    'style',
    'closest',
    'matches',
    'querySelectorAll',
    'replaceWith',
    'textContent',
  ]
  const fields = [...names, ...others, 'ownerDocument', 'remove', 'replaceChild', 'classList', 'getAttribute']
    .map((name) => `<input name="${name}"><img id="${name}">`)
    .join('')
  const content = '<p>before <b>it </b></p><ul><li>in it</ul> <br><br><pre>code</pre><table><tr><td>a<td>b</table>'
  const page = await open()
  expect(await pasted(page, `<form>${fields}${content}</form><fOrM name="body"><p>after it</p></form>`)).toBe(
    'before **it**\n\n- in it\n\n```\ncode\n```\n\n| a | b |\n| --- | --- |\n\nafter it',
  )
})

test.each([
  ['ends of lines', '<br>'],
  ['spaces in bold', '<b>a \u00a0 \u00a0 b</b>'],
  ['blanks', '<span> </span>'],
  ['styles that never end', '<style '],
  ['cells over all rows', '<tr><td rowspan="9999" colspan="9999">a</td></tr>'],
])('%s without end keep no reader busy', async (_, piece) => {
  const page = await open()
  const isTable = piece.startsWith('<tr')
  const html = `<p>tea</p>${isTable ? '<table>' : '<p>'}${piece.repeat(4_000)}`
  expect(await pasted(page, html)).toContain('tea')
})

describe('text in Markdown', () => {
  const tagNames = (page: Page) => textOf(page).evaluate((box) => [...box.children].map(({ tagName }) => tagName))
  const markdown = '## Tea\n\nIt is **green** and `hot`.\n\n- one\n- two\n\n```js\nsip()\n```'

  test('becomes its formatting, and the plain text again after an undo', async () => {
    const page = await open()
    await textOf(page).focus()
    await page.keyboard.type('before')
    await page.keyboard.press('Enter')
    await paste(page, markdown, 'text/plain')
    expect((await tagNames(page)).slice(0, 5)).toEqual(['P', 'H2', 'P', 'UL', 'DIV'])
    await page.keyboard.press('Control+z')
    expect(new Set(await tagNames(page))).toEqual(new Set(['P']))
    expect(await textOf(page).innerText()).toContain('## Tea')
    await page.keyboard.press('Control+z')
    expect((await textOf(page).innerText()).trim()).toBe('before')
  })

  test('is inserted into the current line', async () => {
    const page = await open()
    await textOf(page).focus()
    await page.keyboard.type(' today')
    await page.keyboard.press('Home')
    await page.keyboard.type('Tea is ')
    await paste(page, 'very **green**', 'text/plain')
    await page.keyboard.type('!')
    await page.getByText('Markdown', { exact: true }).first().click()
    expect(await textOf(page).inputValue()).toBe('Tea is very **green!** today')
  })

  test('stays the text with Shift, in code, and where it says no more than its characters', async () => {
    const page = await open()
    await textOf(page).focus()
    await page.keyboard.down('Shift')
    await paste(page, markdown, 'text/plain')
    await page.keyboard.up('Shift')
    expect(new Set(await tagNames(page))).toEqual(new Set(['P']))
    await page.keyboard.press('Control+a')
    await paste(page, '2*3*4 = 24\nhttps://example.com/a_b_c\n-- of cups: 3', 'text/plain')
    expect(await textOf(page).locator('em, h2, ul').count()).toBe(0)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('```js ')
    await page.keyboard.press('Enter')
    await paste(page, '**a** and\n- b', 'text/plain')
    expect(await textOf(page).innerText()).toContain('**a** and\n- b')
  })
})

test('in Markdown the tools write its signs, which the browser can undo, and a preview shows the result', async () => {
  const page = await open()
  await page.getByText('Markdown', { exact: true }).first().click()
  const text = textOf(page)
  await text.fill('green tea')
  await text.evaluate((box: HTMLTextAreaElement) => box.setSelectionRange(0, 5))
  await page.keyboard.press('Control+b')
  expect(await text.inputValue()).toBe('**green** tea')
  await page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Bulleted list' }).click()
  expect(await text.inputValue()).toBe('- **green** tea')
  const preview = page.getByRole('region', { name: 'Preview' })
  if ((await preview.count()) === 0) await page.getByRole('button', { name: 'Preview' }).click()
  await preview.locator('li strong', { hasText: 'green' }).waitFor()
  await text.focus()
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  expect(await text.inputValue()).toBe('green tea')
  await expect.poll(() => preview.locator('li').count()).toBe(0)
})
