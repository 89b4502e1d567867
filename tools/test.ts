import { randomInt } from 'node:crypto'
import { areBuilt, buildPages } from '../scripts/pages.mjs'
import { Halt } from '../scripts/step.mjs'
import { checkCode } from './checks.ts'
import { changedSince, seedOfCommit, startOfBranch, startOfSubmission, turnOfCommit } from './commit.ts'
import { durationsFile, recordDurations } from './durations.ts'
import { findBrowser, knownBrowser } from './find-browser.ts'
import { findOtherPostgres } from './find-postgres.ts'
import { findProgram, programsFor, type ProgramName } from './find-program.ts'
import { runTests, type FileResult } from './run-tests.ts'
import { textOf } from './repository.ts'
import { root } from './steps.ts'
import { allTests, isExtended, testsNamed } from './test-files.ts'
import { reachOf } from './test-reach.ts'
import { gateTests, outsideGate, testsSince, type Selection } from './test-selection.ts'

/** `files` were run; code checks are no files. */
type Count = { files: number; passed: number; failed: number }

/** A whole run has every round of a race, every run of a property, and axe on every screen; another run a sample of them. */
type Extent = { isWhole: boolean }

const record = /^--record(?:=(.+))?$/
const recordWord = process.argv.find((word) => record.test(word))
/** The file that durations are recorded in, if they are. */
const recordsTo = recordWord && (record.exec(recordWord)?.[1] ?? durationsFile)

/**
 * `npm test`: the gate. `npm test -- --rest`: what the gate leaves out, and the extended files whose turn it is. `npm run test:all`:
 * everything. `npm test topic`: files with "topic" in their path. `npm test -- --since main`: tests that a change can break. With `--record`
 * durations are recorded anew, with `--record=FILE` in that file. With `--postgres=FOLDER`, tests run on the PostgreSQL with its programs there.
 */
async function test([first = '', ...others]: readonly string[]): Promise<number> {
  if (first === '') return close(await checkBeside(gateTests(selectionSince(startOfBranch())), { isWhole: false }))
  if (first === '--all')
    return others.length > 0 ? runNamed(others, { isWhole: true }) : close(await checkBeside(allTests, { isWhole: true }))
  if (first === '--rest') return runRest()
  if (first === '--since') return runSince(others[0] ?? 'main')
  return runNamed([first, ...others], { isWhole: false })
}

async function runNamed(words: readonly string[], extent: Extent): Promise<number> {
  const paths = testsNamed(words)
  if (paths.length === 0) throw new Halt(`No test file has ${words.join(' or ')} in its path.`)
  return close([await tests(paths, extent)])
}

async function runSince(commit: string): Promise<number> {
  const selection = selectionSince(commit)
  const paths = testsSince(selection)
  const count = (group: ReadonlySet<string>) => `${paths.filter((path) => group.has(path)).length} of ${group.size}`
  console.log(
    `Since ${commit}: ${count(selection.change.near)} test files near the change, ${count(selection.change.all)} that it reaches.`,
  )
  const code = close([await tests(paths, { isWhole: false })])
  console.log('Not checked: types, lint and format (npm run check).')
  return code
}

async function runRest(): Promise<number> {
  const submitted = reachOf(changedSince(startOfSubmission()))
  const { once, whole } = outsideGate(selectionSince(startOfBranch()), { submitted, turn: turnOfCommit() })
  return close([await tests(once, { isWhole: false }), await tests(whole, { isWhole: true })])
}

function selectionSince(commit: string | null): Selection {
  const change = reachOf(changedSince(commit))
  process.env['TEST_CHANGED'] = change.features.join(' ')
  return { change, seed: Number(process.env['TEST_SEED'] ?? seedOfCommit()) }
}

/** Types, lint and format in parallel with the tests. */
async function checkBeside(paths: readonly string[], extent: Extent): Promise<Count[]> {
  const checking = checkCode()
  const tested = await tests(paths, extent)
  return [...(await checking).map(countOf), tested]
}

function close(counts: readonly Count[]): number {
  const total = (name: keyof Count) => counts.reduce((sum, count) => sum + count[name], 0)
  const [files, passed, failed] = [total('files'), total('passed'), total('failed')]
  if (files !== allTests.length) console.log(`\n${files} of ${allTests.length} test files ran. All of them: npm run test:all`)
  console.log(`\n${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

async function tests(paths: readonly string[], { isWhole }: Extent): Promise<Count> {
  // Without a path, all files would be meant.
  if (paths.length === 0) return { files: 0, passed: 0, failed: 0 }
  const [, isReady] = await Promise.all([findPrograms(paths), isBuilt(paths)])
  if (!isReady) return { files: 0, passed: 0, failed: 1 }
  const seed = process.env['TEST_SEED'] ?? String(isWhole ? randomInt(2 ** 31) : seedOfCommit())
  const env = { TEST_EXTENT: isWhole ? 'all' : 'gate', TEST_SEED: seed }
  console.log(`${paths.length} test files, seed ${seed}`)
  const first = await runTests(paths, env)
  const failed = first.filter((result) => result.failed.length > 0)
  const again = failed.length > maxRetries ? [] : await runAgain(failed, env)
  // One that failed may have stopped early, and more rounds take longer than the gate.
  const passed = first.filter((result) => result.failed.length === 0)
  if (recordsTo) recordDurations(isWhole ? passed.filter(({ path }) => isExtended(path)) : passed, recordsTo)
  printSlowest(first)
  printFlaky(first, again, seed)
  return { files: paths.length, ...sumOf(first.map((result) => again.find(({ path }) => path === result.path) ?? result)) }
}

// One after the other, because a package manager runs only once at a time.
async function findPrograms(paths: readonly string[]): Promise<void> {
  const browser = needsBrowser(paths) ? await findBrowser() : knownBrowser()
  if (browser) process.env['TEAHOUSE_CHROMIUM'] = browser
  if (paths.some((path) => /postgres-versions|collations|moving-databases/.test(path)))
    process.env['TEAHOUSE_OTHER_POSTGRES'] = await findOtherPostgres()
  const ofTwoServers: ProgramName[] = process.env['SERVERS'] === '2' ? ['redis'] : []
  for (const name of new Set([...programsFor(paths), ...ofTwoServers]))
    process.env[`TEAHOUSE_${name.toUpperCase()}`] = await findProgram(name)
}

function needsBrowser(paths: readonly string[]): boolean {
  return paths.some((path) => /\.browser\.test\.|\.spec\./.test(path))
}

function needsPages(path: string): boolean {
  return /^(e2e|deploy)\//.test(path) || textOf(path).includes("'main.ts'")
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
async function runAgain(failed: readonly FileResult[], env: Record<string, string>): Promise<FileResult[]> {
  const again: FileResult[] = []
  for (const { path } of failed) {
    console.log(`\n${path} failed, and is run once more, alone.`)
    again.push(...(await runTests([path], env)))
  }
  return again
}

function printSlowest(results: readonly FileResult[]): void {
  console.log('\nSlowest files:')
  for (const { path, seconds } of results.slice(0, 10)) console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${path}`)
}

function printFlaky(first: readonly FileResult[], again: readonly FileResult[], seed: string): void {
  const flaky = first.filter(({ path }) => again.some((one) => one.path === path && one.failed.length === 0))
  if (flaky.length > 0) console.log('\nFlaky, for it passed alone:')
  for (const { path, failed, load } of flaky) for (const name of failed) console.log(`  ${path} › ${name} (seed ${seed}, load ${load})`)
}

function sumOf(results: readonly FileResult[]): { passed: number; failed: number } {
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failed }) => sum + failed.length, 0),
  }
}

function countOf(isRight: boolean): Count {
  return isRight ? { files: 0, passed: 1, failed: 0 } : { files: 0, passed: 0, failed: 1 }
}

const onPostgres = '--postgres='
const postgresWord = process.argv.find((word) => word.startsWith(onPostgres))
if (postgresWord) process.env['TEST_POSTGRES'] = postgresWord.slice(onPostgres.length)

try {
  process.exitCode = await test(process.argv.slice(2).filter((word) => word !== recordWord && word !== postgresWord))
} catch (error) {
  if (!(error instanceof Halt)) throw error
  console.error(error.message)
  process.exitCode = 1
}
