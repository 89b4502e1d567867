import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { allTests } from './test-files.ts'

type Durations = Readonly<Record<string, number>>

export const durationsFile = fileURLToPath(new URL('durations.json', import.meta.url))
const recorded = read(durationsFile)

// A file that takes less is not listed.
const minSeconds = 1

/** The seconds that a test file took when durations were last recorded, with three files at a time on two processors. */
export function secondsOf(path: string): number {
  return recorded[path] ?? minSeconds / 2
}

/** Whether a test file takes less than a second. A new one counts as short until durations are recorded again. */
export function isShort(path: string): boolean {
  return !Object.hasOwn(recorded, path)
}

/** Records these durations in a file of all, which need not be the one that is read. */
export function recordDurations(results: readonly { path: string; seconds: number }[], file: string): void {
  const known = { ...read(file), ...Object.fromEntries(results.map(({ path, seconds }) => [path, seconds])) }
  const listed = allTests.toSorted().filter((path) => (known[path] ?? 0) >= minSeconds)
  const lines = listed.map((path) => `  ${JSON.stringify(path)}: ${Number(known[path]?.toPrecision(2))}`)
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
}

function read(file: string): Durations {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Durations) : {}
}
