import type { Run } from './run.ts'
import { constantsOf, isChoice, keyOf, settled, settledNull, Unknown } from './values.ts'

/** An unknown value may be either, so the path forks. */
export function isTrue(run: Run, value: unknown): boolean {
  const there = settledNull(run.paths, value)
  if (there instanceof Unknown && there.type && isChoice(there.type) && constantsOf(there.type).every((one) => one ?? true)) return true
  const known = settled(run.paths, there)
  if (!(known instanceof Unknown)) return Boolean(known)
  return known.type?.isObjectType() || run.paths.choose(2, keyOf(known)) === 0
}
