import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { npmWith } from '../scripts/npm.mjs'
import { findBrowser } from '../tools/find-browser.ts'
import type { BenchForumOptions, ReadyForum } from './forum.ts'

// The speed on a slow phone: Lighthouse, mobile, with its own throttling. It is downloaded for the run, because it is large.
const lighthouse = 'lighthouse@13.5.0'
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'teahouse-lighthouse-'))

try {
  const order: BenchForumOptions = { dataDir: join(folder, 'data'), comments: 1_000, cacheBytes: null }
  const child = fork(new URL('forum.ts', import.meta.url), [JSON.stringify(order)])
  const [forum] = (await once(child, 'message')) as [ReadyForum]
  const pages = ['/index', `/thread?topicId=${forum.longest.id}`]
  const rows: Record<string, Record<string, string>> = {}
  for (const path of pages) rows[path] = await look(forum.url + path)
  console.table(rows)
  child.send('stop')
  await once(child, 'exit')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

type Report = {
  categories: Record<string, { score: number | null }>
  audits: Record<string, { displayValue?: string; details?: { items?: unknown[] } }>
}

async function look(url: string): Promise<Record<string, string>> {
  const file = join(folder, 'report.json')
  const flags = ['--quiet', '--output=json', `--output-path=${file}`, '--chrome-flags=--headless=new --no-sandbox --disable-gpu']
  const npm = npmWith(process.execPath, fileURLToPath(new URL('..', import.meta.url)))
  const env = { ...npm.env, CHROME_PATH: await findBrowser() }
  await run(npm.file, [...npm.args, 'exec', '--yes', '--', lighthouse, url, ...flags], { env })
  const { categories, audits } = JSON.parse(readFileSync(file, 'utf8')) as Report
  const scores = Object.entries(categories).map(([name, { score }]) => [name, String(Math.round((score ?? 0) * 100))])
  const shown = {
    LCP: 'largest-contentful-paint',
    TBT: 'total-blocking-time',
    CLS: 'cumulative-layout-shift',
    FCP: 'first-contentful-paint',
  }
  const values = Object.entries(shown).map(([name, audit]) => [name, audits[audit]?.displayValue ?? ''])
  const requests = audits['network-requests']?.details?.items?.length ?? 0
  return Object.fromEntries([...scores, ...values, ['requests', String(requests)]]) as Record<string, string>
}
