import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import type { Browser } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { addUp, loadFirst, type PageRequest } from '../e2e/load-first.ts'
import { openBrowser } from '../tools/browser.ts'
import { startForum } from './start-forum.ts'

// What a first visit fetches, without the pictures of members: until the page is loaded, and once it is idle; and the modules of its scripts.
const mostModules = 5
// Longer than a page waits until it is idle.
const restMs = 4_000
const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-first-load-'))
const { forum, stop } = await startForum({ dataDir, comments: 0, cacheBytes: null })
const browser = await openBrowser()
try {
  const sums: Record<string, Record<string, string | number>> = {}
  const scripts = new Map<string, PageRequest>()
  for (const who of ['visitor', 'member'] as const) {
    for (const path of ['/index', `/thread?topicId=${forum.longest.id}`]) {
      const all = await visited(browser, who, path)
      for (const one of all) if (one.kind === 'script') scripts.set(one.path, one)
      sums[`${who}: ${path.split('?')[0]}`] = {
        ...columns(
          'until loaded',
          all.filter(({ isIdle }) => !isIdle),
        ),
        ...columns('at rest', all),
      }
    }
  }
  console.table(sums)
  await printModules([...scripts.values()])
} finally {
  await browser.close()
  await stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function visited(from: Browser, who: 'visitor' | 'member', path: string): Promise<PageRequest[]> {
  const context = await from.newContext({
    baseURL: forum.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'zh-CN',
  })
  const page = await context.newPage()
  if (who === 'member') {
    const [accessToken, refreshToken] = (forum.pairs[0] ?? '').split(',')
    await page.goto('/favicon.svg')
    await page.evaluate((pair) => localStorage.setItem('bbsToken', pair), JSON.stringify({ accessToken, refreshToken }))
  }
  const all = (await loadFirst(page, path, () => page.waitForTimeout(restMs))).filter(({ kind }) => kind !== 'image')
  await context.close()
  return all
}

function columns(when: string, fetched: readonly PageRequest[]): Record<string, string | number> {
  const kinds = ['document', 'stylesheet', 'script', 'fetch'].map((kind) => {
    const { bytes } = addUp(fetched.filter((one) => one.kind === kind))
    return [`${kind} kB ${when}`, kilo(bytes)]
  })
  const { requests, bytes } = addUp(fetched)
  return { [`requests ${when}`]: requests, [`kB ${when}`]: kilo(bytes), ...Object.fromEntries(kinds) }
}

/** The size of each script and its largest modules, before minification. */
async function printModules(scripts: readonly PageRequest[]): Promise<void> {
  process.env['NODE_ENV'] = 'production'
  const { output } = (await build({ logLevel: 'silent', build: { write: false } })) as Rolldown.RolldownOutput
  for (const { path, bytes } of scripts.toSorted((one, other) => other.bytes - one.bytes)) {
    const chunk = output.find(({ fileName }) => basename(fileName) === basename(path))
    if (chunk?.type !== 'chunk') continue
    console.log(`\n${basename(path)}, ${kilo(bytes)} kB`)
    const modules = Object.entries(chunk.modules).toSorted(([, one], [, other]) => other.renderedLength - one.renderedLength)
    for (const [id, { renderedLength }] of modules.slice(0, mostModules)) console.log(`  ${kilo(renderedLength)} kB  ${relative('.', id)}`)
  }
}

function kilo(bytes: number): string {
  return (bytes / 1000).toFixed(1)
}
