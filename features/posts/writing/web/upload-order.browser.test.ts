import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Doc } from '#base/rich-text/document.ts'
import { emptyPage } from '#base/testing/empty-page.ts'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let context: BrowserContext
let page: Page
let fileCount = 0
/** Releases the response to each picture's upload, with its status. */
let gates: Map<string, (status: number) => void>

beforeAll(async () => {
  site = await componentPage('../../features/posts/writing/testing/page.tsx')
  browser = await openBrowser()
  context = await browser.newContext()
  return async () => {
    await closeContexts(browser)
    await site.close()
  }
})

beforeEach(async () => {
  site.calls.length = 0
  site.answer = answer
  gates = new Map()
  page = await open()
})

async function answer(request: ReceivedRequest): Promise<Answer> {
  const { path } = request
  const id = `f_${String(++fileCount).padStart(22, '0')}`
  if (path === '/file/picture') {
    const name = /filename="([^"]*)"/.exec(request.body)?.[1] ?? ''
    const status = await new Promise<number>((go) => gates.set(name, go))
    gates.delete(name)
    return status === 200
      ? { body: { file: id, src: `/file/${id}?key=x`, width: Number(name[0]), height: 9, lost: [] } }
      : { status, body: 'The store is away.' }
  }
  if (path === '/file/begin') return { body: { file: id, url: `/file/incoming/${id}?key=x`, headers: {} } }
  if (path === '/file/finish') return { body: { picture: null, attachment: { file: id, name: 'tea.pdf', bytes: 1234 } } }
  if (path !== '/file/uploadForm') return { body: {} }
  const pictures = { kinds: ['png'], kilobytes: 5000, perPost: 20, directBytes: null }
  return { body: { pictures, attachments: { kinds: ['pdf'], kilobytes: 5000, perPost: 5 } } }
}

async function open(query = ''): Promise<Page> {
  const opened = await emptyPage(context, site)
  await opened.goto(`${site.origin}/?${query}`)
  await opened.getByRole('textbox', { name: 'Body' }).waitFor()
  return opened
}

const text = () => page.getByRole('textbox', { name: 'Body' })
const type = (keys: string) => page.keyboard.type(keys)

async function choose(button: 'Picture' | 'File', ...names: string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: button, exact: true }).click()
  const mimeType = button === 'File' ? 'application/pdf' : 'image/png'
  await (await chooser).setFiles(names.map((name) => ({ name, mimeType, buffer: Buffer.from('some bytes') })))
}

async function bring(by: 'drop' | 'paste', ...names: string[]): Promise<void> {
  await text().evaluate(
    (box, { how, brought }) => {
      const dataTransfer = new DataTransfer()
      for (const name of brought) dataTransfer.items.add(new File(['some bytes'], name, { type: 'image/png' }))
      const { right, bottom } = (box.lastElementChild ?? box).getBoundingClientRect()
      const common = { bubbles: true, cancelable: true }
      box.dispatchEvent(
        how === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: dataTransfer, ...common })
          : new DragEvent('drop', { dataTransfer, clientX: right - 5, clientY: bottom - 5, ...common }),
      )
    },
    { how: by, brought: names },
  )
}

/** Completes an upload, or fails it. */
async function arrives(name: string, status = 200): Promise<void> {
  await expect.poll(() => gates.has(name)).toBe(true)
  gates.get(name)?.(status)
  const ended = page.getByRole('button', { name: `${status === 200 ? 'Cancel' : 'Upload'} ${name}${status === 200 ? '' : ' again'}` })
  await expect.poll(() => ended.count()).toBe(status === 200 ? 0 : 1)
}

/** The submitted post: texts, and pictures by their widths. */
async function submittedPost(): Promise<string[]> {
  const before = site.calls.length
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect.poll(() => site.calls.slice(before).find(({ path }) => path === '/try')?.body).toBeTruthy()
  const { body = '' } = site.calls.slice(before).find(({ path }) => path === '/try') ?? {}
  const doc = JSON.parse(new URLSearchParams(body).get('body') ?? 'null') as Doc
  return doc.content.map((block) => {
    if (block.type === 'image') return String(block.attrs.width)
    if (block.type === 'paragraph') return (block.content ?? []).map((inline) => ('text' in inline ? inline.text : '')).join('')
    return block.type
  })
}

const ways = {
  chooser: (...names: string[]) => choose('Picture', ...names),
  drop: (...names: string[]) => bring('drop', ...names),
  paste: (...names: string[]) => bring('paste', ...names),
}

describe('pictures that are brought together', () => {
  const cases = Object.entries(ways).flatMap(([way, take]) =>
    ['', 'plain'].flatMap((query) => ['', 'words'].map((words) => ({ way, take, query, words }))),
  )
  test.each(cases)('by $way to "$query" with "$words" keep their order, whichever comes first', async ({ take, query, words }) => {
    if (query) page = await open(query)
    await text().focus()
    await type(words)
    await take('1.png', '2.png', '3.png', '4.png')
    for (const name of ['3.png', '2.png', '4.png', '1.png']) await arrives(name)
    await type('below')
    expect(await submittedPost()).toEqual([...(words ? [words] : []), '1', '2', '3', '4', 'below'])
  })

  test('keep it when one is cancelled and another is sent again', async () => {
    await text().focus()
    await type('words')
    await choose('Picture', '1.png', '2.png', '3.png', '4.png')
    await arrives('1.png', 503)
    await arrives('3.png')
    await page.getByRole('button', { name: 'Cancel 2.png' }).click()
    await arrives('4.png')
    await page.getByRole('button', { name: 'Upload 1.png again' }).click()
    await arrives('1.png')
    expect(await submittedPost()).toEqual(['words', '1', '3', '4'])
  })

  test('keep it while text is written below them and above', async () => {
    await text().focus()
    await type('above')
    await choose('Picture', '1.png', '2.png', '3.png')
    await type('below')
    await page.keyboard.press('Enter')
    await type('end')
    await arrives('2.png')
    await page.keyboard.press('Control+Home')
    await type('far ')
    await arrives('3.png')
    await arrives('1.png')
    expect(await submittedPost()).toEqual(['far above', '1', '2', '3', 'below', 'end'])
  })

  test('keep it in Markdown', async () => {
    await text().focus()
    await type('words')
    await page.getByRole('button', { name: 'Markdown' }).click()
    await choose('Picture', '1.png', '2.png', '3.png', '4.png')
    await arrives('3.png')
    await arrives('1.png', 503)
    await arrives('2.png')
    await text().focus()
    await type('below')
    await arrives('4.png')
    await page.getByRole('button', { name: 'Upload 1.png again' }).click()
    await arrives('1.png')
    await expect.poll(() => text().evaluate((box) => box.contains(document.activeElement))).toBe(true)
    await type('!')
    expect(await submittedPost()).toEqual(['words', '1', '2', '3', '4', 'below!'])
  })

  test('keep it when the view changes on their way', async () => {
    await text().focus()
    await type('words')
    await choose('Picture', '1.png', '2.png', '3.png')
    await arrives('2.png')
    await page.getByRole('button', { name: 'Markdown' }).click()
    await arrives('3.png')
    await page.getByRole('button', { name: 'Rich text' }).click()
    await arrives('1.png')
    expect(await submittedPost()).toEqual(['words', '1', '2', '3'])
  })

  test('part a text in its middle', async () => {
    await text().focus()
    await type('onetwo')
    for (let times = 0; times < 3; times++) await page.keyboard.press('ArrowLeft')
    await choose('Picture', '1.png', '2.png', '3.png')
    await type('and ')
    await arrives('2.png')
    await arrives('1.png')
    await arrives('3.png')
    expect(await submittedPost()).toEqual(['one', '1', '2', '3', 'and two'])
  })
})

describe('the cursor goes below', () => {
  test('a picture, and the next picture below the text written there', async () => {
    await text().focus()
    await type('first')
    await choose('Picture', '1.png')
    await arrives('1.png')
    await choose('Picture', '2.png')
    await arrives('2.png')
    await type('second')
    await choose('Picture', '3.png')
    await arrives('3.png')
    await type('third')
    expect(await submittedPost()).toEqual(['first', '1', '2', 'second', '3', 'third'])
  })

  test('a picture between two paragraphs', async () => {
    await text().focus()
    await type('first')
    await page.keyboard.press('Enter')
    await type('last')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('End')
    await choose('Picture', '1.png')
    await arrives('1.png')
    await type('between')
    expect(await submittedPost()).toEqual(['first', '1', 'between', 'last'])
  })

  test('a file', async () => {
    await text().focus()
    await type('first')
    await choose('File', 'tea.pdf')
    await text().getByText('1.2 kB').waitFor()
    await type('below')
    expect(await submittedPost()).toEqual(['first', 'file', 'below'])
  })

  test('code that is put in from a post, and a rule', async () => {
    await text().focus()
    await type('first')
    await page.getByRole('button', { name: 'Insert' }).click()
    await type('second')
    await page.getByRole('button', { name: 'Divider' }).click()
    await type('third')
    await page.keyboard.press('Enter')
    await type('---')
    await type('fourth')
    expect(await submittedPost()).toEqual(['first', 'codeBlock', 'second', 'horizontalRule', 'third', 'horizontalRule', 'fourth'])
  })

  test('a table and a code block, once the cursor has left them', async () => {
    await text().focus()
    await type('first')
    await page.getByRole('button', { name: 'Table' }).click()
    await type('cell')
    await page.keyboard.press('Control+End')
    await type('second')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Code block' }).click()
    await type('tea')
    await page.keyboard.press('ArrowDown')
    await type('third')
    expect(await submittedPost()).toEqual(['first', 'table', 'second', 'codeBlock', 'third'])
  })

  test('an insertion beside selected words, which stay', async () => {
    for (const [button, block] of [
      ['Table', 'table'],
      ['Divider', 'horizontalRule'],
    ] as const) {
      await text().fill('')
      await text().focus()
      await type('some words')
      await page.keyboard.press('Control+A')
      await page.getByRole('button', { name: button }).click()
      await page.keyboard.press('Control+End')
      await type('below')
      expect(await submittedPost()).toEqual(['some words', block, 'below'])
    }
  })
})
