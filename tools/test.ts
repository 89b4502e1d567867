import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { areBuilt, buildPages } from '../scripts/pages.mjs'
import { Halt } from '../scripts/step.mjs'
import { checkCode, vitest } from './checks.ts'
import { findBrowser, knownBrowser } from './find-browser.ts'
import { findRedis } from './find-redis.ts'
import { root, runAloud } from './steps.ts'

type Count = { passed: number; failed: number }

/** With words, only the test files whose path has one of them; without, everything. */
async function test(words: string[]): Promise<number> {
  return words.length > 0 ? some(words) : everything()
}

async function some(words: string[]): Promise<number> {
  const isJourney = words.some((word) => word.includes('e2e'))
  if (isJourney) await build()
  const browser = isJourney ? await findBrowser() : knownBrowser()
  return runAloud([vitest, 'run', ...words], browser ? { TEAHOUSE_CHROMIUM: browser } : {})
}

async function everything(): Promise<number> {
  // What is missing comes over the network while the processors check the code and build the pages.
  const [checked, found, built] = await Promise.all([checkCode(), findPrograms(), isBuilt()])
  const counts = [countOf(checked), countOf([built]), await runAll(found)]
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  console.log(`\n${passed} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
}

type Found = { TEAHOUSE_CHROMIUM: string; TEAHOUSE_REDIS: string }

// One after the other, for the system installs nothing twice at once.
async function findPrograms(): Promise<Found> {
  return { TEAHOUSE_CHROMIUM: await findBrowser(), TEAHOUSE_REDIS: await findRedis() }
}

async function runAll(found: Found): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-results-'))
  const report = join(folder, 'results.json')
  try {
    const reporters = ['--reporter', 'dot', '--reporter', 'json', '--outputFile', report]
    const code = await runAloud([vitest, 'run', ...reporters], found)
    return resultsIn(report, code)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// A file that cannot be loaded has no tests to fail, and a run can fail outside of all tests; both count as one failure.
function resultsIn(report: string, code: number): Count {
  if (!existsSync(report)) return { passed: 0, failed: 1 }
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(report, 'utf8'))
  return { passed, failed: code === 0 ? failed : Math.max(failed, 1) }
}

async function isBuilt(): Promise<boolean> {
  try {
    await build()
    return true
  } catch (error) {
    if (!(error instanceof Halt)) throw error
    console.error(error.message)
    return false
  }
}

async function build(): Promise<void> {
  if (!areBuilt(root)) await buildPages(root, process.execPath)
}

function countOf(results: boolean[]): Count {
  const passed = results.filter(Boolean).length
  return { passed, failed: results.length - passed }
}

try {
  process.exitCode = await test(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Halt)) throw error
  console.error(error.message)
  process.exitCode = 1
}
