import { randomInt } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { areBuilt, buildPages } from '../scripts/pages.mjs'
import { Halt } from '../scripts/step.mjs'
import { checkCode } from './checks.ts'
import { findBrowser, knownBrowser } from './find-browser.ts'
import { findRedis } from './find-redis.ts'
import { runTests, type FileResult } from './run-tests.ts'
import { textOf } from './repository.ts'
import { root } from './steps.ts'
import { allTests, gateTests, outsideGate, testsNamed, testsSince } from './test-files.ts'

type Count = { passed: number; failed: number }

/**
 * `npm test`: the gate. `npm run test:all`: everything, with all rounds and a random seed. `npm test -- --rest`: the part that the gate
 * leaves out. `npm test topic`: files with "topic" in their path. `npm test -- --since main`: tests that a change can break.
 */
async function test([first = '', ...others]: readonly string[]): Promise<number> {
  if (first === '') return check(gateTests, { isWhole: false })
  if (first === '--all') return others.length > 0 ? runNamed(others, true) : check(allTests, { isWhole: true })
  if (first === '--rest') return run(outsideGate(), { isWhole: true })
  if (first === '--since') return run(testsSince(others[0] ?? 'main'), { isWhole: false })
  return runNamed([first, ...others], false)
}

async function runNamed(words: readonly string[], isWhole: boolean): Promise<number> {
  const paths = testsNamed(words)
  if (paths.length === 0) throw new Halt(`No test file has ${words.join(' or ')} in its path.`)
  return run(paths, { isWhole })
}

type Extent = { isWhole: boolean }

/** Types, lint and format in parallel with the tests. */
async function check(paths: readonly string[], extent: Extent): Promise<number> {
  const checking = checkCode()
  const tested = await tests(paths, extent)
  return close([...(await checking).map(countOf), tested])
}

async function run(paths: readonly string[], extent: Extent): Promise<number> {
  return close([await tests(paths, extent)])
}

function close(counts: readonly Count[]): number {
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  console.log(`\n${passed} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
}

async function tests(paths: readonly string[], { isWhole }: Extent): Promise<Count> {
  const [, isReady] = await Promise.all([findPrograms(paths), isBuilt(paths)])
  if (!isReady) return { passed: 0, failed: 1 }
  process.env['TEST_EXTENT'] ??= isWhole ? 'all' : 'gate'
  process.env['TEST_SEED'] ??= String(isWhole ? randomInt(2 ** 31) : seedOfCommit())
  console.log(`${paths.length} test files, seed ${process.env['TEST_SEED']}`)
  const first = await runTests(paths)
  const again = await runAgain(first.filter(({ failed }) => failed.length > 0))
  printSlowest(first)
  printFlaky(first, again)
  return sumOf(first.map((result) => again.find(({ path }) => path === result.path) ?? result))
}

/** The same commit tries the same values on every machine. */
function seedOfCommit(): number {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return Number.parseInt(commit.slice(0, 7), 16)
  } catch {
    return 1 // not a git checkout
  }
}

// One after the other, because a package manager runs only once at a time.
async function findPrograms(paths: readonly string[]): Promise<void> {
  const browser = needsBrowser(paths) ? await findBrowser() : knownBrowser()
  if (browser) process.env['TEAHOUSE_CHROMIUM'] = browser
  if (paths.some((path) => /redis|replica/.test(path)) || process.env['SERVERS'] === '2') process.env['TEAHOUSE_REDIS'] = await findRedis()
}

function needsBrowser(paths: readonly string[]): boolean {
  return paths.some((path) => /\.browser\.test\.|\.spec\./.test(path))
}

function needsPages(path: string): boolean {
  return path.startsWith('e2e/') || textOf(path).includes("'main.ts'")
}

async function isBuilt(paths: readonly string[]): Promise<boolean> {
  if (!paths.some(needsPages) || areBuilt(root)) return true
  try {
    await buildPages(root, process.execPath)
    return true
  } catch (error) {
    if (!(error instanceof Halt)) throw error
    console.error(error.message)
    return false
  }
}

const maxRetries = 10

/** Runs each failed file again, alone: a second failure is no matter of load. */
async function runAgain(failed: readonly FileResult[]): Promise<FileResult[]> {
  if (failed.length > maxRetries) return []
  const again: FileResult[] = []
  for (const { path } of failed) {
    console.log(`\n${path} failed, and is run once more, alone.`)
    again.push(...(await runTests([path])))
  }
  return again
}

function printSlowest(results: readonly FileResult[]): void {
  console.log('\nSlowest files:')
  for (const { path, seconds } of results.slice(0, 10)) console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${path}`)
}

function printFlaky(first: readonly FileResult[], again: readonly FileResult[]): void {
  const flaky = first.filter(({ path }) => again.some((one) => one.path === path && one.failed.length === 0))
  if (flaky.length > 0) console.log('\nFlaky, for it passed alone:')
  for (const { path, failed, load } of flaky)
    for (const name of failed) console.log(`  ${path} › ${name} (seed ${process.env['TEST_SEED']}, load ${load})`)
}

function sumOf(results: readonly FileResult[]): Count {
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failed }) => sum + failed.length, 0),
  }
}

function countOf(isRight: boolean): Count {
  return isRight ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

try {
  process.exitCode = await test(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Halt)) throw error
  console.error(error.message)
  process.exitCode = 1
}
