import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { freePort } from '#base/testing/free-port.ts'
import { openBrowser } from './browser.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const mostBytes = 80_000
const large = { width: 1280, height: 860 }
const small = { width: 800, height: 600 }

const texts = {
  zh: {
    code: 'zh-CN',
    ending: '.zh',
    thread: '凤凰单丛',
    title: '雨天喝什么茶',
    body: '今天下了一整天的雨，泡了一壶熟普。你们雨天喝什么？',
  },
  en: {
    code: 'en-US',
    ending: '',
    thread: 'You do not need a gaiwan',
    title: 'What do you drink when it rains?',
    body: 'It has rained all day here, and the pot has not gone cold once. What do you drink on days like this?',
  },
} as const

type Texts = (typeof texts)[keyof typeof texts]
type StartedForum = { said: string; url: string; password: string; stop: () => Promise<void> }

/** Starts a forum with its sample community, as `npm start` does, on a free port and in a temporary folder. */
async function startForum(): Promise<StartedForum> {
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-pictures-'))
  const env = { ...process.env, TEAHOUSE_DATA: folder, PORT: String(await freePort()), NODE_ENV: 'production' }
  const forum = spawn(process.execPath, ['--disable-proto=delete', 'apps/server/main.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => forum.once('exit', () => resolve()))
  const stop = async () => {
    forum.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  let output = ''
  const began = new Promise<StartedForum>((resolve) => {
    const hear = (piece: Buffer) => {
      output += piece.toString()
      const [, url] = /ready: (\S+)/.exec(output) ?? []
      const [, password] = /password (\S+)/.exec(output) ?? []
      if (url && password) resolve({ said: output, url, password, stop })
    }
    // Both are drained: a full pipe would block the forum.
    forum.stdout.on('data', hear)
    forum.stderr.on('data', hear)
  })
  const fell = ended.then(() => {
    throw new Error(`The forum did not start:\n${output}`)
  })
  return Promise.race([began, fell])
}

/** Writes a picture for the documents, at the best quality within the size limit. */
async function savePicture(page: Page, name: string): Promise<void> {
  const { width } = page.viewportSize() ?? large
  const taken = sharp(await page.screenshot({ animations: 'disabled' })).resize({ width: width === small.width ? 640 : width })
  for (let quality = 90; ; quality -= 10) {
    const picture = await taken.clone().webp({ quality, effort: 6 }).toBuffer()
    if (picture.length > mostBytes && quality > 10) continue
    await writeFile(join(root, 'docs/pictures', `${name}.webp`), picture)
    console.log(`docs/pictures/${name}.webp: ${picture.length} bytes`)
    return
  }
}

/** The output of a start as in a terminal: each progress line once, at its end, without the log, on the usual port. */
async function saveStartPicture(page: Page, { said, url }: StartedForum): Promise<void> {
  const lines = said.replaceAll(new URL(url).port, '3000').split(/[\r\n]+/)
  const ended = lines.map((line) => line.trim()).filter((line) => line && !line.startsWith('{') && !/… \d?\d %$/.test(line))
  await page.setViewportSize(small)
  await page.setContent(
    '<body style="margin:0;background:#1c1f1d"><pre style="margin:32px;font:20px/1.75 monospace;color:#e6ebe8;white-space:pre-wrap">',
  )
  await page.locator('pre').evaluate((pre, text) => (pre.textContent = text), ['$ npm start', '', ...ended].join('\n'))
  await savePicture(page, 'first-start')
}

async function ready(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await page.locator('main[aria-busy], div[role=progressbar]').first().waitFor({ state: 'detached' })
  await page.waitForFunction(() => [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight))
}

/** The pictures of a visitor's pages, for the README. */
async function saveReadingPictures(page: Page, { ending, thread }: Texts): Promise<void> {
  await page.setViewportSize(large)
  await page.goto('/index')
  await ready(page)
  await savePicture(page, `index${ending}`)
  await page.goto(`/search?keyword=${encodeURIComponent(thread)}`)
  await ready(page)
  await page.locator('main a[href*="/thread?"]').first().click()
  await page.waitForURL('**/thread?**')
  await ready(page)
  await savePicture(page, `thread${ending}`)
}

function wordsOf(code: Texts['code']): { self: string; toForum: string } {
  return JSON.parse(readFileSync(join(root, 'base/words/admin', `${code.slice(0, 2)}.json`), 'utf8')) as { self: string; toForum: string }
}

/** The first minute after the start: the administrator signs in, goes to the forum, and writes a topic. */
async function saveFirstMinute(page: Page, { ending, code, title, body }: Texts, password: string): Promise<void> {
  const words = wordsOf(code)
  await page.setViewportSize(small)
  await page.goto('/admin')
  await page.locator('input[name=account]').fill('admin')
  await page.locator('input[name=password]').fill(password)
  await savePicture(page, `first-sign-in${ending}`)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/dashboard')
  await page.setViewportSize(large)
  await ready(page)
  await savePicture(page, `administration${ending}`)
  await page.getByRole('button', { name: words.self.replace('{account}', 'admin') }).click()
  await page.getByRole('menuitem', { name: words.toForum }).click()
  await page.waitForURL('**/index')
  await page.setViewportSize(small)
  await ready(page)
  await savePicture(page, `first-index${ending}`)
  // No draft is stored, for the run in the next language.
  await page.route(/\/draft/, (route) => (route.request().method() === 'GET' ? route.continue() : route.abort()))
  await page.goto('/addTopic')
  await page.locator('main input').first().fill(title)
  await page.locator('form [contenteditable="true"]').first().fill(body)
  await page.evaluate(() => scrollTo(0, 0))
  await ready(page)
  await savePicture(page, `first-topic${ending}`)
}

const forum = await startForum()
const browser = await openBrowser()
try {
  await saveStartPicture(await browser.newPage(), forum)
  for (const language of Object.values(texts)) {
    const context = await browser.newContext({ baseURL: forum.url, locale: language.code, colorScheme: 'light' })
    await context.addCookies([{ name: 'language', value: language.code.replace('-', '_'), url: forum.url }])
    await saveReadingPictures(await context.newPage(), language)
    await saveFirstMinute(await context.newPage(), language, forum.password)
    await context.close()
  }
} finally {
  await browser.close()
  await forum.stop()
}
