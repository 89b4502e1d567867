import { readFileSync } from 'node:fs'
import { chainTo, idlePartsOf, importersIn } from './needed-by.ts'

/** Where a visitor's reading begins: what lies here and in what it imports is there before anything else. */
const reading = [
  'apps/web/browser.tsx',
  'apps/web/screens/index.tsx',
  'apps/web/screens/thread.tsx',
  'apps/web/screens/ask-list.tsx',
  'apps/web/screens/question.tsx',
  'apps/web/screens/search.tsx',
  'features/help/web/terms-page.tsx',
  'features/help/web/help-page.tsx',
  'features/help/web/help-detail-page.tsx',
]

/** Of the failures of a call, the number of an answer says which. */
const spokenByNumber = 'call'

/** Says whether a word is spoken while one reads, by what comes once the page stands too. All others come with the part that speaks them. */
export function firstWords(): (feature: string, key: string) => boolean {
  const speaks = firstSpeakers()
  return (feature, key) => feature === spokenByNumber || speaks(feature, key) !== null
}

/** What reading begins with, and what comes by itself once the page stands, with what that brings in turn. */
function readingAndIdle(): Map<string, string | null> {
  const importers = importersIn(...reading)
  for (const [file] of importers)
    for (const part of idlePartsOf(file))
      for (const [needed, importer] of importersIn(part)) if (!importers.has(needed)) importers.set(needed, importer ?? file)
  return importers
}

/** Finds the first part that speaks a word while one reads: the imports that lead to it, from where reading begins; null where none does. */
export function firstSpeakers(): (feature: string, key: string) => string[] | null {
  const importers = readingAndIdle()
  const parts = [...importers].map(([file, importer]) => {
    const source = readFileSync(file, 'utf8')
    // Who is handed words speaks of what the one does who hands them on.
    const handedOn = importer && /\bwords: Say\b/.test(source) ? featuresIn(readFileSync(importer, 'utf8')) : []
    return { file, codes: new Set(codesIn(source)), features: new Set([...featuresIn(source), ...handedOn]), ...keysIn(source) }
  })
  // A table of keys, in a file that speaks itself of nothing, is spoken by whoever imports it.
  const spoken = new Set(parts.flatMap(({ features }) => [...features]))
  for (const part of parts) if (part.features.size === 0 && !part.file.endsWith('.css')) part.features = spoken
  return (feature, key) => {
    const part = parts.find(
      ({ codes, features, keys, patterns }) =>
        codes.has(`${feature}.${key}`) || (features.has(feature) && (keys.has(key) || patterns.some((pattern) => pattern.test(key)))),
    )
    return part ? chainTo(part.file, importers) : null
  }
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
