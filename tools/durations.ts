import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('durations.json', import.meta.url)
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>

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

/** Replaces the recorded durations of these files, and drops those of files that are gone. */
export function recordDurations(results: readonly { path: string; seconds: number }[], all: readonly string[]): void {
  const measured = new Map(results.map(({ path, seconds }) => [path, seconds]))
  const lines = all.toSorted().flatMap((path) => {
    const seconds = measured.get(path) ?? recorded[path] ?? 0
    return seconds < minSeconds ? [] : [`  ${JSON.stringify(path)}: ${Number(seconds.toPrecision(2))}`]
  })
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
}
