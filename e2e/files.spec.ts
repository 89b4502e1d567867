import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { invalidate } from '#base/server/cache/invalidation.ts'
import { transact } from '#base/server/database/database.ts'
import { plain } from '#file/testing/factories.ts'
import * as file from '#file/server/file.ts'
import { storage } from '#file/server/storage.ts'
import { aClosedTag } from '#tag/testing/factories.ts'
import * as topics from '#topic/server/publish.ts'
import { documentWith, paragraph, picture } from '#writing/testing/factories.ts'
import { aStore } from '../tools/s3-store.ts'
import { builtForum, type BrowserVisit } from './site.ts'
import { untilIdle } from './idle.ts'
import { chooseTag } from './choose-tag.ts'

const store = await aStore()
const site = await builtForum({ store: store.store })
const { database } = site
await site.change('fileStorageSystem', 20)
afterAll(() => store.close())

const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2_000_000, 'tea ')])

test('a member uploads a file and a large picture, and every reader can download them', async () => {
  const writer = await site.visit({ as: 'azhe' })
  const topicId = await write(writer, '山里的一天', async ({ page }) => {
    await choose(writer, '文件', { name: '路线 图.pdf', mimeType: 'application/pdf', buffer: pdf })
    await page.locator('[contenteditable] .file').getByText('路线 图.pdf').waitFor()
    await page.getByRole('textbox', { name: '正文' }).press('Control+End')
    await choose(writer, '图片', { name: 'view.png', mimeType: 'image/png', buffer: await aLargePicture() })
    await page.locator('[contenteditable] img[src^="/file/"]').waitFor()
  })
  expect(store.requests.filter((request) => /^PUT .*\.incoming$/.test(request))).toHaveLength(2)
  expect(writer.complaints).toEqual([])

  const { page } = await site.visit({ javaScript: false })
  await page.goto(`/thread?topicId=${topicId}`)
  const picture = page.locator('main .prose .picture img')
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(await saved(page, '路线 图.pdf')).toEqual({ name: '路线 图.pdf', isWhole: true })
})

test('a file and a picture of a closed tag are visible to its readers, in the thread and in the list, and to no others', async () => {
  const { tagId, admit } = await aClosedTag(database, { name: '内室' })
  const azhe = await idOf('azhe')
  await admit(azhe)
  // The forum does not listen to other processes here.
  await site.write(async (tx) => invalidate(tx, 'role', 'tags'))
  const { topicId, pictureId, attachmentId } = await aTopicIn(tagId, azhe)

  const { page, complaints } = await site.visit({ as: 'azhe', language: 'en' })
  await page.goto(`/thread?topicId=${topicId}`)
  const picture = page.locator(`main .prose img[src^="/file/${pictureId}?key="]`)
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(await saved(page, 'secret.pdf')).toEqual({ name: 'secret.pdf', isWhole: true })
  await page.goto(`/index?tagId=${tagId}`)
  const small = page.locator(`main img[src*="${pictureId}"][src*="key="]`)
  await expect.poll(() => small.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(240)
  expect(complaints.filter((complaint) => !/status of 40[34]/.test(complaint))).toEqual([])

  const { page: others } = await site.visit()
  for (const id of [pictureId, attachmentId]) expect((await others.request.get(`/file/${id}`)).status()).toBe(404)
})

test('a draft shows its pictures again after the page was loaded anew, and asks for none in vain', async () => {
  const { page, complaints } = await site.visit({ as: 'azhe' })
  await page.goto('/addTopic')
  await page.getByRole('textbox', { name: '正文' }).click()
  const picture = page.locator('[contenteditable] img')
  await choose({ page, complaints, context: page.context() }, '图片', {
    name: 'view.png',
    mimeType: 'image/png',
    buffer: await aLargePicture(),
  })
  await page.locator('[contenteditable] img[src^="/file/"]').waitFor()
  await page.reload()
  await picture.waitFor()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(complaints).toEqual([])
})

test('a picture has its place before it comes, and moves nothing when it does', async () => {
  const { topicId } = await aTopicIn(await anOpenTag(), await idOf('azhe'))
  const { page } = await site.visit({ width: 'phone' })
  let openGate = () => undefined as void
  const gate = new Promise<void>((settle) => (openGate = settle))
  await page.route('**/file/f_*', async (route) => {
    await gate
    await route.continue()
  })
  await page.goto(`/thread?topicId=${topicId}`, { waitUntil: 'domcontentloaded' })
  const picture = page.locator('main .prose .picture img')
  const below = page.locator('main .prose .file')
  await picture.waitFor()
  const before = await below.boundingBox()
  openGate()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(await below.boundingBox()).toEqual(before)
  // A phone 390 pixels wide loads the picture in its size, and as AVIF if available.
  expect(await picture.evaluate((image: HTMLImageElement) => new URL(image.currentSrc).search)).toBe('?w=480&as=avif')
})

test('a tall picture is as wide as it is drawn, on a page and on paper, where no address stands under it', async () => {
  const { topicId } = await aTopicIn(await anOpenTag(), await idOf('azhe'), { width: 600, height: 1400 })
  const { page } = await site.visit()
  await page.goto(`/thread?topicId=${topicId}`)
  await page.locator('main .prose .picture a img').waitFor()
  const box = async () => (await page.locator('main .prose .picture img').boundingBox()) ?? { width: 0, height: 0 }
  await expect.poll(async () => (await box()).height).toBeGreaterThan(500)
  expect((await box()).width / (await box()).height).toBeCloseTo(600 / 1400, 2)
  await page.emulateMedia({ media: 'print' })
  expect((await box()).width / (await box()).height).toBeCloseTo(600 / 1400, 2)
  const after = (link: string) =>
    page
      .locator(link)
      .first()
      .evaluate((one) => getComputedStyle(one, '::after').content)
  expect(await after('main .prose .picture a')).toBe('none')
  expect(await after('main .prose .file a')).toBe('none')
  expect(await after('main .prose p a[href^="https://"]')).toContain('https://example.org/tea')
})

test('a picture like a strip shows its beginning, in full width, and is whole once one asks for it, and on paper', async () => {
  const { topicId } = await aTopicIn(await anOpenTag(), await idOf('azhe'), { width: 600, height: 3000 })
  const { page } = await site.visit()
  await page.goto(`/thread?topicId=${topicId}`)
  const box = async () => (await page.locator('main .prose .picture img').boundingBox()) ?? { width: 0, height: 0 }
  await expect.poll(async () => (await box()).width).toBe(600)
  expect((await box()).height).toBeLessThan(600)
  await page.emulateMedia({ media: 'print' })
  await expect.poll(async () => (await box()).height / (await box()).width).toBeCloseTo(5, 1)
  await page.emulateMedia({ media: null })
  await page.getByText('展开长图').click()
  await expect.poll(async () => (await box()).height).toBe(3000)
})

test('a reader who opens a picture by keys is back at it when it is closed', async () => {
  const { topicId } = await aTopicIn(await anOpenTag(), await idOf('azhe'))
  const { page } = await site.visit()
  await page.goto(`/thread?topicId=${topicId}`)
  const link = page.locator('main .prose .picture a')
  await link.focus()
  await page.keyboard.press('Enter')
  const viewer = page.getByRole('dialog', { name: '图片浏览' })
  await viewer.waitFor()
  await untilIdle(page)
  await page.keyboard.press('Escape')
  await expect.poll(() => viewer.count()).toBe(0)
  await expect.poll(() => link.evaluate((one) => one === document.activeElement)).toBe(true)
  await untilIdle(page)
  expect(await link.evaluate((one) => one === document.activeElement)).toBe(true)
})

async function write(walk: BrowserVisit, title: string, more: (walk: BrowserVisit) => Promise<void>): Promise<string> {
  const { page } = walk
  await page.goto('/addTopic')
  await chooseTag(page, '标签', '泡茶')
  await page.getByRole('textbox', { name: '标题' }).fill(title)
  await page.getByRole('textbox', { name: '正文' }).click()
  await page.keyboard.type('看看这个。')
  await page.keyboard.press('Enter')
  await more(walk)
  await page.getByRole('button', { name: '发布' }).click()
  await page.waitForURL('**/thread?topicId=*')
  return new URL(page.url()).searchParams.get('topicId') ?? ''
}

async function choose(
  { page }: BrowserVisit,
  button: '图片' | '文件',
  chosen: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('toolbar', { name: '格式' }).getByRole('button', { name: button, exact: true }).click()
  await (await chooser).setFiles(chosen)
}

async function saved(page: BrowserVisit['page'], name: string): Promise<{ name: string; isWhole: boolean }> {
  const download = page.waitForEvent('download')
  await page.locator('main .prose').getByRole('link', { name }).click()
  const file = await download
  return { name: file.suggestedFilename(), isWhole: (await readFile(await file.path())).equals(pdf) }
}

async function idOf(account: string): Promise<string> {
  return (await database.app.selectFrom('member').select('id').where('account', '=', account).executeTakeFirstOrThrow()).id
}

async function anOpenTag(): Promise<string> {
  return (await database.app.selectFrom('tag').select('id').where('key', '=', 'brewing').executeTakeFirstOrThrow()).id
}

/** Noise, which no format compresses well. */
function aLargePicture(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  return sharp({ create: { width: 800, height: 600, channels: 3, background: '#777', noise } })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

type SentFiles = { topicId: string; pictureId: string; attachmentId: string }

async function aTopicIn(tagId: string, authorId: string, size = { width: 900, height: 600 }): Promise<SentFiles> {
  const bytes = await plain(size).jpeg().toBuffer()
  const author = { id: authorId, sessionId: '', audience: '', may: () => true, where: () => ({ except: [] }) }
  return transact(database, async (tx) => {
    const storedPicture = await file.storePicture(tx, { bytes }, { kilobytes: 1000, sender: 'test' })
    const attachment = { id: file.newId(), kind: 'attachment' as const, name: 'secret.pdf', bytes: pdf.length, sha256: Buffer.alloc(32) }
    await (await storage(tx)).put(`${attachment.id}.file`, pdf)
    for (const one of [storedPicture, attachment]) await file.add(tx, authorId, one)
    const link = { type: 'link' as const, attrs: { href: 'https://example.org/tea' } }
    const words = paragraph({ type: 'text', text: 'a tea shop', marks: [link] })
    const body = documentWith(picture(storedPicture.id), words, {
      type: 'file',
      attrs: { file: attachment.id, name: 'secret.pdf', bytes: pdf.length },
    })
    const { topicId } = await topics.publish(tx, author, { tagId, title: 'Behind the curtain', body })
    return { topicId, pictureId: storedPicture.id, attachmentId: attachment.id }
  })
}
