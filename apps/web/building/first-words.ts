import { readFileSync } from 'node:fs'
import { chainTo, idlePartsOf, importersIn, importsOf } from './needed-by.ts'

/** The entry points of a visitor's reading; their static imports load first. */
const entryPoints = [
  'apps/web/browser.tsx',
  'apps/web/screens/index.tsx',
  'apps/web/screens/thread.tsx',
  'apps/web/screens/ask-list.tsx',
  'apps/web/screens/question.tsx',
  'apps/web/screens/search.tsx',
  'features/site/help/web/terms-page.tsx',
  'features/site/help/web/help-page.tsx',
  'features/site/help/web/help-detail-page.tsx',
]

/** Failures of a call are keyed by HTTP status. */
const callFeature = 'call'

/** Tells whether a text is used while reading, including parts that load when idle. All other texts load with the part that uses them. */
export function firstWords(): (feature: string, key: string) => boolean {
  const speaks = firstUsers()
  return (feature, key) => feature === callFeature || speaks(feature, key) !== null
}

/** The first part, and the idle parts with their imports. */
function readingAndIdle(): Map<string, string | null> {
  const importers = importersIn(...entryPoints)
  for (const [file] of importers)
    for (const part of idlePartsOf(file))
      for (const [needed, importer] of importersIn(part)) if (!importers.has(needed)) importers.set(needed, importer ?? file)
  return importers
}

/** Finds the first module that uses a text while reading, as the chain of imports from an entry point; null if none does. */
export function firstUsers(): (feature: string, key: string) => string[] | null {
  const importers = readingAndIdle()
  const speaking = [...importers].map(([file, importer]) => {
    const source = readFileSync(file, 'utf8')
    // A module that receives a translator uses texts of the module that passes it.
    const handedOn = importer && /\bwords: Translate\b/.test(source) ? featuresIn(readFileSync(importer, 'utf8')) : []
    return { file, codes: new Set(codesIn(source)), features: new Set([...featuresIn(source), ...handedOn]), ...keysIn(source) }
  })
  const speakers = speakersOf(speaking)
  const parts = speaking.map((part) => (part.features.size > 0 || isStyle(part.file) ? part : { ...part, features: speakers(part.file) }))
  return (feature, key) => {
    const part = parts.find(
      ({ codes, features, keys, patterns }) =>
        codes.has(`${feature}.${key}`) || (features.has(feature) && (keys.has(key) || patterns.some((pattern) => pattern.test(key)))),
    )
    return part ? chainTo(part.file, importers) : null
  }
}

type Part = { file: string; features: ReadonlySet<string> }

/** A table of keys in a module without texts of its own is used by the nearest of its importers that have some. */
function speakersOf(parts: readonly Part[]): (file: string) => Set<string> {
  const importers = new Map<string, Part[]>()
  for (const part of parts)
    if (!isStyle(part.file))
      for (const file of importsOf(part.file, { withTypes: true })) importers.set(file, [...(importers.get(file) ?? []), part])
  return (table) => {
    const [found, seen] = [new Set<string>(), new Set([table])]
    for (const file of seen)
      for (const importer of importers.get(file) ?? [])
        if (importer.features.size === 0) seen.add(importer.file)
        else for (const feature of importer.features) found.add(feature)
    return found
  }
}

function isStyle(file: string): boolean {
  return file.endsWith('.css')
}

function featuresIn(source: string): Set<string> {
  return new Set([...source.matchAll(/useWords\('(\w+)'[,)]/g)].map(([, feature = '']) => feature))
}

function codesIn(source: string): string[] {
  return [...source.matchAll(/'(\w+\.\w+)'/g)].map(([, code = '']) => code)
}

function keysIn(source: string): { keys: Set<string>; patterns: RegExp[] } {
  const keys = new Set([...source.matchAll(/'(\w+)'/g)].map(([, key = '']) => key))
  // Such as `${kind}Title`.
  const built = [...source.matchAll(/`((?:\w|\$\{[^{}`]*\})*)`/g)].map(([, template = '']) => template)
  const patterns = built
    .filter((template) => /(?:^|\})\w{3,}|\w{3,}\$/.test(template))
    .map((template) => new RegExp(`^${template.replaceAll(/\$\{[^{}]*\}/g, '\\w+')}$`))
  return { keys, patterns }
}
