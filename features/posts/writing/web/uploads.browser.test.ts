import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp, { type Metadata } from 'sharp'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Doc } from '#base/rich-text/document.ts'
import { emptyPage } from '#base/testing/empty-page.ts'
import { componentPage, type Answer, type ReceivedRequest, type TestSite } from '#base/testing/component-page.ts'
import { moving } from '#file/testing/factories.ts'
import { closeContexts, openBrowser } from '../../../../tools/browser.ts'

let site: TestSite
let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]

const uploadForm = {
  pictures: { kinds: ['jpeg', 'png', 'webp', 'gif'], kilobytes: 5000, perPost: 3, directBytes: null as number | null },
  attachments: { kinds: ['pdf', 'zip'], kilobytes: 5000, perPost: 2 },
}
let fileCount = 0

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
  uploadForm.pictures.directBytes = null
  complaints = []
  site.uploads.length = 0
  page = await open()
})

afterEach(() => {
  // The browser reports a status that a test provokes as a failed request.
  const others = complaints.filter((text) => !/status of (4|5)\d\d|net::ERR_FAILED/.test(text))
  if (others.length > 0) throw new Error(others.join('\n'))
})

function answer({ path }: ReceivedRequest): Answer {
  if (path === '/file/uploadForm') return { body: uploadForm }
  if (path === '/file/picture') return { body: aPicture() }
  const id = `f_${String(++fileCount).padStart(22, '0')}`
  if (path === '/file/begin')
    return { body: { file: id, url: `/file/incoming/${id}?key=x`, headers: { 'content-type': 'application/octet-stream' } } }
  if (path === '/file/finish') return { body: { picture: null, attachment: { file: id, name: 'tea.pdf', bytes: 1234 } } }
  return { body: {} }
}

function aPicture() {
  const file = `f_${String(++fileCount).padStart(22, '0')}`
  return { file, src: `/file/${file}?key=x`, width: 80, height: 60, lost: [] as string[] }
}

async function open(query = ''): Promise<Page> {
  const opened = await emptyPage(context, site)
  opened.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  opened.on('pageerror', (error) => complaints.push(String(error)))
  await opened.goto(`${site.origin}/?${query}`)
  await opened.getByRole('textbox', { name: /Body|正文/ }).waitFor()
  return opened
}

const text = () => page.getByRole('textbox', { name: /^(Body|正文)$/ })
const noise = await sharp({
  create: { width: 1000, height: 1000, channels: 3, background: '#777', noise: { type: 'gaussian', mean: 120, sigma: 40 } },
})
  .png()
  .toBuffer()

/** The bytes of the only uploaded picture. */
async function bytesSent(): Promise<Buffer> {
  await expect.poll(() => sends().length).toBe(1)
  const { body, headers } = sends()[0] ?? { body: '', headers: {} }
  const boundary = /boundary=(.*)$/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const part = body.split(`--${boundary}`).find((one) => one.includes('filename=')) ?? ''
  return Buffer.from(part.slice(part.indexOf('\r\n\r\n') + 4, -2), 'latin1')
}

const sends = () => site.calls.filter(({ path }) => path === '/file/picture')
const nameIn = ({ body }: ReceivedRequest) => /filename="([^"]*)"/.exec(body)?.[1]

async function sent(): Promise<Doc> {
  const before = site.calls.length
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect.poll(() => site.calls.slice(before).find(({ path }) => path === '/try')?.body).toBeTruthy()
  const { body = '' } = site.calls.slice(before).find(({ path }) => path === '/try') ?? {}
  return JSON.parse(new URLSearchParams(body).get('body') ?? 'null') as Doc
}

type Chosen = { name: string; mimeType: string; buffer: Buffer }
const png = (name: string): Chosen => ({ name, mimeType: 'image/png', buffer: Buffer.from('a small picture') })

async function choose(button: 'Picture' | 'File', ...files: Chosen[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: button, exact: true }).click()
  await (await chooser).setFiles(files)
}

/** Drops files into the text, as from another window. */
async function drop(...files: { name: string; type: string }[]): Promise<void> {
  await text().evaluate((box, dropped) => {
    const dataTransfer = new DataTransfer()
    for (const { name, type } of dropped) dataTransfer.items.add(new File(['some bytes'], name, { type }))
    const { left, top } = box.getBoundingClientRect()
    box.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, clientX: left + 5, clientY: top + 5 }))
  }, files)
}

describe('pictures that are made smaller before they are sent', () => {
  test.each(['png', 'webp'] as const)('keep their transparency (%s)', async (kind) => {
    const drawn = sharp({ create: { width: 4000, height: 2400, channels: 4, background: '#0000' } }).composite([
      { input: noise, left: 0, top: 0 },
    ])
    const buffer = await drawn[kind]({ quality: 90 }).toBuffer()
    await choose('Picture', { name: `clear.${kind}`, mimeType: `image/${kind}`, buffer })
    expect(await sharp(await bytesSent()).metadata()).toMatchObject({ width: 2560, height: 1536, hasAlpha: true })
  })

  test('keep their end if they are longer than WebP holds', async () => {
    const drawn = sharp({ create: { width: 1080, height: 25_000, channels: 3, background: '#fff' } })
    const strip = await sharp(noise).resize(1000, 100).png().toBuffer()
    const strips = [0, 12_000, 24_800].map((top) => ({ input: strip, left: 0, top }))
    await choose('Picture', { name: 'long.png', mimeType: 'image/png', buffer: await drawn.composite(strips).png().toBuffer() })
    const { width, height } = await sharp(await bytesSent()).metadata()
    expect(height / width).toBeCloseTo(25_000 / 1080, 1)
  })
})

describe('pictures', () => {
  test('are sent a few at once, and are in the order of their choice', async () => {
    const gates = new Map<string, () => void>()
    site.answer = async (request) => {
      if (request.path === '/file/picture') await new Promise<void>((go) => gates.set(nameIn(request) ?? '', go))
      return request.path === '/file/picture' ? { body: { ...aPicture(), width: Number(nameIn(request)?.[0]) } } : answer(request)
    }
    uploadForm.pictures.perPost = 9
    await choose('Picture', ...[1, 2, 3, 4, 5].map((at) => png(`${at}.png`)))
    // Each has a connection of its own, so that any may be first.
    await expect.poll(() => sends().map(nameIn).toSorted()).toEqual(['1.png', '2.png', '3.png'])
    expect(await page.getByText(/^\d\.png: waiting$/).allTextContents()).toEqual(['4.png: waiting', '5.png: waiting'])
    for (const name of ['3.png', '2.png', '5.png', '1.png', '4.png']) {
      await expect.poll(() => gates.has(name)).toBe(true)
      gates.get(name)?.()
      await expect.poll(() => page.getByRole('button', { name: `Cancel ${name}` }).count()).toBe(0)
    }
    uploadForm.pictures.perPost = 3
    const widths = (await sent()).content.flatMap((block) => (block.type === 'image' ? block.attrs.width : []))
    expect(widths).toEqual([1, 2, 3, 4, 5])
  })

  test('show how far they are at their place, and the text beside them can be written on', async () => {
    const typed = Promise.withResolvers<void>()
    site.answer = async (request) => {
      if (request.path === '/file/picture') await typed.promise
      return answer(request)
    }
    await text().focus()
    await page.keyboard.type('before')
    await choose('Picture', png('cup.png'))
    await text().getByRole('progressbar').waitFor()
    await text().focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('well ')
    typed.resolve()
    await expect.poll(() => page.getByRole('progressbar').count()).toBe(0)
    const { content } = await sent()
    expect(content.map(({ type }) => type)).toEqual(['paragraph', 'image'])
    expect(JSON.stringify(content)).toContain('well before')
  })

  test('that lost something say so beside the text, in words, until it is closed', async () => {
    site.answer = (request) => (request.path === '/file/picture' ? { body: { ...aPicture(), lost: ['size', 'motion'] } } : answer(request))
    await choose('Picture', png('cup.png'))
    const message = page.getByText('cup.png was added. It was resized to 80 × 60 pixels. Only the first frame of the animation was kept.')
    await message.waitFor()
    expect((await sent()).content.map(({ type }) => type)).toContain('image')
    await page.getByRole('button', { name: 'Dismiss the message about cup.png' }).click()
    await expect.poll(() => message.count()).toBe(0)
  })

  test('that are long show their beginning, and leave room for the text', async () => {
    site.answer = (request) =>
      request.path === '/file/picture' ? { body: { ...aPicture(), width: 1080, height: 12_000 } } : answer(request)
    await choose('Picture', png('screen.png'))
    const picture = text().locator('img[src*="key=x"]')
    await expect.poll(async () => (await picture.boundingBox())?.height).toBeLessThan(600)
  })

  test('that failed to upload can be sent again, and refused ones cannot', async () => {
    let tries = 0
    site.answer = (request) =>
      request.path === '/file/picture' && ++tries === 1 ? { status: 503, body: 'The store is away.' } : answer(request)
    await choose('Picture', png('cup.png'))
    await text().getByText('cup.png wasn’t uploaded: The store is away.').waitFor()
    await text().getByRole('button', { name: 'Upload cup.png again' }).click()
    await text().locator('img[src*="key=x"]').waitFor()
    expect((await sent()).content.map(({ type }) => type)).toContain('image')

    site.answer = (request) =>
      request.path === '/file/picture' ? { status: 422, body: { error: { picture: 'It is damaged.' } } } : answer(request)
    await choose('Picture', png('bad.png'))
    await text().getByText('bad.png wasn’t uploaded: It is damaged.').waitFor()
    expect(await page.getByRole('button', { name: 'Upload bad.png again' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Dismiss the message about bad.png' }).click()
    expect(await page.getByText('bad.png').count()).toBe(0)
  })

  test('refused by a busy server are sent again by themselves, as the same upload', async () => {
    let tries = 0
    site.answer = (request) =>
      request.path === '/file/picture' && ++tries < 3
        ? { status: 429, body: { error: { picture: 'Too many pictures.' }, seconds: 0 } }
        : answer(request)
    await choose('Picture', png('cup.png'))
    await text().locator('img[src*="key=x"]').waitFor()
    expect(sends()).toHaveLength(3)
    expect(new Set(sends().map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  test('beyond the limit of a post are refused beside the others, before they are sent', async () => {
    await choose('Picture', ...[1, 2, 3, 4].map((at) => png(`${at}.png`)))
    await text().getByText('4.png wasn’t uploaded: A post can have 3 pictures at most.').waitFor()
    await expect.poll(() => text().locator('img[src*="key=x"]').count()).toBe(3)
    expect(sends()).toHaveLength(3)
  })

  test('of a refused kind are refused in the language of the member', async () => {
    await drop({ name: 'tea.svg', type: 'image/svg+xml' })
    await text().getByText('tea.svg wasn’t uploaded: This file type isn’t supported. Pictures can be JPEG, PNG, WebP, GIF.').waitFor()
    page = await open('lang=zh')
    await drop({ name: 'tea.exe', type: 'application/x-msdownload' })
    await page.getByText('tea.exe 上传失败：不支持这种文件格式，可以上传：pdf, zip。').waitFor()
    expect(site.calls.filter(({ path }) => path === '/file/begin')).toEqual([])
  })

  test('called off are sent no further, and leave no place', async () => {
    site.answer = (request) => (request.path === '/file/picture' ? new Promise(() => undefined) : answer(request))
    await choose('Picture', png('cup.png'))
    await text().getByRole('button', { name: 'Cancel cup.png' }).click()
    await expect.poll(() => page.getByText('cup.png').count()).toBe(0)
    await text().focus()
    await page.keyboard.type('tea')
    expect((await sent()).content.map(({ type }) => type)).not.toContain('image')
  })
})

describe('large photographs', () => {
  const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const
  const photo = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#777', noise } })

  async function sentAs(name: string, mimeType: string, buffer: Buffer): Promise<Metadata & { size: number; name: string | undefined }> {
    await choose('Picture', { name, mimeType, buffer })
    await expect.poll(() => sends().length).toBe(1)
    const [request] = sends()
    const body = Buffer.from(request?.body ?? '', 'latin1')
    const from = body.indexOf('\r\n\r\n', body.indexOf('filename=')) + 4
    const bytes = body.subarray(from, body.lastIndexOf('\r\n--'))
    return { ...(await sharp(bytes).metadata()), size: bytes.length, name: request && nameIn(request) }
  }

  test('are made smaller before they are sent, and stay upright', async () => {
    const original = await photo(2800, 2100).jpeg({ quality: 90 }).withMetadata({ orientation: 6 }).toBuffer()
    const { width, height, orientation, exif, size, name } = await sentAs('IMG_1234.JPG', 'image/jpeg', original)
    expect([width, height, orientation, exif, name]).toEqual([1920, 2560, undefined, undefined, 'IMG_1234.jpeg'])
    expect(size).toBeLessThan(original.length)
  })

  test('that are small enough are sent as they are', async () => {
    const original = await photo(600, 400).jpeg().toBuffer()
    expect(await sentAs('small.jpg', 'image/jpeg', original)).toMatchObject({
      width: 600,
      height: 400,
      size: original.length,
      name: 'small.jpg',
    })
  })

  test('that move stay whole', async () => {
    const gif = await moving(3, { width: 3000, height: 20 })
    expect((await sentAs('moves.gif', 'image/gif', gif)).size).toBe(gif.length)
    site.calls.length = 0
    const webp = await sharp(gif, { animated: true }).webp().toBuffer()
    expect((await sentAs('moves.webp', 'image/webp', webp)).size).toBe(webp.length)
  })

  test('are sent straight to the store when that is worth it', async () => {
    uploadForm.pictures.directBytes = 1000
    site.answer = (request) => (request.path === '/file/finish' ? { body: { picture: aPicture(), attachment: null } } : answer(request))
    const original = await photo(600, 400).jpeg().toBuffer()
    await choose('Picture', { name: 'tea.jpg', mimeType: 'image/jpeg', buffer: original })
    await text().locator('img[src*="key=x"]').waitFor()
    expect([site.uploads.length, sends().length, site.uploads[0]?.bytes.equals(original)]).toEqual([1, 0, true])
  })
})

describe('files', () => {
  const pdf: Chosen = { name: 'tea.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 some tea') }

  test('are announced, uploaded and finished, and are in the post with their name and size', async () => {
    await choose('File', pdf)
    await text().getByText('1.2 kB').waitFor()
    const [begun, finished] = ['/file/begin', '/file/finish'].map(
      (path) => new URLSearchParams(site.calls.find((request) => request.path === path)?.body),
    )
    expect(Object.fromEntries(begun ?? [])).toEqual({ kind: 'attachment', name: 'tea.pdf', bytes: String(pdf.buffer.length) })
    expect(finished?.get('sha256')).toMatch(/^[0-9a-f]{64}$/)
    expect(site.uploads[0]?.bytes.equals(pdf.buffer)).toBe(true)
    expect(site.uploads[0]?.headers['authorization']).toBeUndefined()
    expect((await sent()).content).toContainEqual({ type: 'file', attrs: { file: expect.any(String), name: 'tea.pdf', bytes: 1234 } })
  })

  test('stay the same in Markdown and back', async () => {
    await choose('File', pdf)
    await text().getByText('1.2 kB').waitFor()
    await page.getByText('Markdown', { exact: true }).first().click()
    await expect.poll(() => text().inputValue()).toMatch(/^!\[tea\\\.pdf\]\(file:f_\d+#1234\)$/m)
    await page.getByText('Rich text', { exact: true }).first().click()
    await text().getByText('1.2 kB').waitFor()
    expect((await sent()).content.map(({ type }) => type)).toContain('file')
  })

  test('have no place in a reply, where pictures have', async () => {
    page = await open('plain')
    expect(await page.getByRole('button', { name: 'File', exact: true }).count()).toBe(0)
    await drop({ name: 'tea.pdf', type: 'application/pdf' })
    await page.getByText('tea.pdf wasn’t uploaded: Files can’t be attached here, only pictures.').waitFor()
  })
})
