import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { folderOf, order } from '../features/order.js'
import { files, pathOf, textOf } from './repository.ts'
import { root } from './steps.ts'

/** Every test file, by its path from the root. */
export const allTests: readonly string[] = files(/\.test\.tsx?$|^e2e\/.*\.spec\.ts$/)

/** Kills, restarts, several servers, every screen in the other language, side journeys: too slow for every run. */
export function isExtended(path: string): boolean {
  return /\.extended\.(test|spec)\.ts$/.test(path)
}

/** The tests of the gate: all but the extended ones. */
export const gateTests: readonly string[] = allTests.filter((path) => !isExtended(path))

/** The tests that the gate leaves out: the extended files, and those it runs with fewer rounds. */
export function outsideGate(): string[] {
  return allTests.filter((path) => isExtended(path) || isSampled(path))
}

const samples = /fast-check|#base\/testing\/(extent|races)\.ts/
const factories = /(?:from|import) '#((?!base\/)[^']+\/testing\/[^']+\.tsx?)'/g

function isSampled(path: string): boolean {
  const text = textOf(path)
  return samples.test(text) || [...text.matchAll(factories)].some(([, name = '']) => samples.test(textOf(pathOf(`#${name}`))))
}

/** Always run: the house rules, a newcomer's journey, and tests that cover everything at once. */
const smoke = /^tools\/|^e2e\/(arrival|register-and-post)\.spec|^apps\/server\/openapi\.test|^database\/(plans|migrate)\.test/

/** The tests that a change since a commit can break. */
export function testsSince(commit: string): readonly string[] {
  return testsOf(changedSince(commit))
}

/**
 * The tests that a change of these files can break: those of their features, of all features that import those, and files that name one of
 * them; and a few that cover everything. The whole gate if the change affects everything.
 */
export function testsOf(changed: readonly string[]): readonly string[] {
  if (changed.some(affectsEverything)) return gateTests
  const touched = new Set(changed.filter((path) => !isTest(path)).flatMap(featuresOf))
  const reached = reachedFrom(touched)
  const names = new RegExp(`'#(${[...touched].join('|') || '-'})/`)
  const isOfApps = changed.some((path) => path.startsWith('apps/') && !isTest(path))
  return gateTests.filter(
    (path) =>
      changed.includes(path) ||
      smoke.test(path) ||
      reached.has(featureOf(path) ?? '') ||
      (isOfApps && /^(apps|e2e)\//.test(path)) ||
      names.test(textOf(path)),
  )
}

function changedSince(commit: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const base = git('merge-base', commit, 'HEAD')[0] ?? commit
  return [...new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')])]
}

function affectsEverything(path: string): boolean {
  if (/\.(md|png|webp)$/.test(path) || isTest(path)) return false
  return !/^(features\/[^/]+\/[^/]+|apps|e2e|bench|docs)\//.test(path)
}

function featureOf(path: string): string | null {
  const [top, , feature = ''] = path.split('/')
  return top === 'features' && order.includes(feature) ? feature : null
}

// The declarations of a feature are collected by features that stand above it.
const collectors: Readonly<Record<string, readonly string[]>> = {
  'settings.ts': ['setting'],
  'manifest.ts': ['audit', 'staff'],
  'member-rights.ts': ['role'],
  'notification-kinds.ts': ['notification'],
  'thread-part.ts': ['topic', 'question'],
}

function featuresOf(path: string): string[] {
  const feature = featureOf(path)
  return feature ? [feature, ...(collectors[path.split('/').at(3) ?? ''] ?? [])] : []
}

/** These features and all that import them, directly or not. A feature imports only features above it, so one pass is enough. */
function reachedFrom(touched: ReadonlySet<string>): Set<string> {
  const reached = new Set(touched)
  for (const feature of order) if ([...importsOf(feature)].some((one) => reached.has(one))) reached.add(feature)
  return reached
}

function importsOf(feature: string): Set<string> {
  const code = files(/\.tsx?$/).filter((path) => path.startsWith(`${folderOf(feature)}/`) && !isTest(path) && !path.includes('/testing/'))
  return new Set(
    code.flatMap((path) =>
      [...textOf(path).matchAll(/from '#([\w-]+)\/(?!(?:settings|member-rights|notification-kinds)\.ts')/g)].map(([, name = '']) => name),
    ),
  )
}

function isTest(path: string): boolean {
  return /\.(test|spec)\.tsx?$/.test(path)
}

/** Test files by a part of their path, or by an existing file. */
export function testsNamed(words: readonly string[]): string[] {
  return allTests.filter((path) => words.some((word) => path.includes(existsSync(word) ? posix.normalize(word) : word)))
}
