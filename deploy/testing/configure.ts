import { readFileSync } from 'node:fs'

/** A text of a deploy file, and what stands there in a test. */
export type Replacement = readonly [marked: string, replacement: string]

/**
 * A file of `deploy/` as a test starts it: the lines that an operator changes too (ports, addresses, paths) are replaced, all others run as
 * they stand. Each marked text must occur.
 */
export function configure(path: string, replacements: readonly Replacement[]): string {
  return replacements.reduce(
    (text, [marked, replacement]) => {
      if (!text.includes(marked)) throw new Error(`deploy/${path} has no “${marked}”`)
      return text.replaceAll(marked, replacement)
    },
    readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'),
  )
}
