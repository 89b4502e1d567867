import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Block, Doc } from '#base/rich-text/document.ts'
import { toText } from '#base/rich-text/to-text.ts'
import { emptyPage } from '#base/testing/empty-page.ts'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let context: BrowserContext
let page: Page
/** Violations of the page's security policy, and any other errors. */
let faults: string[]

const uploaded = { file: 'f_abcdefghijklmnopqrstuv', src: '/file/f_abcdefghijklmnopqrstuv', width: 800, height: 600, lost: [] }
const uploadForm = {
  pictures: { kinds: ['jpeg', 'png', 'webp', 'gif', 'avif'], kilobytes: 5000, perPost: 50, directBytes: null },
  attachments: { kinds: ['pdf', 'zip'], kilobytes: 5000, perPost: 10 },
}
const mei = { id: '7', account: 'mei', name: '梅子', avatar: null, isOfficial: false, isDeactivated: false, roles: [] }
const meng = { ...mei, id: '8', account: 'meng', name: '孟' }
const dot = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

beforeAll(async () => {
  site = await componentPage('../../features/posts/writing/testing/page.tsx')
  browser = await openBrowser()
  context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.calls.length = 0
  site.answer = answer
  faults = []
  page = await open(await emptyPage(context, site))
})

afterEach(() => {
  if (faults.length > 0) throw new Error(faults.join('\n'))
})

function answer({ path }: ReceivedRequest): Answer {
  if (path === '/file/uploadForm') return { body: uploadForm }
  if (path === '/file/picture') return { body: uploaded }
  if (path === '/user/suggest') return { body: { members: [mei, meng] } }
  return { body: {} }
}

async function open(opened: Page): Promise<Page> {
  opened.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  opened.on('pageerror', (error) => faults.push(String(error)))
  await opened.goto(site.origin)
  await opened.getByRole('textbox', { name: 'Body' }).waitFor()
  return opened
}

const text = () => page.getByRole('textbox', { name: 'Body' })
const tool = (name: string) => page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name, exact: true })
const view = (name: 'Rich text' | 'Markdown') => page.getByText(name, { exact: true }).first()

/** The submitted content, as the server receives it. */
async function sent(): Promise<Doc> {
  const before = site.calls.length
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect.poll(() => site.calls.slice(before).find(({ path }) => path === '/try')?.body).toBeTruthy()
  const { body = '' } = site.calls.slice(before).find(({ path }) => path === '/try') ?? {}
  return JSON.parse(new URLSearchParams(body).get('body') ?? 'null') as Doc
}

async function paste(data: { html?: string; text?: string; picture?: boolean }): Promise<void> {
  await text().focus()
  await page.evaluate(
    ([{ html, text, picture }, dot]) => {
      const clipboardData = new DataTransfer()
      if (html) clipboardData.setData('text/html', html)
      if (text) clipboardData.setData('text/plain', text)
      const bytes = Uint8Array.from(dot)
      if (picture) clipboardData.items.add(new File([bytes], 'cup.png', { type: 'image/png' }))
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    },
    [data, [...dot]] as const,
  )
}

function paragraph(text: string): Block {
  return { type: 'paragraph', content: [{ type: 'text', text }] }
}

const heads = Array.from({ length: 3 }, () => 'tableHeader')
const cells = Array.from({ length: 3 }, () => 'tableCell')

describe('writing', () => {
  test('the typed text is sent with its marks', async () => {
    await text().focus()
    await page.keyboard.type('Green ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('tea')
    await page.keyboard.press('Control+b')
    await page.keyboard.press('Enter')
    await page.keyboard.type('- a cup')
    expect(await sent()).toEqual({
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: [
            { type: 'text', text: 'Green ' },
            { type: 'text', text: 'tea', marks: [{ type: 'bold' }] },
          ],
        },
        { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph('a cup')] }] },
      ],
    })
  })

  test('a list becomes one of another kind, whole, and a box typed into it makes it one of tasks', async () => {
    async function markdown(): Promise<string> {
      await view('Markdown').click()
      const written = await text().inputValue()
      await view('Rich text').click()
      await expect.poll(() => text().evaluate((box) => box === document.activeElement)).toBe(true)
      return written
    }
    await text().focus()
    await page.keyboard.type('- cup\npot')
    await tool('Numbered list').click()
    expect(await markdown()).toBe('1. cup\n2. pot')
    await tool('Task list').click()
    await page.keyboard.type('\n[x] rinsed')
    expect(await markdown()).toBe('- [ ] cup\n- [ ] pot\n- [x] rinsed')
    await tool('Task list').click()
    await page.keyboard.type('\n- [ ] tray')
    expect(await markdown()).toBe('- [ ] cup\n- [ ] pot\n\nrinsed\n\n- [ ] tray')
  })

  test('the task begun after one that is ticked is still to be done', async () => {
    await text().focus()
    await page.keyboard.type('[x] cup\npot')
    await view('Markdown').click()
    expect(await text().inputValue()).toBe('- [x] cup\n- [ ] pot')
  })

  test('an address pasted over words becomes their link', async () => {
    await text().focus()
    await page.keyboard.type('tea')
    await page.keyboard.press('Control+a')
    await paste({ text: 'https://example.com/tea' })
    await paste({ text: ' and https://example.com/cup，再见' })
    const link = { type: 'link', attrs: { href: 'https://example.com/tea' } }
    const other = { type: 'link', attrs: { href: 'https://example.com/cup' } }
    expect((await sent()).content).toEqual([
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'tea', marks: [link] },
          { type: 'text', text: ' and ' },
          { type: 'text', text: 'https://example.com/cup', marks: [other] },
          { type: 'text', text: '，再见' },
        ],
      },
    ])
  })

  test('Chinese is composed in peace: no key of it sends, lists or suggests', async () => {
    const line = await context.newCDPSession(page)
    await text().focus()
    await page.keyboard.type('@')
    await line.send('Input.imeSetComposition', { text: 'mei', selectionStart: 3, selectionEnd: 3 })
    await line.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229, modifiers: 2 })
    await expect.poll(() => page.getByRole('listbox').count()).toBe(0)
    await line.send('Input.insertText', { text: '梅花' })
    expect(site.calls.map(({ path }) => path)).not.toContain('/try')
    await page.keyboard.press('Escape')
    expect(await sent()).toEqual({ type: 'doc', content: [paragraph('@梅花')] })
  })

  test('both views show one document, and going between them loses nothing', async () => {
    await view('Markdown').click()
    const markdown =
      '## 茶 **好**\n\n- [x] cup\n- [ ] pot\n\n| a | b |\n| :--- | ---: |\n| 1 | 2 |\n\n```javascript\nlet tea\n```\n\n> @[梅子](member:7)'
    await text().fill(markdown)
    await view('Rich text').click()
    await page.getByRole('heading', { name: '茶 好' }).waitFor()
    await view('Markdown').click()
    await expect.poll(() => text().inputValue()).toBe(markdown)
    const { content } = await sent()
    expect(content.map((block) => block.type)).toEqual(['heading', 'taskList', 'table', 'codeBlock', 'blockquote'])
  })

  test('a table grows and shrinks', async () => {
    await text().focus()
    await tool('Table').click()
    await page.keyboard.type('head')
    await page.getByRole('button', { name: 'Add row' }).click()
    await page.getByRole('button', { name: 'Add column' }).click()
    await expect.poll(async () => [await text().locator('tr').count(), await text().locator('th').count()]).toEqual([4, 4])
    await page.getByRole('button', { name: 'Remove row' }).click()
    await page.getByRole('button', { name: 'Remove column' }).click()
    await page.keyboard.type('new head')
    await page.keyboard.press('Tab')
    await page.keyboard.type('beside it')
    const table = (await sent()).content.find((block) => block.type === 'table')
    expect(table?.content.map((row) => row.content.map((cell) => cell.type))).toEqual([heads, cells, cells])
    expect(table && toText({ type: 'doc', content: [table] })).toBe('new head\nbeside it')
  })
})

describe('pasted text', () => {
  test('from an office program keeps its meaning and nothing else', async () => {
    const html = `<html xmlns:o="urn:x"><head><style>p.MsoNormal{color:red}</style></head><body><!--StartFragment-->
      <h1 style="color:red">Tea</h1><p class=MsoNormal style="margin:0"><b>bold</b> <span style="font-weight:bold;color:red">too</span><o:p></o:p>
      <script>window.hacked = 1</script><img src="https://evil.example/x.png" onerror="window.hacked = 1"><a href="javascript:window.hacked=1" onclick="x">no</a>
      <a href="https://a.cn">yes</a></p><table><tr><td><p>one</p><p>two</p></td></tr></table><!--EndFragment--></body></html>`
    await paste({ html, text: 'Tea' })
    const doc = JSON.stringify(await sent())
    expect(doc).toContain('{"type":"heading","attrs":{"level":2},"content":[{"type":"text","text":"Tea"}]}')
    expect(doc).toContain('"text":"bold","marks":[{"type":"bold"}]')
    expect(doc).toContain('"href":"https://a.cn"')
    // An external picture becomes a link, as in Markdown.
    expect(doc).toContain('"href":"https://evil.example/x.png"')
    expect(doc).not.toMatch(/javascript|"image"|onerror|MsoNormal|color|hacked/)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    // The policy reports that it blocked scripts in pasted content, as it should.
    faults = faults.filter((fault) => !/inline (event handler|style)/.test(fault))
  })

  test('a picture is uploaded and stands where it was pasted', async () => {
    await paste({ picture: true })
    await text().locator(`img[src="${uploaded.src}"]`).waitFor()
    const { src: _, lost: __, ...attrs } = uploaded
    expect((await sent()).content).toContainEqual({ type: 'image', attrs: { ...attrs, alt: '' } })
  })

  test('a picture on its way can be called off, and is never in the document', async () => {
    site.answer = (request) => (request.path === '/file/picture' ? new Promise(() => undefined) : answer(request))
    await page.keyboard.type('x')
    await paste({ picture: true })
    await page.getByRole('progressbar').waitFor()
    await page.getByRole('button', { name: 'Cancel cup.png' }).click()
    await expect.poll(() => page.getByRole('progressbar').count()).toBe(0)
    await text().focus()
    await page.keyboard.type('tea')
    expect(await sent()).toEqual({ type: 'doc', content: [paragraph('tea')] })
  })

  test('a picture that is refused says why, and leaves the text alone', async () => {
    site.answer = (request) =>
      request.path === '/file/picture' ? { status: 422, body: { error: { picture: 'Too many pixels.' } } } : answer(request)
    await paste({ picture: true })
    await page.getByText('cup.png wasn’t uploaded: Too many pixels.').waitFor()
    await text().focus()
    await page.keyboard.type('tea')
    expect(await sent()).toEqual({ type: 'doc', content: [paragraph('tea')] })
    // The browser reports a refused picture as a failed request.
    faults = faults.filter((fault) => !fault.includes('422'))
  })
})

describe('mentions', () => {
  test('are found by letters and chosen by keys', async () => {
    await text().focus()
    await page.keyboard.type('@me')
    await page.getByRole('listbox').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.type('hello')
    const [first] = (await sent()).content
    expect(first).toEqual({
      type: 'paragraph',
      content: [
        { type: 'mention', attrs: { id: '8', label: '孟' } },
        { type: 'text', text: ' hello' },
      ],
    })
    expect(site.calls.find(({ path }) => path === '/user/suggest')?.query.get('query')).toBe('me')
  })

  test('a suggestion for fewer letters is not chosen once more letters rule it out', async () => {
    await text().focus()
    await page.keyboard.type('@m')
    await page.getByRole('option', { name: '孟' }).waitFor()
    site.answer = (request) => (request.path === '/user/suggest' ? new Promise(() => undefined) : answer(request))
    await page.keyboard.type('ax')
    await page.keyboard.press('Enter')
    await page.keyboard.type('there')
    expect(await sent()).toEqual({ type: 'doc', content: [paragraph('@max'), paragraph('there')] })
  })

  test('Escape leaves an @ as it is', async () => {
    await text().focus()
    await page.keyboard.type('@me')
    await page.getByRole('listbox').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('listbox').count()).toBe(0)
    expect(await sent()).toEqual({ type: 'doc', content: [paragraph('@me')] })
  })
})

describe('a draft', () => {
  test.each(['Rich text', 'Markdown'] as const)('typed as %s is there again after the tab died', async (name) => {
    await view(name).click()
    await text().focus()
    await page.keyboard.type('half a thought')
    await page.close()
    page = await open(await context.newPage())
    await page.getByText('Your draft has been restored.').waitFor()
    expect(await sent()).toEqual({ type: 'doc', content: [paragraph('half a thought')] })
  })

  test('that was dropped is gone', async () => {
    await text().focus()
    await page.keyboard.type('half a thought')
    await page.reload()
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click()
    await expect.poll(() => text().textContent()).not.toContain('half')
    await page.reload()
    await text().waitFor()
    expect(await page.getByText('Your draft has been restored.').count()).toBe(0)
  })

  test('that was sent is gone', async () => {
    await text().focus()
    await page.keyboard.type('whole')
    await sent()
    await page.getByText('1', { exact: true }).waitFor()
    await page.reload()
    await text().waitFor()
    expect(await page.getByText('Your draft has been restored.').count()).toBe(0)
  })

  test('that finds no room is reported', async () => {
    await page.evaluate(() => localStorage.setItem('full', 'x'.repeat(5 * 1024 * 1024 - 100)))
    await text().focus()
    await page.keyboard.type('a thought that is longer than what room is left on this device, which is not much, not much at all, really')
    await page.getByText('This device is out of space for drafts.').first().waitFor()
  })
})

test('code is coloured while it is written, and a composition in it stays whole', async () => {
  const line = await context.newCDPSession(page)
  const coloured = (kind: string) => text().locator(`pre .hljs-${kind}`).allTextContents()
  await text().focus()
  await page.keyboard.type('```js ')
  await page.keyboard.type('const cups = 3')
  await expect.poll(() => coloured('keyword')).toEqual(['const'])
  expect(await coloured('number')).toEqual(['3'])
  await page.keyboard.type(' // ')
  await line.send('Input.imeSetComposition', { text: 'cha', selectionStart: 3, selectionEnd: 3 })
  await line.send('Input.insertText', { text: '三杯茶' })
  await expect.poll(() => coloured('comment')).toEqual(['// 三杯茶'])
  await page.getByLabel('Code language').selectOption('python')
  await expect.poll(() => coloured('keyword')).toEqual([])
  const [code] = (await sent()).content
  expect(code).toMatchObject({ type: 'codeBlock', attrs: { language: 'python' }, content: [{ text: 'const cups = 3 // 三杯茶' }] })
})

test('code in a language that the forum does not know keeps its name, in both views', async () => {
  await text().focus()
  await page.keyboard.type('```toml ')
  await page.keyboard.type('a = 1')
  await expect.poll(() => page.getByLabel('Code language').inputValue()).toBe('toml')
  await view('Markdown').click()
  await expect.poll(() => text().inputValue()).toBe('```toml\na = 1\n```')
  await text().fill('```Wiki+\nb\n```')
  await view('Rich text').click()
  await expect.poll(() => page.getByLabel('Code language').inputValue()).toBe('Wiki+')
  expect((await sent()).content[0]).toMatchObject({ type: 'codeBlock', attrs: { language: 'Wiki+' } })
})

test('code in a post can be copied, and put into the editor', async () => {
  const code = page.locator('main > .prose')
  await code.hover()
  await code.getByRole('button', { name: 'Copy' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('const tea = 1')
  await code.getByRole('button', { name: 'Insert' }).click()
  expect((await sent()).content[0]).toEqual({
    type: 'codeBlock',
    attrs: { language: 'javascript' },
    content: [{ type: 'text', text: 'const tea = 1' }],
  })
})
