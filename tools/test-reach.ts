import { posix } from 'node:path'
import { lazy } from '../base/lazy.ts'
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
  const isBeside = besideOf(program.filter((path) => !isGenerated(path)))
  const near = new Set(allTests.filter((path) => changed.includes(path) || users.has(path) || isBeside(path)))
  if (program.some(affectsEverything)) return { near, all: new Set(allTests), features: [...touched] }
  const reached = reachedFrom(touched)
  const names = new RegExp(`'#(${[...touched].join('|') || '-'})/`)
  const isOfApps = program.some((path) => path.startsWith('apps/'))
  const all = allTests.filter(
    (path) => near.has(path) || reached.has(featureOf(path) ?? '') || (isOfApps && /^(apps|e2e)\//.test(path)) || names.test(textOf(path)),
  )
  return { near, all: new Set(all), features: [...touched] }
}

// Generated from the migrations.
function isGenerated(path: string): boolean {
  return /^database\/(tables\.ts|guards\.txt)$/.test(path)
}

// A test of a changed feature, the journey of its name if its pages changed, a test of a changed folder elsewhere, or of the nearest one
// above that has some, and a test that imports a changed file.
function besideOf(changed: readonly string[]): (test: string) => boolean {
  const features = new Set(changed.map(featureOf))
  const journeys = new Set(changed.filter((path) => path.includes('/web/')).map((path) => `e2e/${featureOf(path)}.spec.ts`))
  const folders = new Set(changed.filter((path) => featureOf(path) === null).map((path) => folderWithTests(posix.dirname(path))))
  const importers = new Set(changed.flatMap(importersOf))
  return (test) => {
    const feature = featureOf(test)
    return (feature !== null && features.has(feature)) || folders.has(posix.dirname(test)) || journeys.has(test) || importers.has(test)
  }
}

const testFolders = new Set(allTests.map((test) => posix.dirname(test)))

// Null for the root and for the journeys, where tests of everything stand beside each other.
function folderWithTests(folder: string): string | null {
  if (folder === '.' || folder === 'e2e') return null
  return testFolders.has(folder) ? folder : folderWithTests(posix.dirname(folder))
}

// A file that more tests import is a test helper.
const maxImporters = 10

function importersOf(path: string): string[] {
  const feature = featureOf(path)
  const its = importersByName().get(feature ? `#${feature}${path.slice(folderOf(feature)?.length)}` : `#${path}`) ?? []
  return its.length > maxImporters ? [] : its
}

const importersByName = lazy(() => {
  const importers = new Map<string, string[]>()
  for (const test of allTests)
    for (const name of new Set(textOf(test).match(/(?<=')#[^'\n]+(?=')/g))) importers.set(name, [...(importers.get(name) ?? []), test])
  return importers
})

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
  'post-part.ts': ['post', 'comment'],
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
