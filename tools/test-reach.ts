import { posix } from 'node:path'
import { folderOf, order } from '../features/order.js'
import { files, textOf } from './repository.ts'
import { allTests, isTest } from './test-files.ts'

/** The tests that a change can break. */
export type Reach = {
  /** The changed ones, those of the folders and features that changed, and those that import a changed file. */
  near: ReadonlySet<string>
  /** With those of all features that import the changed ones. */
  all: ReadonlySet<string>
  /** The features that changed. */
  features: readonly string[]
}

export function reachOf(changed: readonly string[]): Reach {
  const program = changed.filter((path) => !isTest(path) && !/\.(md|png|webp)$/.test(path))
  const touched = new Set(program.flatMap(featuresOf))
  const users = usersOf(program.filter((path) => path.startsWith('e2e/')))
  const beside = program.filter((path) => !isGenerated(path)).flatMap(testsBeside)
  const near = new Set([...allTests.filter((path) => changed.includes(path) || users.has(path)), ...beside])
  if (program.some(affectsEverything)) return { near, all: new Set(allTests), features: [...touched] }
  const reached = reachedFrom(touched)
  const names = new RegExp(`'#(${[...touched].join('|') || '-'})/`)
  const isOfApps = program.some((path) => path.startsWith('apps/'))
  const all = allTests.filter(
    (path) => near.has(path) || reached.has(featureOf(path) ?? '') || (isOfApps && /^(apps|e2e)\//.test(path)) || names.test(textOf(path)),
  )
  return { near, all: new Set(all), features: [...touched] }
}

// Every migration writes these anew.
function isGenerated(path: string): boolean {
  return /^database\/(tables\.ts|guards\.txt)$/.test(path)
}

// Of a feature its tests, with the journey of its name if its pages changed; elsewhere those of the folder, or of the nearest one above
// that has some.
function testsBeside(path: string): string[] {
  const feature = featureOf(path)
  const its = feature
    ? [...allTests.filter((test) => featureOf(test) === feature), ...journeysOf(path, feature)]
    : testsIn(posix.dirname(path))
  return [...its, ...importersOf(path)]
}

function journeysOf(path: string, feature: string): string[] {
  return path.includes('/web/') ? allTests.filter((test) => test === `e2e/${feature}.spec.ts`) : []
}

function testsIn(folder: string): string[] {
  if (folder === '.' || folder === 'e2e') return []
  const its = allTests.filter((test) => posix.dirname(test) === folder)
  return its.length > 0 ? its : testsIn(posix.dirname(folder))
}

// What more tests import is one of their tools.
const maxImporters = 10

function importersOf(path: string): string[] {
  const feature = featureOf(path)
  const name = `'#${feature ? `${feature}${path.slice(folderOf(feature)?.length)}` : path}'`
  const its = allTests.filter((test) => textOf(test).includes(name))
  return its.length > maxImporters ? [] : its
}

/** The files of journeys that import one of these, directly or not. */
function usersOf(helpers: readonly string[]): Set<string> {
  const users = new Set<string>()
  for (let names = helpers; names.length > 0;) {
    const imported = new RegExp(`'\\./(${names.map((path) => posix.basename(path)).join('|')})'`)
    names = files(/^e2e\/.*\.ts$/).filter((path) => !users.has(path) && imported.test(textOf(path)))
    for (const name of names) users.add(name)
  }
  return users
}

function affectsEverything(path: string): boolean {
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
  const code = sources.filter((path) => path.startsWith(`${folderOf(feature)}/`))
  return new Set(
    code.flatMap((path) =>
      [...textOf(path).matchAll(/from '#([\w-]+)\/(?!(?:settings|member-rights|notification-kinds)\.ts')/g)].map(([, name = '']) => name),
    ),
  )
}

const sources = files(/^features\/.*\.tsx?$/).filter((path) => !isTest(path) && !path.includes('/testing/'))
