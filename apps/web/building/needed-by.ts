import { existsSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderOf } from '../../../features/order.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** These source files with all their static imports, as absolute paths; without type and dynamic imports. */
export function neededBy(...files: string[]): Set<string> {
  return new Set(importersIn(...files).keys())
}

/** The same, each with its first importer; null for an entry point. */
export function importersIn(...files: string[]): Map<string, string | null> {
  const found = new Map<string, string | null>()
  const waiting: [file: string, importer: string | null][] = files.map((file) => [resolve(root, file), null])
  for (const [file, importer] of waiting) {
    if (found.has(file)) continue
    found.set(file, importer)
    if (/\.tsx?$/.test(file)) for (const imported of importsOf(file)) waiting.push([imported, file])
  }
  return found
}

/** The chain of imports from an entry point to a file, as paths from the root. */
export function chainTo(file: string, importers: ReadonlyMap<string, string | null>): string[] {
  const chain: string[] = []
  for (let at: string | null = file; at !== null; at = importers.get(at) ?? null) chain.unshift(relative(root, at))
  return chain
}

/** The modules that a file loads when idle. */
export function idlePartsOf(file: string): string[] {
  const parts = readFileSync(file, 'utf8').matchAll(/[iI]dlePart\(\s*(?:\(\) => )?import\('([#.][^']+)'\)/g)
  return [...parts].map(([, address = '']) => fileAt(address, file))
}

const importPattern = /^(?:import|export) (type\b)?(?:[^'"]*? from )?'([#.][^']+\.(?:tsx?|css))'/gm

/** The source files that a file imports, as absolute paths; with those whose types alone it imports, if asked. */
export function importsOf(file: string, { withTypes = false } = {}): string[] {
  const imports = [...readFileSync(file, 'utf8').matchAll(importPattern)].filter(([, type]) => withTypes || !type)
  return imports.map(([, , address = '']) => fileAt(address, file)).filter((path) => existsSync(path))
}

function fileAt(address: string, from: string): string {
  if (address.startsWith('.')) return resolve(dirname(from), address)
  const path = address.slice(1)
  const [name = ''] = path.split('/')
  return resolve(root, (folderOf(name) ?? name) + path.slice(name.length))
}
