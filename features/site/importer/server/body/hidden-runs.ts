import type { Block, Hidden } from '#base/rich-text/document.ts'
import { maxHiddenParts } from '#base/rich-text/check-document.ts'
import { isBlank } from '#base/rich-text/to-text.ts'
import { levelLock, type PartLock } from '#importer/server/body/hidden-lock.ts'
import { blocksOf, type Piece } from '#importer/server/body/pieces.ts'

/** Pieces that the same readers see, without a lock all. */
export type Run = { lock: PartLock | null; pieces: readonly Piece[] }

/** The blocks of a topic: each hidden part stands at the top level. Hidden text that shows nothing is left out. */
export function withHiddenParts(runs: readonly Run[], notes: Set<string>): Block[] {
  const shown = fewParts(runs.filter(showsSomething), notes)
  return shown.flatMap(({ lock, pieces }): Block[] =>
    lock === null ? blocksOf(pieces) : [{ type: 'hidden', attrs: { ...lock }, content: blocksOf(pieces) } satisfies Hidden],
  )
}

/** The blocks of a post that has no hidden parts: a sentence stands for what is left out, and nothing of that remains. */
export function withoutHiddenText(runs: readonly Run[], sentence: string, notes: Set<string>): Block[] {
  const shown = runs.filter(showsSomething)
  if (shown.some(({ lock }) => lock)) notes.add('hidden in a comment')
  return shown.flatMap(({ lock, pieces }, at): Block[] => {
    if (lock === null) return blocksOf(pieces)
    return shown[at - 1]?.lock ? [] : [{ type: 'paragraph', content: [{ type: 'text', text: sentence }] }]
  })
}

/** Parts are opened and paid one by one, so everything behind one lock stands in one, after the rest. */
export function inOnePart(runs: readonly Run[], lock: PartLock): Run[] {
  const pieces = runs.flatMap((run): Piece[] => (run.lock === lock ? blocksOf(run.pieces) : []))
  return [...runs.filter((run) => run.lock !== lock), { lock, pieces }]
}

export function showsSomething({ lock, pieces }: Run): boolean {
  return lock === null || !isBlank({ type: 'doc', content: blocksOf(pieces) })
}

/** More parts than a topic may have are joined: those with one lock, or else all levels as the highest. */
function fewParts(runs: readonly Run[], notes: Set<string>): readonly Run[] {
  if (runs.filter(({ lock }) => lock).length <= maxHiddenParts) return runs
  notes.add('many hidden parts')
  const values = new Set(runs.map(({ lock }) => lock && `${lock.lock} ${lock.value}`))
  const levels = runs.flatMap(({ lock }) => (lock?.lock === 'level' ? [Number(lock.value)] : []))
  const highest = levelLock(String(levels.reduce((most, level) => Math.max(most, level), 0)))
  return joined(values.size > maxHiddenParts ? runs.map((run) => (run.lock?.lock === 'level' ? { ...run, lock: highest } : run)) : runs)
}

/** Runs with one lock as one part, where the first of them stands. */
export function joined(runs: readonly Run[], isJoined: (lock: PartLock) => boolean = () => true): Run[] {
  const parts = new Map<string, { lock: PartLock; pieces: Piece[] }>()
  return runs.flatMap(({ lock, pieces }): Run[] => {
    if (lock === null || !isJoined(lock)) return [{ lock, pieces }]
    const key = `${lock.lock} ${lock.value}`
    const part = parts.get(key)
    for (const block of part ? blocksOf(pieces) : []) part?.pieces.push(block)
    if (part) return []
    const begun = { lock, pieces: blocksOf(pieces) as Piece[] }
    parts.set(key, begun)
    return [begun]
  })
}
