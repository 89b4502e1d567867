import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { files, pathOf, textOf } from './repository.ts'

/** Every test file, by its path from the root. */
export const allTests: readonly string[] = files(/\.test\.tsx?$|^e2e\/.*\.spec\.ts$/)

export function isTest(path: string): boolean {
  return /\.(test|spec)\.tsx?$/.test(path)
}

/** Kills, restarts, several servers, every screen in the other language, side journeys. */
export function isExtended(path: string): boolean {
  return /\.extended\.(test|spec)\.ts$/.test(path)
}

const samples = /fast-check|#base\/testing\/(extent|races)\.ts/
const factories = /(?:from|import) '#((?!base\/)[^']+\/testing\/[^']+\.tsx?)'/g

/** Whether a full run of the file has more rounds of a race, or more runs of a property. */
export function isSampled(path: string): boolean {
  const text = textOf(path)
  return samples.test(text) || [...text.matchAll(factories)].some(([, name = '']) => samples.test(textOf(pathOf(`#${name}`))))
}

/** Test files by a part of their path, or by an existing file. */
export function testsNamed(words: readonly string[]): string[] {
  return allTests.filter((path) => words.some((word) => path.includes(existsSync(word) ? posix.normalize(word) : word)))
}
