import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** These files of ours and all that they need at once, by absolute path; not what they import as types, nor what comes later. */
export function neededBy(...files: string[]): Set<string> {
  const found = new Set<string>()
  const waiting = files.map((file) => resolve(root, file))
  for (const file of waiting) {
    if (found.has(file)) continue
    found.add(file)
    if (/\.tsx?$/.test(file)) waiting.push(...importsOf(file))
  }
  return found
}

function importsOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type\b)(?:[^'"]*? from )?'([#.][^']+\.(?:tsx?|css))'/gm)
  return [...imports].map(([, address = '']) => fileAt(address, file)).filter((path) => existsSync(path))
}

function fileAt(address: string, from: string): string {
  if (address.startsWith('.')) return resolve(dirname(from), address)
  const path = address.slice(1)
  return resolve(root, /^(base|apps|database)\//.test(path) ? path : `features/${path}`)
}
