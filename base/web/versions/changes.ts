import { commonPairs } from '#base/web/versions/common-pairs.ts'
import { linesOf, type Line } from '#base/web/versions/lines.ts'

export type ChangeKind = 'kept' | 'added' | 'removed'
export type Part = { how: ChangeKind; text: string }
/** A changed line by words, or a number of unchanged lines. */
export type Change = { line: Line; how: ChangeKind; parts: Part[] } | { kept: number }
export type Changes = { changes: Change[]; added: number; removed: number }

// Two lines with less in common are a removed and an added one.
const leastInCommon = 0.3

/** The difference between two versions of a post. */
export function changesBetween(before: string, after: string): Changes {
  const [old, now] = [linesOf(before), linesOf(after)]
  const keyOf = ({ kind, text, src }: Line) => `${kind} ${src ?? ''} ${text}`
  const changes: Change[] = []
  let [oldAt, nowAt] = [0, 0]
  for (const [a, b] of [...commonPairs(old.map(keyOf), now.map(keyOf)), [old.length, now.length] as const]) {
    changes.push(...rewritten(old.slice(oldAt, a), now.slice(nowAt, b)))
    if (b < now.length) addKept(changes)
    ;[oldAt, nowAt] = [a + 1, b + 1]
  }
  return { changes, added: countLines(changes, 'added'), removed: countLines(changes, 'removed') }
}

/** Word by word, in Chinese too. */
export function partsBetween(before: string, after: string): Part[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  const parts: Part[] = []
  let [oldAt, nowAt] = [0, 0]
  for (const [a, b] of [...commonPairs(old, now), [old.length, now.length] as const]) {
    add(parts, 'removed', old.slice(oldAt, a))
    add(parts, 'added', now.slice(nowAt, b))
    add(parts, 'kept', now.slice(b, b + 1))
    ;[oldAt, nowAt] = [a + 1, b + 1]
  }
  return parts
}

function addKept(changes: Change[]): void {
  const last = changes.at(-1)
  if (last && 'kept' in last) last.kept++
  else changes.push({ kept: 1 })
}

// Lines between two unchanged ones: each old line is paired with the new one in its place, if they have enough in common.
function rewritten(old: readonly Line[], now: readonly Line[]): Change[] {
  return Array.from({ length: Math.max(old.length, now.length) }, (_, at) => at).flatMap((at) => {
    const [before, after] = [old[at], now[at]]
    if (before && after && before.kind === after.kind && before.kind !== 'picture') {
      const parts = partsBetween(before.text, after.text)
      const keptLength = parts.reduce((sum, { how, text }) => sum + (how === 'kept' ? text.trim().length : 0), 0)
      if (keptLength >= leastInCommon * Math.min(before.text.length, after.text.length))
        return [{ line: after, how: 'kept', parts } as const]
    }
    return [...(before ? [wholeLine(before, 'removed')] : []), ...(after ? [wholeLine(after, 'added')] : [])]
  })
}

function wholeLine(line: Line, how: ChangeKind): Change {
  return { line, how, parts: [{ how, text: line.text }] }
}

function wordsOf(text: string): string[] {
  return [...new Intl.Segmenter('zh', { granularity: 'word' }).segment(text)].map(({ segment }) => segment)
}

function add(parts: Part[], how: ChangeKind, words: readonly string[]): void {
  if (words.length === 0) return
  const last = parts.at(-1)
  if (last?.how === how) last.text += words.join('')
  else parts.push({ how, text: words.join('') })
}

function countLines(changes: readonly Change[], how: ChangeKind): number {
  const parts = changes.flatMap((change) => ('parts' in change ? change.parts : []))
  return parts.reduce((sum, part) => sum + (part.how === how ? part.text.length : 0), 0)
}
